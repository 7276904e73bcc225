import type { App, Command } from "@plinth/core";
import { runCommand } from "../../run-command.js";

/** Runs `plinth upload check` on an app; its lines. */
export async function runCheck(app: App, options: Readonly<Record<string, unknown>> = {}): Promise<readonly string[]> {
  const { stdout } = await runCommand(app.registry("command").get("upload check") as Command, app, { options });
  return stdout.split("\n");
}
