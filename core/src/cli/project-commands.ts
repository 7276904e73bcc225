import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Argument, Command as CliCommand } from "commander";
import { reasonOf } from "../base/error.js";
import type { AppSetup } from "../app/app-setup.js";
import type { Command, CommandCall, Project, ProjectCommand } from "../app/command.js";
import { exitWhenIdle } from "./stop-on-signal.js";
import { print, say, table, withProgress } from "./terminal.js";

/**
 * Adds the commands of the project's plugins and app to the program, when they may be what was asked for: reading a
 * project takes a second, so that a command of the core does without.
 *
 * @param args - what follows `plinth`.
 * @throws PLINTH_PROJECT_*, and what declaring the plugins throws; not when only help was asked for
 */
export async function addProjectCommands(program: CliCommand, root: string, args: readonly string[]): Promise<void> {
  const [name] = args.filter((arg) => !arg.startsWith("-"));
  if (args.includes("--version") || isKnown(program, name) || !isProject(root)) return;
  if (name !== undefined && name !== "help") return addCommands(program, root);
  try {
    await addCommands(program, root);
  } catch (error) {
    say(`the commands of plugins are not listed: ${reasonOf(error)}`);
  }
}

const isKnown = (program: CliCommand, name: string | undefined): boolean =>
  program.commands.some((command) => name !== undefined && [command.name(), ...command.aliases()].includes(name));

const isProject = (root: string): boolean => ["config", "src"].some((folder) => existsSync(join(root, folder)));

async function addCommands(program: CliCommand, root: string): Promise<void> {
  const { codeFormOf, loadSetup } = await import("./load-setup.js");
  const { declareProject } = await import("./inspect.js");
  const setup = await loadSetup(root, codeFormOf(root));
  const project = declareProject(setup);
  for (const [name, command] of project.app.registry("command").entries())
    addCommand(program, name, command, { setup, project });
}

interface Read {
  readonly setup: AppSetup;
  readonly project: Project;
}

/** `token create` becomes `create` below `token`. */
function addCommand(program: CliCommand, name: string, command: Command | ProjectCommand, read: Read): void {
  const words = name.split(" ");
  const own = words.pop() ?? name;
  const parent = words.reduce(groupOf, program);
  // `import` may be there as the group of `import strapi`, and is a command as well.
  const added = groupOf(parent, own).description(command.description);
  if (parent !== program && !isCommand(parent))
    parent.description(parent.commands.map((each) => each.name()).join(", "));
  for (const argument of command.arguments ?? []) added.argument(argument);
  for (const [flags, description] of Object.entries(command.options ?? {})) {
    if (command.required?.includes(flags)) added.requiredOption(flags, description);
    else added.option(flags, description);
  }
  runnable.add(added);
  added.action((...given: unknown[]) =>
    runCommand(command, read, {
      arguments: readArguments(added.registeredArguments, given),
      // The parser gives `--dry-run` of `import strapi --dry-run` to `import`, which has one as well.
      options: isCommand(parent) ? added.optsWithGlobals() : added.opts(),
      print,
      table,
    }),
  );
}

const runnable = new WeakSet<CliCommand>();
const isCommand = (command: CliCommand): boolean => runnable.has(command);

function groupOf(parent: CliCommand, word: string): CliCommand {
  return parent.commands.find((command) => command.name() === word) ?? parent.command(word);
}

function readArguments(declared: readonly Argument[], given: readonly unknown[]): Record<string, string> {
  const named = declared.map((argument, index) => [argument.name(), given[index]] as const);
  return Object.fromEntries(named.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}

async function runCommand(
  command: Command | ProjectCommand,
  { setup, project }: Read,
  call: CommandCall,
): Promise<void> {
  try {
    if ("runOnProject" in command) await command.runOnProject({ ...call, project, say });
    else await runWithApp(command, setup, call);
  } finally {
    exitWhenIdle();
  }
}

async function runWithApp(command: Command, setup: AppSetup, call: CommandCall): Promise<void> {
  const { createPlinth } = await import("../app/create-app.js");
  const plinth = createPlinth(setup);
  await withProgress("starting", () => plinth.start({ listen: false }));
  try {
    await command.run({ ...call, app: plinth.app });
  } finally {
    await plinth.stop();
  }
}
