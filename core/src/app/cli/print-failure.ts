import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { errorCatalogue, isPlinthError, reasonOf } from "../../base/error.js";
import { withoutVersions } from "./develop/source-url.js";

/** How much of a failure is shown. */
export interface FailureOptions {
  readonly withStack: boolean;
}

/** Writes why a command failed to stderr. */
export function printFailure(error: unknown, { withStack }: FailureOptions): void {
  process.stderr.write(`${withoutVersions(describeFailure(error, process.cwd()).join("\n"))}\n`);
  if (withStack) process.stderr.write(`${withoutVersions(inspect(error))}\n`);
  else if (!causesOf(error).every(isPlinthError)) process.stderr.write("  Run it again with --debug for the stack.\n");
}

/**
 * Code, message and remedy of an error, then of each of its causes; what an outer message already says is left out.
 *
 * @param root - folder of the project: where in its code an error that Plinth does not know came up is said as well.
 */
export function describeFailure(error: unknown, root: string): readonly string[] {
  const lines: string[] = [];
  const shown: string[] = [];
  for (const [depth, part] of causesOf(error).entries()) {
    const message = reasonOf(part);
    const isKnown = isPlinthError(part);
    const place = isKnown ? undefined : placeOf(part, root);
    const isSaid = !isKnown && shown.some((earlier) => earlier.includes(message));
    shown.push(message);
    if (!isSaid)
      lines.push(
        `${depth === 0 ? "Error" : "  because"} ${isKnown ? `${part.code}: ` : nameOf(part)}${message.replaceAll("\n", "\n  ")}`,
      );
    if (place !== undefined) lines.push(`  Where: ${place}`);
    if (isKnown) lines.push(...remedyOf(part.code));
  }
  return lines;
}

const nameOf = (error: unknown): string => (error instanceof Error && error.name !== "Error" ? `${error.name}: ` : "");

/** The innermost call in the project's own code: `src/index.ts:12:7`. */
function placeOf(error: unknown, root: string): string | undefined {
  const stack = error instanceof Error ? withoutVersions(error.stack ?? "") : "";
  for (const [, file = "", position] of stack.matchAll(/^ +at .*?((?:file:\/\/|\/|[A-Za-z]:\\).*?):(\d+:\d+)\)?$/gm)) {
    const path = relative(root, file.startsWith("file:") ? fileURLToPath(file) : file);
    const isOwn = !isAbsolute(path) && !/^\.\.|(^|[\\/])node_modules[\\/]/.test(path);
    if (isOwn) return `${path}:${position}`;
  }
  return undefined;
}

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
