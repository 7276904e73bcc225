import { snakeCase } from "../base/case.js";
import { SCALAR_TRAITS } from "./attribute.js";
import { attributeBase, checkOptions } from "./attribute-base.js";
import { checkValue } from "./constraints.js";
import type { ScalarAttribute, ScalarKind } from "./model.js";
import { parseValue } from "./parse-value.js";
import { booleanOption, checkOrder, countOption, textOption, textsOption } from "./read-options.js";
import type { AttributeSource } from "./read-options.js";

/** Reads an attribute that holds one value in one column. */
export function buildScalar(source: AttributeSource, kind: ScalarKind): ScalarAttribute {
  checkOptions(source, SCALAR_TRAITS[kind].options);
  const withoutDefault: ScalarAttribute = {
    ...attributeBase(source),
    kind,
    column: snakeCase(source.name),
    unique: kind === "uid" || booleanOption(source, "unique"),
    index: booleanOption(source, "index"),
    defaultValue: undefined,
    ...readBounds(source, kind),
    regex: readRegex(source),
    values: kind === "enumeration" ? readValues(source) : [],
    enumName: readEnumName(source),
    targetField: textOption(source, "targetField"),
    autoGenerate: booleanOption(source, "autoGenerate"),
    searchable: source.raw["searchable"] !== false,
  };
  return Object.freeze({ ...withoutDefault, defaultValue: readDefault(source, withoutDefault) });
}

type Bounds = Pick<ScalarAttribute, "min" | "max" | "minLength" | "maxLength">;

function readBounds(source: AttributeSource, kind: ScalarKind): Bounds {
  const bounds = {
    min: readNumber(source, "min", kind),
    max: readNumber(source, "max", kind),
    minLength: countOption(source, "minLength"),
    maxLength: countOption(source, "maxLength"),
  };
  checkOrder(source, ["min", "max"]);
  checkOrder(source, ["minLength", "maxLength"]);
  return bounds;
}

/** Bounds of bigintegers may be texts, because JSON numbers cannot hold them all. */
function readNumber(source: AttributeSource, key: string, kind: ScalarKind): number | string | undefined {
  const value = source.raw[key] ?? undefined;
  if (value === undefined || typeof value === "boolean") return undefined;
  if (kind === "biginteger" && /^-?\d+$/.test(String(value))) return value as number | string;
  if (kind !== "biginteger" && typeof value === "number") return value;
  const remedy =
    kind === "biginteger" ? "Write a whole number, in quotes when it is long." : "Write a number without quotes.";
  source.report(key, `${JSON.stringify(value)} is not a number that fits a ${kind}.`, remedy);
  return undefined;
}

function readRegex(source: AttributeSource): string | undefined {
  const regex = textOption(source, "regex");
  if (regex === undefined) return undefined;
  try {
    return new RegExp(regex).source;
  } catch (error) {
    source.report(
      "regex",
      `${(error as Error).message}.`,
      "Correct the expression; in JSON each backslash is written twice.",
    );
    return undefined;
  }
}

function readValues(source: AttributeSource): readonly string[] {
  const values = textsOption(source, "enum");
  if (values.length === 0)
    source.report("enum", "An enumeration has no values.", 'List them: "enum": ["news", "opinion"].');
  return values;
}

function readEnumName(source: AttributeSource): string | undefined {
  const name = textOption(source, "enumName");
  if (name === undefined || /^(?!__)[A-Za-z_]\w*$/.test(name)) return name;
  source.report(
    "enumName",
    `"${name}" is not a name for a type.`,
    "Use letters, digits and _, beginning with a letter.",
  );
  return undefined;
}

function readDefault(source: AttributeSource, attribute: ScalarAttribute): unknown {
  const input = source.raw["default"] ?? undefined;
  if (input === undefined) return undefined;
  const parsed = parseValue(attribute, input, { path: [source.name], use: "body" });
  const problems = parsed.problems ?? checkValue(attribute, parsed.value, { path: [source.name], mode: "publish" });
  for (const { message } of problems) {
    source.report(
      "default",
      `The default does not fit: ${message}`,
      `Write a value that fits the type "${attribute.kind}", or remove it.`,
    );
  }
  return parsed.problems ? undefined : parsed.value;
}
