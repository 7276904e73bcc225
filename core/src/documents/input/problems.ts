import type { ValueProblem } from "../../schema/value-problem.js";
import { InvalidInputError, MalformedDateError, messageOnly } from "../errors.js";
import type { InputProblem } from "../errors.js";
import { listProblems } from "../list-problems.js";

/** A problem of a value, and the locale that the value is in, where an operation is about several. */
type LocatedProblem = ValueProblem & Pick<InputProblem, "locale">;

/**
 * Throws when there are problems: all refused attributes in one error; or, when there are only malformed dates, the
 * first of them alone, as the wire has it.
 *
 * @throws PLINTH_INPUT_INVALID (400) details `{ errors, total }`
 * @throws PLINTH_INPUT_MALFORMED_DATE (400) details `{}`
 * @source plugins/content-api/WIRE.md#details-of-errors
 */
export function assertNoProblems(problems: readonly LocatedProblem[]): void {
  const errors = problems.filter((problem) => !problem.isWholeRequest).map(toInputProblem);
  if (errors.length > 0) throw new InvalidInputError(listProblems(errors));
  const [malformed] = problems;
  if (malformed) throw new MalformedDateError({ [messageOnly]: malformed.message });
}

/** A problem as it is listed in `details.errors`. */
export function toInputProblem({ path, message, value, locale }: LocatedProblem): InputProblem {
  const problem = { path, message, name: "ValidationError", ...(locale === undefined ? {} : { locale }) } as const;
  return value === undefined ? problem : { ...problem, value };
}
