import { errorCatalogue, isPlinthError, reasonOf } from "../../base/error.js";

/** How much of a failure is shown. */
export interface FailureOptions {
  readonly withStack: boolean;
}

/** Writes why a command failed to stderr. */
export function printFailure(error: unknown, { withStack }: FailureOptions): void {
  process.stderr.write(`${describeFailure(error).join("\n")}\n`);
  if (withStack) console.error(error);
  else if (!causesOf(error).every(isPlinthError)) process.stderr.write("  Run it again with --debug for the stack.\n");
}

/** Code, message and remedy of an error, then of each of its causes; what an outer message already says is left out. */
export function describeFailure(error: unknown): readonly string[] {
  const lines: string[] = [];
  const shown: string[] = [];
  for (const [depth, part] of causesOf(error).entries()) {
    const message = reasonOf(part);
    const isKnown = isPlinthError(part);
    if (!isKnown && shown.some((earlier) => earlier.includes(message))) continue;
    shown.push(message);
    lines.push(
      `${depth === 0 ? "Error" : "  because"} ${isKnown ? `${part.code}: ` : nameOf(part)}${message.replaceAll("\n", "\n  ")}`,
    );
    if (isKnown) lines.push(...remedyOf(part.code));
  }
  return lines;
}

const nameOf = (error: unknown): string => (error instanceof Error && error.name !== "Error" ? `${error.name}: ` : "");

function remedyOf(code: string): readonly string[] {
  const remedy = errorCatalogue().find((entry) => entry.code === code)?.remedy;
  return remedy === undefined ? [] : [`  What to do: ${remedy}`];
}

/** An error and its causes from the outside in; several causes at once come one after the other. */
function causesOf(error: unknown, seen = new Set<unknown>()): readonly unknown[] {
  if (error === undefined || seen.has(error)) return [];
  seen.add(error);
  if (error instanceof AggregateError) return error.errors.flatMap((part) => causesOf(part, seen));
  return [error, ...(error instanceof Error ? causesOf(error.cause, seen) : [])];
}
