import { checkValue, parseValue, type ScalarAttribute, type ValueProblem } from "@plinth/core/schema";
import { BodyInvalidError } from "../errors.js";

/** What a field of a body has to be. A field that is not required may be left out, and is undefined in the result then. */
export interface FieldRule {
  /** `any` is looked at by somebody else, such as the relation to a role. */
  readonly kind: "string" | "email" | "password" | "boolean" | "any";
  readonly required?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** The rules of a body by field, in the order in which problems are told. */
export type BodyRules = Readonly<Record<string, FieldRule>>;

/** The fields that passed. */
export type CheckedBody<R extends BodyRules> = {
  readonly [F in keyof R]: ValueOfKind<R[F]["kind"]> | (R[F] extends { readonly required: true } ? never : undefined);
};

type ValueOfKind<K extends FieldRule["kind"]> = K extends "boolean" ? boolean : K extends "any" ? unknown : string;

/** bcrypt reads no more. */
const MAX_PASSWORD_BYTES = 72;

/**
 * Checks the fields of a JSON body or a query string, in the reference's words. Other fields are not looked at.
 *
 * @throws PLINTH_USERS_BODY_INVALID (400) details `{ errors }`, all problems at once
 * @source plugins/content-api/WIRE.md#users-and-roles
 */
export function checkBody<const R extends BodyRules>(body: unknown, rules: R): CheckedBody<R> {
  const given = isRecord(body) ? body : {};
  const checked: Record<string, unknown> = {};
  const problems = Object.entries(rules).flatMap(([name, rule]) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    checked[name] = value;
    return checkField(name, value, rule);
  });
  if (problems.length > 0) {
    throw new BodyInvalidError({ errors: problems.map((problem) => ({ ...problem, name: "ValidationError" })) });
  }
  return checked as CheckedBody<R>;
}

/** Whether a value is an object with keys: no list, no null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function checkField(name: string, value: unknown, rule: FieldRule): readonly ValueProblem[] {
  const path = [name];
  const { kind, required = false } = rule;
  if (value === undefined) return required ? [{ path, message: `${name} is a required field` }] : [];
  if (required && (value === "" || (value === null && kind === "any"))) {
    return [{ path, message: `${name} is a required field`, value }];
  }
  return kind === "any" ? [] : checkScalar(name, value, { ...rule, kind });
}

type ScalarRule = FieldRule & { readonly kind: Exclude<FieldRule["kind"], "any"> };

function checkScalar(name: string, value: unknown, rule: ScalarRule): readonly ValueProblem[] {
  const path = [name];
  // A password is read as a text here: the problem says what was sent, to who sent it.
  const attribute = attributeOf(rule);
  const parsed = value === null ? undefined : parseValue(attribute, value, { path, use: "body" });
  if (parsed?.problems) return parsed.problems;
  const found = checkValue(attribute, parsed?.value ?? null, { path, mode: "publish" });
  if (found.length > 0 || rule.kind !== "password" || typeof value !== "string") return found;
  if (Buffer.byteLength(value) <= MAX_PASSWORD_BYTES) return [];
  return [{ path, message: `Password must be less than ${MAX_PASSWORD_BYTES + 1} bytes`, value }];
}

/** The attribute that core checks the field as. Null is never a value here, so everything is required. */
function attributeOf({
  kind,
  minLength,
  maxLength,
}: ScalarRule): Parameters<typeof checkValue>[0] & Pick<ScalarAttribute, "kind"> {
  return {
    kind: kind === "password" ? "text" : kind,
    required: true,
    minLength,
    maxLength,
    ...{ min: undefined, max: undefined, regex: undefined, values: [] },
  };
}
