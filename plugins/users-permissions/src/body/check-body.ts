import type { HttpContext } from "@plinth/core";
import { nodeOf, partsOf, type SchemaNode } from "@plinth/core/options";
import type * as v from "@plinth/core/valibot";
import { checkValue, parseValue, type ScalarAttribute, type ValueProblem } from "@plinth/core/schema";
import { BodyInvalidError } from "../errors.js";

/** The schema of a body: `v.object({ email: v.pipe(v.string(), v.email()), name: v.optional(v.string()) })`. */
export type BodySchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** When the least lengths of fields are checked: with everything else, or by a second check. */
export type Lengths = "now" | "later";

/**
 * Checks the fields of a JSON body or a query string as core checks attributes of their kind, with the reference's
 * messages: its schema describes the field, and OpenAPI shows it. Other fields are not looked at.
 *
 * @param schema - of strings; what is `v.unknown()` only has to be there. `v.maxBytes()` marks passwords.
 * @throws PLINTH_USERS_BODY_INVALID (400) details `{ errors }`, all problems at once
 * @source plugins/content-api/WIRE.md#users-and-roles
 */
export function checkBody<const S extends BodySchema>(
  body: unknown,
  schema: S,
  lengths: Lengths = "now",
): v.InferOutput<S> {
  const given = isRecord(body) ? body : {};
  const checked: Record<string, unknown> = {};
  const problems = Object.entries(schema.entries).flatMap(([name, field]) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    checked[name] = value;
    return checkField(name, value, ruleOf(field as v.GenericSchema, lengths));
  });
  if (problems.length > 0) {
    throw new BodyInvalidError({ errors: problems.map((problem) => ({ ...problem, name: "ValidationError" })) });
  }
  return checked as v.InferOutput<S>;
}

/** Whether a value is an object with keys: no list, no null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field of the body of a request, unchecked; undefined when there is none. */
export function bodyField({ request: { body } }: HttpContext, name: string): unknown {
  return isRecord(body) && Object.hasOwn(body, name) ? body[name] : undefined;
}

/** What a field has to be. */
interface FieldRule {
  readonly isRequired: boolean;
  /** A password is read as a text: the problem repeats the value to its sender. */
  readonly kind: "string" | "email" | "text" | "any";
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly maxBytes: number | undefined;
}

function ruleOf(field: v.GenericSchema, lengths: Lengths): FieldRule {
  const node = nodeOf(field);
  const schema = unwrapped(node);
  const parts = new Map(partsOf(schema).map(({ type, requirement }) => [type, requirement]));
  const limit = (type: string) => parts.get(type) as number | undefined;
  const kind = parts.has("email") ? "email" : parts.has("max_bytes") ? "text" : "string";
  return {
    isRequired: node.wrapped === undefined,
    kind: schema.type === "unknown" ? "any" : kind,
    minLength: lengths === "now" ? limit("min_length") : undefined,
    maxLength: limit("max_length"),
    maxBytes: limit("max_bytes"),
  };
}

function unwrapped(node: SchemaNode): SchemaNode {
  return node.wrapped ? unwrapped(node.wrapped) : node;
}

function checkField(name: string, value: unknown, rule: FieldRule): readonly ValueProblem[] {
  const path = [name];
  const { kind, isRequired } = rule;
  if (value === undefined) return isRequired ? [{ path, message: `${name} is a required field` }] : [];
  if (isRequired && (value === "" || (value === null && kind === "any"))) {
    return [{ path, message: `${name} is a required field`, value }];
  }
  return kind === "any" ? [] : checkScalar(name, value, { ...rule, kind });
}

type ScalarRule = FieldRule & { readonly kind: Exclude<FieldRule["kind"], "any"> };

function checkScalar(name: string, value: unknown, rule: ScalarRule): readonly ValueProblem[] {
  const path = [name];
  const attribute = attributeOf(rule);
  const parsed = value === null ? undefined : parseValue(attribute, value, { path, use: "body" });
  if (parsed?.problems) return parsed.problems;
  const found = checkValue(attribute, parsed?.value ?? null, { path, mode: "publish" });
  if (found.length > 0 || rule.maxBytes === undefined || typeof value !== "string") return found;
  if (Buffer.byteLength(value) <= rule.maxBytes) return [];
  return [{ path, message: `Password must be less than ${rule.maxBytes + 1} bytes`, value }];
}

/** The attribute that core checks the field as. Null is never a value here, so everything is required. */
function attributeOf({
  kind,
  minLength,
  maxLength,
}: ScalarRule): Parameters<typeof checkValue>[0] & Pick<ScalarAttribute, "kind"> {
  return { kind, required: true, minLength, maxLength, min: undefined, max: undefined, regex: undefined, values: [] };
}
