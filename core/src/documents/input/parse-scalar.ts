import { checkValue } from "../../schema/constraints.js";
import type { ScalarAttribute } from "../../schema/model.js";
import { parseValue } from "../../schema/parse-value.js";
import type { ValueProblem } from "../../schema/value-problem.js";
import type { BodyContext, ShapePlace } from "./body-context.js";

/** The input for the scalars of one object, and the map for the results. */
export type ScalarContext = Pick<BodyContext, "isDraft" | "problems" | "passwords"> & {
  readonly scalars: Map<string, unknown>;
};

/**
 * Reads one scalar: a new object gets the default of what its body does not name; what is absent from an existing
 * one stays as it is.
 */
export function parseScalar(
  attribute: ScalarAttribute,
  input: unknown,
  place: ShapePlace,
  context: ScalarContext,
): void {
  const given = input === undefined && place.isNew ? attribute.defaultValue : input;
  if (given === undefined && !place.isNew) return;
  const { value, problems } = readScalar(attribute, given, place.path, context.isDraft);
  context.problems.push(...problems);
  if (problems.length > 0 || value === undefined) return;
  context.scalars.set(attribute.name, value);
  if (attribute.kind === "password" && value !== null) {
    context.passwords.push({ scalars: context.scalars, name: attribute.name });
  }
}

function readScalar(
  attribute: ScalarAttribute,
  given: unknown,
  path: readonly string[],
  isDraft: boolean,
): { readonly value?: unknown; readonly problems: readonly ValueProblem[] } {
  const parsed = given === undefined ? { value: undefined } : parseValue(attribute, given, { path, use: "body" });
  if (parsed.problems) return parsed;
  return {
    value: parsed.value,
    problems: checkValue(attribute, parsed.value, { path, mode: modeOf(attribute, given, isDraft) }),
  };
}

/** A password is fully checked at once: when the draft is published, only its hash is left. */
function modeOf({ kind }: ScalarAttribute, given: unknown, isDraft: boolean): "draft" | "publish" {
  return isDraft && !(kind === "password" && typeof given === "string") ? "draft" : "publish";
}
