import type { Command, CommandCall, ProjectCommand } from "../app/command.js";
import type { AppSetup } from "../app/app-setup.js";
import type { CommandHost } from "./host.js";
import type { DeclaredProject } from "./inspect.js";
import { runTold, systemUser, type ToldCommand, tellingProject } from "./tell-command.js";
import { table, withProgress } from "./terminal.js";

/** What was typed: the name, and what the parser made of the rest. */
export interface NamedCall extends Pick<CommandCall, "arguments" | "options"> {
  readonly name: string;
}

/** Runs one of the core's own commands on the project in the working directory. @throws what the command throws */
export async function runNamed(name: string, options: object, host: CommandHost): Promise<void> {
  const { readProject } = await import("./inspect.js");
  const { ownCommand } = await import("./own-commands.js");
  const project = await readProject(host);
  const command = ownCommand(name) as Command | ProjectCommand;
  await runCommand(command, { project, host }, { name, arguments: {}, options: { ...options } });
}

/** Where a command runs, and on which project. */
export interface CommandPlace {
  readonly project: DeclaredProject;
  readonly host: CommandHost;
}

/**
 * Runs a command: in this process, or in the one that has the project's embedded database open, which only one can have.
 *
 * @throws what the command throws, PLINTH_CLI_PROCESS_LOST
 */
export async function runCommand(
  command: Command | ProjectCommand,
  { project, host }: CommandPlace,
  { name, ...given }: NamedCall,
): Promise<void> {
  const { callRunning } = await import("./beside/call-running.js");
  try {
    const user = systemUser();
    if (await callRunning(project.setup, { command: name, user, ...given }, host)) return;
    const told = { name, options: given.options, user };
    const call = { ...given, ...host.terminal, table };
    if ("runOnProject" in command) await command.runOnProject({ ...call, project: tellingProject(project, told) });
    else await runWithApp(command, project.setup, { call, told });
  } finally {
    host.hasEnded();
  }
}

async function runWithApp(
  command: Command,
  setup: AppSetup,
  { call, told }: { readonly call: CommandCall; readonly told: ToldCommand },
): Promise<void> {
  const { createPlinth } = await import("../app/create-app.js");
  const plinth = createPlinth(setup);
  await withProgress("starting", () => plinth.start({ listen: false }), call);
  try {
    await runTold(plinth.app, told, call, (own) => command.run({ ...own, app: plinth.app }));
  } finally {
    await plinth.stop();
  }
}
