import { Command } from "commander";
import type { HookReport } from "../../../kernel/hook.js";
import { print, table } from "../terminal.js";

/** `plinth hooks`: every hook, and who takes part in it. */
export function hooksCommand(): Command {
  return new Command("hooks")
    .description("list hooks, their kind and who listens, in order")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const { declare } = await import("../inspect.js");
      const { hooks } = (await declare(process.cwd())).report;
      print(json ? JSON.stringify(hooks, undefined, 2) : describeHooks(hooks));
    });
}

function describeHooks(hooks: readonly HookReport[]): string {
  const rows = hooks.map(({ name, kind, taps, description }) => [name, kind, taps.join(", ") || "-", description]);
  return table(["HOOK", "KIND", "LISTENERS", "WHEN"], rows);
}
