import type { App } from "@plinth/core";

/** Runs `plinth upload check` on an app; its lines. */
export async function runCheck(app: App, options: Readonly<Record<string, unknown>> = {}): Promise<readonly string[]> {
  const lines: string[] = [];
  await app
    .registry("command")
    .get("upload check")
    .run({
      app,
      arguments: {},
      options,
      print: (line = "") => lines.push(line),
      table: (head, rows) => [head, ...rows].map((row) => row.join(" ")).join("\n"),
    });
  return lines;
}
