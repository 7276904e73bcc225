import type { JsonSchema } from "@plinth/core/http";
import { type ScalarAttribute, traitsOf } from "@plinth/core/schema";

type Kind = ScalarAttribute["kind"];
type Keywords = Readonly<Record<string, unknown>>;

const TEXT = { type: "string" } as const;
const MAX_INTEGER = 2 ** 31 - 1;
/** numeric(10,2) */
const MAX_DECIMAL = 99_999_999.99;

/** How values of each kind are written in JSON, coming and going. @source plugins/content-api/WIRE.md#values */
const FORMS: Readonly<Record<Kind, Keywords>> = {
  string: TEXT,
  text: TEXT,
  richtext: TEXT,
  email: TEXT,
  password: TEXT,
  uid: TEXT,
  enumeration: TEXT,
  date: { type: "string", format: "date" },
  time: { type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,3})?$" },
  datetime: { type: "string", format: "date-time" },
  timestamp: { type: "string", format: "date-time" },
  integer: { type: "integer" },
  biginteger: { type: "string", pattern: "^-?\\d{1,19}$" },
  float: { type: "number" },
  decimal: { type: "number" },
  boolean: { type: "boolean" },
  json: {},
  blocks: { type: "array", items: { $ref: "blocks#node" } },
};

/** A value as answers have it. */
export function outputSchema(attribute: ScalarAttribute, isNullable: boolean): JsonSchema {
  const form = FORMS[attribute.kind];
  return nullable(attribute.kind === "enumeration" ? { ...form, enum: attribute.values } : form, isNullable);
}

/**
 * A value that a write always accepts, published or not; writes accept more than this: they read `"12"` as 12.
 */
export function inputSchema(attribute: ScalarAttribute): JsonSchema {
  const schema = { ...FORMS[attribute.kind], ...defaultOf(attribute), ...constraintsOf(attribute) };
  return nullable(schema, !attribute.required);
}

/** In words: code generators make members with a `default` required, which is right for answers only. */
function defaultOf({ defaultValue }: ScalarAttribute): Keywords {
  if (defaultValue === undefined || typeof defaultValue === "object") return {};
  return { description: `Default: ${JSON.stringify(defaultValue)}` };
}

/** What a filter compares with. */
export function comparedSchema(kind: Kind): JsonSchema {
  return FORMS[kind];
}

/** Adds null to what a schema of one type allows. */
export function nullable(schema: Keywords, isNullable: boolean): JsonSchema {
  if (!isNullable) return schema;
  if (typeof schema["type"] !== "string") return Object.keys(schema).length === 0 ? schema : orNull(schema);
  const values = Array.isArray(schema["enum"]) ? { enum: [...(schema["enum"] as unknown[]), null] } : {};
  return { ...schema, type: [schema["type"], "null"], ...values };
}

/** A schema, or null. */
export function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}

function constraintsOf(attribute: ScalarAttribute): Keywords {
  const { kind, min, max } = attribute;
  switch (kind) {
    case "integer":
      return { minimum: min ?? -MAX_INTEGER - 1, maximum: max ?? MAX_INTEGER };
    case "decimal":
      return { minimum: min ?? -MAX_DECIMAL, maximum: max ?? MAX_DECIMAL };
    case "float":
      return defined({ minimum: min, maximum: max });
    case "biginteger":
      return { pattern: "^-?\\d{1,18}$", ...defined({ "x-minimum": min, "x-maximum": max }) };
    case "enumeration":
      return { enum: attribute.values };
    case "email":
      return { ...lengthsOf(attribute), format: "email" };
    case "uid":
      return { ...lengthsOf(attribute), minLength: attribute.minLength ?? 1, pattern: "^[A-Za-z0-9_.~-]+$" };
    case "json":
      return { description: "Any JSON; a string is read as JSON, too.", not: { type: "string" } };
    default:
      return traitsOf(attribute).columnType === "text" ? textConstraints(attribute) : {};
  }
}

/** A required text of spaces only counts as missing. */
function textConstraints(attribute: ScalarAttribute): Keywords {
  const filled = attribute.required ? { pattern: "\\S" } : {};
  const pattern = attribute.regex !== undefined && isUnicode(attribute.regex) ? { pattern: attribute.regex } : filled;
  return { ...lengthsOf(attribute), ...pattern };
}

function lengthsOf({ minLength, maxLength }: ScalarAttribute): Keywords {
  return defined({ minLength, maxLength });
}

function defined(keywords: Keywords): Keywords {
  return Object.fromEntries(Object.entries(keywords).filter(([, value]) => value !== undefined));
}

/** Patterns of JSON Schema are read in the unicode mode, which is stricter; one that is invalid there is left out. */
function isUnicode(source: string): boolean {
  try {
    return new RegExp(source, "u").test("") || true;
  } catch {
    // Thrown for patterns of the other mode only: the schema was checked when the app started.
    return false;
  }
}
