import type { InputProblem, ListedProblems } from "./errors.js";

/** Enough for who corrects a body; an answer must not be many times as long as what was sent. */
const MAX_LISTED = 100;

/** Characters and items of a value that is shown with its problem; a longer one is known to who sent it. */
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

/** What is left of a number of characters and items after a value; it looks no further than they reach. */
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
