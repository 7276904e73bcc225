import type { ScalarAttribute } from "./model.js";
import { problemAt, wrongType } from "./value-problem.js";
import type { ValueProblem } from "./value-problem.js";

/** The place of a value, and whether it may still be incomplete. */
export interface ConstraintContext {
  readonly path: readonly string[];
  /**
   * `draft` relaxes the constraints that an incomplete document cannot meet yet: required, minLength, min, max, regex
   * and the form of an email. Types, maxLength, the values of an enumeration and the characters of a uid, one at least,
   * hold always.
   */
  readonly mode: "draft" | "publish";
}

type ConstrainedAttribute = Pick<
  ScalarAttribute,
  "kind" | "required" | "min" | "max" | "minLength" | "maxLength" | "regex" | "values"
>;

const UID = /^[A-Za-z0-9-_.~]*$/;
const EMAIL =
  /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u;

/**
 * Checks a value that `parseValue` gave, or one read back from the database, against the constraints of its attribute.
 *
 * @param value - null counts as missing; undefined too, and reads `must be defined` where it is required.
 * @returns all problems, with the reference's messages; empty when the value fits.
 * @source plugins/content-api/WIRE.md#messages-about-values
 */
export function checkValue(
  attribute: ConstrainedAttribute,
  value: unknown,
  context: ConstraintContext,
): readonly ValueProblem[] {
  if (value === null || value === undefined) return checkRequired(attribute, value, context);
  const { always, toPublish, last } = constraintsOf(attribute);
  const isDraft = context.mode === "draft";
  const broken = textsOf(isDraft ? always : toPublish, value);
  const texts = isDraft || broken.length > 0 ? broken : textsOf(last, value);
  if (texts.length === 0) return NO_PROBLEMS;
  const shown = attribute.kind === "password" ? undefined : value;
  return texts.map((text) => problemAt(context.path, text, shown));
}

const NO_PROBLEMS: readonly ValueProblem[] = [];

/** What is wrong with a value, or undefined. */
type Constraint = (value: unknown) => string | undefined;

/** The constraints that an attribute has; most have none. */
interface Constraints {
  readonly always: readonly Constraint[];
  /** All of `always` too. */
  readonly toPublish: readonly Constraint[];
  /** Checked when publishing too, and reported only where nothing else is wrong. */
  readonly last: readonly Constraint[];
}

const known = new WeakMap<ConstrainedAttribute, Constraints>();

/** Worked out once for each attribute. */
function constraintsOf(attribute: ConstrainedAttribute): Constraints {
  const found = known.get(attribute);
  if (found) return found;
  const of = (rules: readonly Rule[]) => rules.map((rule) => rule(attribute)).filter((made) => made !== undefined);
  const made = { always: of(ALWAYS), toPublish: of([...ALWAYS, ...TO_PUBLISH]), last: of([filled]) };
  known.set(attribute, made);
  return made;
}

function textsOf(constraints: readonly Constraint[], value: unknown): readonly string[] {
  if (constraints.length === 0) return [];
  return constraints.map((constraint) => constraint(value)).filter((text) => text !== undefined);
}

/** The constraint that an attribute asks for, or undefined. */
type Rule = (attribute: ConstrainedAttribute) => Constraint | undefined;

const maximalLength: Rule = ({ kind, maxLength }) => {
  if (maxLength === undefined) return kind === "string" ? shortText : undefined;
  return (value) =>
    typeof value === "string" && value.length > maxLength ? `must be at most ${maxLength} characters` : undefined;
};

/**
 * Characters of a `string` whose schema gives no maxLength, counted as PostgreSQL counts them: an emoji is one.
 *
 * @source plugins/content-api/WIRE.md#values, the width of the reference's column
 */
const STRING_LENGTH = 255;

const shortText: Constraint = (value) =>
  typeof value === "string" && value.length > STRING_LENGTH && [...value].length > STRING_LENGTH
    ? `must be at most ${STRING_LENGTH} characters`
    : undefined;

const minimalLength: Rule = ({ minLength }) =>
  minLength === undefined
    ? undefined
    : (value) =>
        typeof value === "string" && value.length < minLength ? `must be at least ${minLength} characters` : undefined;

/** The reference lists null as the last allowed value, which prints as nothing. */
const enumeration: Rule = ({ kind, values }) =>
  kind !== "enumeration"
    ? undefined
    : (value) =>
        typeof value === "string" && values.includes(value)
          ? undefined
          : `must be one of the following values: ${[...values, ""].join(", ")}`;

const uid: Rule = ({ kind }) =>
  kind !== "uid" ? undefined : (value) => (value === "" ? "cannot be empty" : checkPattern(UID, value));

/** An empty text passes where none is required: it stands for no value. */
const pattern: Rule = ({ regex, required }) => {
  if (regex === undefined) return undefined;
  const expression = new RegExp(regex);
  return (value) => (value === "" && !required ? undefined : checkPattern(expression, value));
};

const email: Rule = ({ kind }) => {
  if (kind !== "email") return undefined;
  return (value) => {
    if (value === "") return "cannot be empty";
    return EMAIL.test(String(value)) ? undefined : "must be a valid email";
  };
};

const minimum: Rule = ({ kind, min }) =>
  min === undefined
    ? undefined
    : (value) => (compareNumbers(kind, value, min) < 0 ? `must be greater than or equal to ${min}` : undefined);

const maximum: Rule = ({ kind, max }) =>
  max === undefined
    ? undefined
    : (value) => (compareNumbers(kind, value, max) > 0 ? `must be less than or equal to ${max}` : undefined);

/** A required text of spaces only counts as missing. */
const filled: Rule = ({ kind, required }) =>
  !required || kind === "json"
    ? undefined
    : (value) => (typeof value === "string" && value.trim() === "" ? "is a required field" : undefined);

const ALWAYS: readonly Rule[] = [maximalLength, enumeration, uid];
const TO_PUBLISH: readonly Rule[] = [minimalLength, pattern, email, minimum, maximum];

function checkPattern(pattern: RegExp, value: unknown): string | undefined {
  return typeof value === "string" && !pattern.test(value) ? `must match the following: "${pattern}"` : undefined;
}

function compareNumbers(kind: string, value: unknown, bound: number | string): number {
  if (kind !== "biginteger") return Number(value) - Number(bound);
  const difference = BigInt(value as string) - BigInt(bound);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function checkRequired(
  { kind, required }: ConstrainedAttribute,
  value: null | undefined,
  context: ConstraintContext,
): readonly ValueProblem[] {
  if (!required || context.mode === "draft") return [];
  const type = NULL_READS_AS[kind];
  if (value === undefined || type === undefined) return [problemAt(context.path, "must be defined.", value)];
  return [problemAt(context.path, wrongType(type, null), null)];
}

/** The type that the message about a null names; kinds that are missing here read `must be defined`. */
const NULL_READS_AS: Partial<Record<ScalarAttribute["kind"], string>> = {
  string: "string",
  text: "string",
  richtext: "string",
  email: "string",
  password: "string",
  uid: "string",
  enumeration: "string",
  integer: "number",
  float: "number",
  decimal: "number",
  boolean: "boolean",
  blocks: "array",
};
