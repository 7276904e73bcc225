import { exitWhenIdle } from "../exit-when-idle.js";
import { printFailure } from "../print-failure.js";
import { serveLive } from "./serve-live.js";

/** The process that serves a project for `plinth develop`. */
const withStack = process.argv.includes("--debug");
try {
  await serveLive(process.cwd(), { withStack });
} catch (error) {
  printFailure(error, { withStack });
  process.exitCode = 1;
  exitWhenIdle();
}
