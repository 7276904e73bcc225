import type { App, Command } from "@plinth/core";

/** Runs `plinth upload check` on an app; its lines. */
export async function runCheck(app: App, options: Readonly<Record<string, unknown>> = {}): Promise<readonly string[]> {
  const lines: string[] = [];
  const command = app.registry("command").get("upload check") as Command;
  await command.run({
    app,
    arguments: {},
    options,
    print: (line = "") => lines.push(line),
    table: (head, rows) => [head, ...rows].map((row) => row.join(" ")).join("\n"),
  });
  return lines;
}
