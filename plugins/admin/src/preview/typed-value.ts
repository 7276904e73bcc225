import { type Attribute, isJsonDeeper, isScalarKind, parseValue, type ScalarAttribute } from "@plinth/core/schema";

/**
 * What was typed into a field, as REST would answer it. Half a number, or JSON that cannot be read yet, is no value: what is
 * stored stays, as for a slug that a save is going to make.
 */
export function typedValue(attribute: Attribute, typed: unknown, stored: unknown): unknown {
  if (!isScalarKind(attribute.kind)) return stored;
  const { kind } = attribute as ScalarAttribute;
  if (kind === "uid" && (typed === null || typed === "")) return stored;
  const input = kind === "json" ? parsedJson(typed) : typed;
  if (input === undefined) return stored;
  const { value, problems } = { problems: undefined, value: undefined, ...parseValue({ kind }, input, CONTEXT) };
  if (problems) return stored;
  return kind === "time" && typeof value === "string" ? wholeTime(value) : value;
}

const CONTEXT = { path: [], use: "body" } as const;

/** A deeper value is none of an attribute; it is not even parsed. */
const MAX_LEVELS = 200;

/** JSON is a text in a form. Undefined: it cannot be read. */
function parsedJson(typed: unknown): unknown {
  if (typeof typed !== "string") return typed;
  if (isJsonDeeper(typed, MAX_LEVELS)) return undefined;
  try {
    return JSON.parse(typed) as unknown;
  } catch {
    return undefined;
  }
}

const MILLIS = 3;

/** `10:20:30` -> `10:20:30.000`. */
function wholeTime(value: string): string {
  const [time = "", fraction = ""] = value.split(".");
  return `${time}.${fraction.padEnd(MILLIS, "0")}`;
}
