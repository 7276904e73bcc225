import type { CodeForm } from "../load-setup.js";
import { printFailure } from "../print-failure.js";
import { serve } from "../serve.js";
import { exitWhenIdle } from "../stop-on-signal.js";
import { WorkerRole } from "./worker-role.js";

const [form, number] = process.argv.slice(2);
try {
  await serve(process.cwd(), form as CodeForm, new WorkerRole(Number(number), process));
} catch (error) {
  printFailure(error, { withStack: process.argv.includes("--debug") });
  process.exitCode = 1;
  if (process.connected) process.disconnect();
  exitWhenIdle();
}
