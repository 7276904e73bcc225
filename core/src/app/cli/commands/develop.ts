import { Command } from "commander";
import { develop } from "../develop/develop.js";

/** `plinth develop`: serves the sources, again after every change. */
export function developCommand(): Command {
  return new Command("develop")
    .description("serve the sources, and start again when a file changes")
    .action((_options: object, command: Command) =>
      develop(process.cwd(), command.optsWithGlobals<{ debug?: boolean }>()),
    );
}
