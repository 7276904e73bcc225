import { PassThrough } from "node:stream";
import type { App, Command, CommandContext } from "@plinth/core";
import { table } from "../core/src/cli/terminal.js";

/** What a command printed, and whether it said that it failed. */
export interface CommandOutcome {
  readonly stdout: string;
  readonly hasFailed: boolean;
}

/** Runs a command on an app of this process, without a terminal. @throws what it throws */
export async function runCommand(
  command: Command,
  app: App,
  given: Partial<Pick<CommandContext, "arguments" | "options">> = {},
): Promise<CommandOutcome> {
  const lines: string[] = [];
  let hasFailed = false;
  await command.run({
    ...{ app, table, arguments: {}, options: {}, ...given },
    ...{ stdin: new PassThrough().end(), stdout: new PassThrough(), signal: new AbortController().signal },
    print: (line = "") => void lines.push(line),
    say: () => undefined,
    fail: () => {
      hasFailed = true;
    },
  });
  return { stdout: lines.join("\n"), hasFailed };
}
