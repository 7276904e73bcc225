import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Argument, Command as CliCommand } from "commander";
import { reasonOf } from "../base/error.js";
import type { Command, ProjectCommand } from "../app/command.js";
import type { CommandHost } from "./host.js";
import { type CommandPlace, runCommand } from "./run-named.js";

/**
 * Adds the commands of the project's plugins and app to the program, when they may be what was asked for: reading a
 * project takes a second, so that a command of the core does without.
 *
 * @param args - what follows `plinth`.
 * @throws PLINTH_PROJECT_*, and what declaring the plugins throws; not when only help was asked for
 */
export async function addProjectCommands(
  program: CliCommand,
  host: CommandHost,
  args: readonly string[],
): Promise<void> {
  const [name] = args.filter((arg) => !arg.startsWith("-"));
  if (args.includes("--version") || isKnown(program, name) || !isProject(host.cwd)) return;
  if (name !== undefined && name !== "help") return addCommands(program, host);
  try {
    await addCommands(program, host);
  } catch (error) {
    host.terminal.say(`the commands of plugins are not listed: ${reasonOf(error)}`);
  }
}

const isKnown = (program: CliCommand, name: string | undefined): boolean =>
  program.commands.some((command) => name !== undefined && [command.name(), ...command.aliases()].includes(name));

const isProject = (root: string): boolean => ["config", "src"].some((folder) => existsSync(join(root, folder)));

async function addCommands(program: CliCommand, host: CommandHost): Promise<void> {
  const { readProject } = await import("./inspect.js");
  const project = await readProject(host);
  for (const [name, command] of project.app.registry("command").entries())
    addCommand(program, name, command, { project, host });
}

/** `token create` becomes `create` below `token`. */
function addCommand(program: CliCommand, name: string, command: Command | ProjectCommand, place: CommandPlace): void {
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
    runCommand(command, place, {
      name,
      arguments: readArguments(added.registeredArguments, given),
      // The parser gives `--dry-run` of `import strapi --dry-run` to `import`, which has one as well.
      options: isCommand(parent) ? added.optsWithGlobals() : added.opts(),
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
