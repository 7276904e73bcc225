import type { Command, ProjectCommand } from "../app/command.js";
import { coreCommands } from "./core-commands.js";
import { consoleCommand } from "./open-console.js";
import { processesCommand } from "./processes-command.js";
import { publicationCommand } from "./publication-command.js";
import { applyCommand, planCommand } from "./sync-schema.js";

/** Commands that the command line knows without the project, and that work with its database. */
const OWN: Readonly<Record<string, Command | ProjectCommand>> = {
  console: consoleCommand,
  "database publication": publicationCommand,
  processes: processesCommand,
  "schema plan": planCommand,
  "schema apply": applyCommand,
};

/** A command of core by its name, such as `schema plan`; undefined for those of plugins and of the app. */
export function ownCommand(name: string): Command | ProjectCommand | undefined {
  const all = { ...OWN, ...coreCommands.definition.commands };
  return Object.hasOwn(all, name) ? all[name] : undefined;
}
