import type { CommandCall } from "../app/command.js";

const REMIND_AFTER = 5_000;

/** Writes a line of result to stdout. */
export function print(line = ""): void {
  process.stdout.write(`${line}\n`);
}

/** Writes a line about what is going on to stderr, so that results can be piped. */
export function say(line: string): void {
  process.stderr.write(`[plinth] ${line}\n`);
}

/** Where a command is typed: that of this process, or of one beside it. */
export type Terminal = Pick<CommandCall, "stdin" | "stdout" | "signal" | "print" | "say" | "fail">;

/** The terminal of this process. */
export const ownTerminal: Terminal = {
  stdin: process.stdin,
  stdout: process.stdout,
  // A signal ends this process.
  signal: new AbortController().signal,
  print,
  say,
  fail: () => {
    process.exitCode = 1;
  },
};

/** A duration for people: `1.4 s`. */
export function secondsSince(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}

/** Says that long work began, and every five seconds that it continues: by default on the terminal of this process. */
export async function withProgress<T>(
  what: string,
  work: () => Promise<T>,
  { say: tell }: Pick<Terminal, "say"> = ownTerminal,
): Promise<T> {
  const start = performance.now();
  tell(`${what} ...`);
  const reminder = setInterval(() => tell(`${what} ... ${secondsSince(start)}`), REMIND_AFTER);
  try {
    return await work();
  } finally {
    clearInterval(reminder);
  }
}

/** Lines of a table whose columns are aligned: `table(["METHOD", "PATH"], [["GET", "/api/articles"]])`. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [head, ...rows].map(line).join("\n");
}
