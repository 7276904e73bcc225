import { PassThrough } from "node:stream";
import type { App, Command, CommandContext, Project, ProjectCommand } from "@plinth/core";
import { table } from "#core/cli/terminal.js";

/** What a command printed, and whether it said that it failed. */
export interface CommandOutcome {
  readonly stdout: string;
  readonly hasFailed: boolean;
}

type Given = Partial<Pick<CommandContext, "arguments" | "options">>;

/** Runs a command on an app of this process, without a terminal. @throws what it throws */
export function runCommand(command: Command | ProjectCommand, app: App, given: Given = {}): Promise<CommandOutcome> {
  const withApp: Project["withApp"] = (work) => work(app);
  return runOnProject(command, { root: app.root, app, withApp }, given);
}

/** The same on a project, of which a test has what the command uses. */
export async function runOnProject(
  command: Command | ProjectCommand,
  project: Partial<Project>,
  given: Given = {},
): Promise<CommandOutcome> {
  const lines: string[] = [];
  let hasFailed = false;
  const context = {
    ...{ table, arguments: {}, options: {}, ...given },
    ...{ stdin: new PassThrough().end(), stdout: new PassThrough(), signal: new AbortController().signal },
    print: (line = "") => void lines.push(line),
    say: () => undefined,
    fail: () => {
      hasFailed = true;
    },
  };
  if ("runOnProject" in command) await command.runOnProject({ ...context, project: project as Project });
  else await command.run({ ...context, app: project.app as App });
  return { stdout: lines.join("\n"), hasFailed };
}
