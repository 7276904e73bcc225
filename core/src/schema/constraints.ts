import type { ScalarAttribute } from "./model.js";
import { problemAt, wrongType } from "./value-problem.js";
import type { ValueProblem } from "./value-problem.js";

/** Where a value stands, and whether it may still be unfinished. */
export interface ConstraintContext {
  readonly path: readonly string[];
  /**
   * `draft` relaxes what a half-written document cannot fulfil yet: required, minLength, min, max, regex and the form of
   * an email. Types, maxLength, the values of an enumeration and the characters of a uid, one at least, hold always.
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
 * @returns all problems, in the reference's words; empty when the value fits.
 * @source wire.md, sections 2 and 7
 */
export function checkValue(
  attribute: ConstrainedAttribute,
  value: unknown,
  context: ConstraintContext,
): readonly ValueProblem[] {
  if (value === null || value === undefined) return checkRequired(attribute, value, context);
  const isDraft = context.mode === "draft";
  const broken = textsOf([...CONSTRAINTS_ALWAYS, ...(isDraft ? [] : CONSTRAINTS_TO_PUBLISH)], attribute, value);
  const texts = isDraft || broken.length > 0 ? broken : textsOf([checkFilled], attribute, value);
  const shown = attribute.kind === "password" ? undefined : value;
  return texts.map((text) => problemAt(context.path, text, shown));
}

/** What is wrong with a value, or undefined. */
type Constraint = (attribute: ConstrainedAttribute, value: unknown) => string | undefined;

function textsOf(constraints: readonly Constraint[], attribute: ConstrainedAttribute, value: unknown): string[] {
  return constraints.map((constraint) => constraint(attribute, value)).filter((text) => text !== undefined);
}

const checkMaxLength: Constraint = ({ maxLength }, value) =>
  maxLength !== undefined && typeof value === "string" && value.length > maxLength
    ? `must be at most ${maxLength} characters`
    : undefined;

const checkMinLength: Constraint = ({ minLength }, value) =>
  minLength !== undefined && typeof value === "string" && value.length < minLength
    ? `must be at least ${minLength} characters`
    : undefined;

/** The reference lists null as the last allowed value, which prints as nothing. */
const checkEnumeration: Constraint = ({ kind, values }, value) =>
  kind === "enumeration" && !values.includes(String(value))
    ? `must be one of the following values: ${[...values, ""].join(", ")}`
    : undefined;

const checkUid: Constraint = ({ kind }, value) => {
  if (kind !== "uid") return undefined;
  return value === "" ? "cannot be empty" : checkPattern(UID, value);
};

/** An empty text passes where none is required: it stands for no value. */
const checkRegex: Constraint = ({ regex, required }, value) =>
  regex === undefined || (value === "" && !required) ? undefined : checkPattern(new RegExp(regex), value);

const checkEmail: Constraint = ({ kind }, value) => {
  if (kind !== "email") return undefined;
  if (value === "") return "cannot be empty";
  return EMAIL.test(String(value)) ? undefined : "must be a valid email";
};

const checkMin: Constraint = ({ kind, min }, value) =>
  min !== undefined && compareNumbers(kind, value, min) < 0 ? `must be greater than or equal to ${min}` : undefined;

const checkMax: Constraint = ({ kind, max }, value) =>
  max !== undefined && compareNumbers(kind, value, max) > 0 ? `must be less than or equal to ${max}` : undefined;

/** A required text of nothing but spaces is as good as none; said only where nothing else is wrong with it. */
const checkFilled: Constraint = ({ kind, required }, value) =>
  required && kind !== "json" && typeof value === "string" && value.trim() === "" ? "is a required field" : undefined;

const CONSTRAINTS_ALWAYS: readonly Constraint[] = [checkMaxLength, checkEnumeration, checkUid];
const CONSTRAINTS_TO_PUBLISH: readonly Constraint[] = [checkMinLength, checkRegex, checkEmail, checkMin, checkMax];

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
