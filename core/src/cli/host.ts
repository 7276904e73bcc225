// Where a command runs: the folder, the variables and the terminal of its caller. In production that is this process.
import type { Writable } from "node:stream";
import { exitWhenIdle } from "./stop-on-signal.js";
import { ownTerminal, type Terminal } from "./terminal.js";

/** Environment variables by name. A project's `.env` and the default of NODE_ENV are added to them. */
export type Variables = Record<string, string | undefined>;

/**
 * What a command takes from its surroundings in place of the globals of `process`, so that a test can run it without a
 * process of its own. Commands that serve (`start`, `develop`, `work`) are about the process itself and use that.
 */
export interface CommandHost {
  /** The working directory, absolute: the folder of the project. */
  readonly cwd: string;
  readonly variables: Variables;
  readonly terminal: Terminal & { readonly stderr: Writable };
  /** The caller wants the stack of a failure (`--debug`). */
  readonly withStack: boolean;
  /** Sets the exit code. */
  exitWith(code: number): void;
  /** The command has ended: what a project left open, such as a timer, does not keep the process alive for long. */
  hasEnded(): void;
}

/** The process itself, whose arguments are `args`. */
export function ownHost(args: readonly string[]): CommandHost {
  return {
    cwd: process.cwd(),
    variables: process.env,
    terminal: { ...ownTerminal, stderr: process.stderr },
    withStack: args.includes("--debug"),
    exitWith: (code) => {
      process.exitCode = code;
    },
    hasEnded: exitWhenIdle,
  };
}
