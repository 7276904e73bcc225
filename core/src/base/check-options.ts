import { distance } from "fastest-levenshtein";
import { describeKnown } from "./suggest.js";

/** Looks at one value; returns what completes "must be ...", or undefined where the value fits. */
export type OptionCheck = (value: unknown) => string | undefined;

/** The check of each key that an options object may have. */
export type OptionChecks<T extends object> = Readonly<Record<keyof T, OptionCheck>>;

/** One value that is wrong, and where it stands: `server.port`. */
export interface OptionProblem {
  readonly path: string;
  readonly message: string;
}

/** Where options stand, and which of them are never shown. */
export interface OptionsPlace {
  /** Dotted path of the options object: `database.pool`. */
  readonly path: string;
  /** Keys whose values may hold secrets. */
  readonly secrets?: readonly string[];
}

/**
 * Checks an options object: every key must be known, and every value must fit. A key that is undefined counts as left
 * out, and so does the whole object.
 *
 * @param raw - what a user wrote.
 * @returns every problem, such as `{ path: "server.port", message: 'must be a whole number from 0 to 65535, and is "abc"' }`.
 */
export function checkOptions<T extends object>(
  raw: unknown,
  checks: OptionChecks<T>,
  { path, secrets = [] }: OptionsPlace,
): readonly OptionProblem[] {
  if (raw === undefined) return [];
  if (!isPlainObject(raw)) return [{ path, message: `must be an object, and is ${shown(raw)}` }];
  return Object.entries(raw).flatMap(([key, value]) => {
    const at = `${path}.${key}`;
    if (!Object.hasOwn(checks, key))
      return [{ path: at, message: `is not known. ${describeKnown(key, Object.keys(checks))}` }];
    if (value === undefined) return [];
    const expected = checks[key as keyof T](value);
    if (expected === undefined) return [];
    return [{ path: at, message: `must be ${expected}${secrets.includes(key) ? "" : `, and is ${shown(value)}`}` }];
  });
}

/** One line a problem, for messages: `  server.port must be ...`. */
export function describeProblems(problems: readonly OptionProblem[]): string {
  return problems.map(({ path, message }) => `  ${path} ${message}`).join("\n");
}

/** A value as a message shows it; functions and the like have no JSON. */
const shown = (value: unknown): string => JSON.stringify(value) ?? String(value);

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The checks that most options need. */
export const check = {
  boolean: (value: unknown) => (typeof value === "boolean" ? undefined : "true or false"),
  /** A string that is not empty; `example` is for the message. */
  text:
    (example: string): OptionCheck =>
    (value) =>
      typeof value === "string" && value !== "" ? undefined : `a string such as ${example}`,
  /** A whole number in a range, ends included. */
  whole:
    (min: number, max = Number.POSITIVE_INFINITY): OptionCheck =>
    (value) => {
      if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return undefined;
      return `a whole number from ${min}${max === Number.POSITIVE_INFINITY ? "" : ` to ${max}`}`;
    },
  oneOf:
    (...known: readonly string[]): OptionCheck =>
    (value) =>
      known.includes(String(value)) ? undefined : `one of ${known.join(", ")}`,
  texts: (value: unknown) =>
    Array.isArray(value) && value.every((item) => typeof item === "string") ? undefined : "a list of texts",
  anything: () => undefined,
  /** What fits one of several checks; `expected` is for the message. */
  either:
    (expected: string, ...checks: readonly OptionCheck[]): OptionCheck =>
    (value) =>
      checks.some((fits) => fits(value) === undefined) ? undefined : expected,
} as const;

/**
 * The known name that this one is a typing mistake of: one letter off in names of four letters or more, two from eight
 * on. Stricter than nearestName, for places where unknown names are allowed.
 */
export function typoOf(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  return known.find(
    (other) => other.length >= 4 && distance(name.toLowerCase(), other.toLowerCase()) <= (other.length >= 8 ? 2 : 1),
  );
}
