import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { errorCatalogue, isPlinthError, type PlinthError, reasonOf } from "../base/error.js";
import { withoutVersions } from "./develop/source-version-hook.js";

/** How much of a failure is shown. */
export interface FailureOptions {
  readonly withStack: boolean;
  /** Folder of the project. Default: the working directory of this process. */
  readonly root?: string;
}

/** Writes why a command failed to stderr. */
export function printFailure(error: unknown, options: FailureOptions): void {
  process.stderr.write(failureText(error, options));
}

/** What is printed of a failure: lines that end with a line break. */
export function failureText(error: unknown, { withStack, root = process.cwd() }: FailureOptions): string {
  const lines = [...describeFailure(error, root)];
  if (withStack) lines.push(inspect(error));
  else if (!causesOf(error).every(isPlinthError)) lines.push("  Run it again with --debug for the stack.");
  return withoutVersions(`${lines.join("\n")}\n`);
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
    const place = placeOf(part, root);
    const own = withoutCause(part, message);
    const isSaid = !isKnown && shown.some((earlier) => earlier.includes(message));
    shown.push(own);
    if (!isSaid)
      lines.push(
        `${depth === 0 ? "Error" : "  because"} ${isKnown ? `${part.code}: ` : nameOf(part)}${own.replaceAll("\n", "\n  ")}`,
      );
    if (isKnown) lines.push(...detailsOf(part));
    if (place !== undefined) lines.push(`  Where: ${place}`);
    if (isKnown && own === message) lines.push(...remedyOf(part.code));
  }
  return lines;
}

/** The message without that of its cause, where the cause has a code and is described itself. */
function withoutCause(error: unknown, message: string): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return isPlinthError(cause) && message.endsWith(`: ${cause.message}`)
    ? message.slice(0, -cause.message.length - 2)
    : message;
}

const MAX_DETAILS = 1000;

/** What a message leaves to its details, because it is the one that clients get: the attributes, the key and its place. */
function detailsOf({ status, details }: PlinthError): readonly string[] {
  const text = status < 500 ? JSON.stringify(details) : "{}";
  return text === "{}" ? [] : [`  Details: ${text.slice(0, MAX_DETAILS)}`];
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
