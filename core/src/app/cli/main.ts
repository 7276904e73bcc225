import { exitWhenIdle } from "./exit-when-idle.js";
import { printFailure } from "./print-failure.js";
import { addProjectCommands } from "./project-commands.js";
import { createProgram } from "./program.js";

/** The process of the `plinth` command: reads its arguments, runs one command, and ends with 1 when that fails. */
const program = createProgram();
try {
  await addProjectCommands(program, process.cwd(), process.argv.slice(2));
  await program.parseAsync(process.argv);
} catch (error) {
  printFailure(error, { withStack: program.opts<{ debug?: boolean }>().debug === true });
  process.exitCode = 1;
  exitWhenIdle();
}
