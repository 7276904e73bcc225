import type { ValueProblem } from "../schema/value-problem.js";
import {
  InvalidInputError,
  MalformedDateError,
  messageOnly,
  type InputProblem,
  type ListedProblems,
} from "./errors.js";

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

/** Enough to correct a body; an answer must not be many times as long as the request. */
const MAX_LISTED = 100;

/** Characters and items of a value that is shown with its problem; the sender knows a longer one. */
const MAX_VALUE = 10_000;

/** The details of an error about many values: the first 100 problems, without values that are very long. */
export function listProblems<Problem extends InputProblem>(problems: readonly Problem[]): ListedProblems<Problem> {
  const errors = problems.slice(0, MAX_LISTED).map(withoutLongValue);
  return problems.length > MAX_LISTED ? { errors, total: problems.length } : { errors };
}

function withoutLongValue<Problem extends InputProblem>(problem: Problem): Problem {
  if (roomAfter(problem.value, MAX_VALUE) >= 0) return problem;
  const { value: _, ...rest } = problem;
  return rest as Problem;
}

/** The rest of a budget of characters and items after a value; it stops where the budget ends. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === "string") return room - value.length;
  if (typeof value !== "object" || value === null) return room - 1;
  let left = room - 1;
  for (const [key, inside] of Object.entries(value)) {
    if (left < 0) return left;
    left = roomAfter(inside, left - key.length);
  }
  return left;
}
