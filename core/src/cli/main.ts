import { exitWhenIdle } from "./stop-on-signal.js";
import { printFailure } from "./print-failure.js";

/**
 * The process of the `plinth` command: runs one command, and ends with 1 when that fails. A server in production is started
 * by `plinth start` alone; it does without what reads arguments.
 */
const args = process.argv.slice(2);
try {
  if (args.join(" ") === "start") await (await import("./serve.js")).serve(process.cwd(), "build");
  else await (await import("./program.js")).runProgram(args);
} catch (error) {
  printFailure(error, { withStack: args.includes("--debug") });
  process.exitCode = 1;
  exitWhenIdle();
}
