import { Command } from "commander";
import { buildCommand } from "./commands/build.js";
import { consoleCommand } from "./commands/console.js";
import { developCommand } from "./commands/develop.js";
import { generateCommand } from "./commands/generate.js";
import { hooksCommand } from "./commands/hooks.js";
import { importCommand } from "./commands/import.js";
import { newCommand } from "./commands/new.js";
import { pluginsCommand } from "./commands/plugins.js";
import { routesCommand } from "./commands/routes.js";
import { schemaCommand } from "./commands/schema.js";
import { startCommand } from "./commands/start.js";
import { typesCommand } from "./commands/types.js";
import { coreVersion } from "./core-package.js";

/**
 * The `plinth` command with all its commands; a name that is nearly right is answered with the one that was meant. What
 * needs a server or a database is imported by the command that needs it, so that the others answer at once.
 */
export function createProgram(): Command {
  const program = new Command("plinth")
    .description("A content server: content-types in, a REST API out.")
    .version(coreVersion())
    .option("--debug", "print the stack of what failed")
    .configureHelp({ showGlobalOptions: true });
  const commands = [
    newCommand(),
    developCommand(),
    startCommand(),
    buildCommand(),
    generateCommand(),
    routesCommand(),
    pluginsCommand(),
    hooksCommand(),
    schemaCommand(),
    typesCommand(),
    importCommand(),
    consoleCommand(),
  ];
  // addCommand, unlike command(), hands no settings down.
  for (const command of commands) program.addCommand(command.copyInheritedSettings(program));
  return program;
}
