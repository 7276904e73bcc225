import { Command } from "commander";
import { develop } from "../develop/develop.js";

/** `plinth develop`: serves the sources, again after every change. */
export function developCommand(): Command {
  return new Command("develop")
    .description("serve the sources, and start again when a file changes")
    .option("--inspect [port]", "let a debugger attach to the app, on 127.0.0.1; 9229 unless said otherwise")
    .action((_options: object, command: Command) =>
      develop(process.cwd(), command.optsWithGlobals<{ debug?: boolean; inspect?: string | true }>()),
    );
}
