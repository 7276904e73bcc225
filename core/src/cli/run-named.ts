import type { Command, CommandCall, ProjectCommand } from "../app/command.js";
import type { AppSetup } from "../app/app-setup.js";
import type { DeclaredProject } from "./inspect.js";
import { exitWhenIdle } from "./stop-on-signal.js";
import { runTold, systemUser, type ToldCommand, tellingProject } from "./tell-command.js";
import { ownTerminal, table, withProgress } from "./terminal.js";

/** What was typed: the name, and what the parser made of the rest. */
export interface NamedCall extends Pick<CommandCall, "arguments" | "options"> {
  readonly name: string;
}

/** Runs one of the core's own commands on the project in the working directory. @throws what the command throws */
export async function runNamed(name: string, options: object): Promise<void> {
  const { codeFormOf, loadSetup } = await import("./load-setup.js");
  const { declareProject } = await import("./inspect.js");
  const { ownCommand } = await import("./own-commands.js");
  const root = process.cwd();
  const project = declareProject(await loadSetup(root, codeFormOf(root)));
  const command = ownCommand(name) as Command | ProjectCommand;
  await runCommand(command, project, { name, arguments: {}, options: { ...options } });
}

/**
 * Runs a command: in this process, or in the one that has the project's embedded database open, which only one can have.
 *
 * @throws what the command throws, PLINTH_CLI_PROCESS_LOST
 */
export async function runCommand(
  command: Command | ProjectCommand,
  project: DeclaredProject,
  { name, ...given }: NamedCall,
): Promise<void> {
  const { callRunning } = await import("./beside/call-running.js");
  try {
    const user = systemUser();
    if (await callRunning(project.setup, { command: name, user, ...given })) return;
    const told = { name, options: given.options, user };
    const call = { ...given, ...ownTerminal, table };
    if ("runOnProject" in command) await command.runOnProject({ ...call, project: tellingProject(project, told) });
    else await runWithApp(command, project.setup, { call, told });
  } finally {
    exitWhenIdle();
  }
}

async function runWithApp(
  command: Command,
  setup: AppSetup,
  { call, told }: { readonly call: CommandCall; readonly told: ToldCommand },
): Promise<void> {
  const { createPlinth } = await import("../app/create-app.js");
  const plinth = createPlinth(setup);
  await withProgress("starting", () => plinth.start({ listen: false }));
  try {
    await runTold(plinth.app, told, call, (own) => command.run({ ...own, app: plinth.app }));
  } finally {
    await plinth.stop();
  }
}
