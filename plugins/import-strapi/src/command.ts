import type { ProjectCommand, ProjectCommandContext } from "@plinth/core";
import type { ImportReport } from "./run-import.js";

/** `plinth import strapi <source>`: content of another server, brought over. */
export const importCommand: ProjectCommand = {
  description: "bring content over from what `strapi export --no-encrypt` wrote, or the schemas of an app's folder",
  arguments: ["<source>"],
  options: {
    "--dry-run": "change nothing; list what would be written, what cannot be carried, and why",
    "--json": "print JSON",
    "--no-limits": "take exports of any size; only for one whose author you trust",
  },
  async runOnProject({ project, arguments: { source = "" }, options, print, table, say }) {
    const { runImport } = await import("./run-import.js");
    const { LIMITS, NO_LIMITS } = await import("./source/export-limits.js");
    const isDryRun = options["dryRun"] === true;
    const limits = options["limits"] === false ? NO_LIMITS : LIMITS;
    const report = await runImport({ project, source, isDryRun, limits, say });
    print(options["json"] ? JSON.stringify(report, undefined, 2) : describe(report, isDryRun, table));
  },
};

function describe(report: ImportReport, isDryRun: boolean, table: ProjectCommandContext["table"]): string {
  const { schemas, types, issues, config } = report;
  const verb = isDryRun ? "would write" : "wrote";
  const rows = types.map(({ uid, entries, written, present }) => [
    uid,
    ...[entries, written, present, entries - written - present].map(String),
  ]);
  const lost = issues.map(({ where, what, count, example }) => [
    where,
    String(count),
    example === undefined ? what : `${what} (${example})`,
  ]);
  return [
    ...schemas.map((path) => `${verb} ${path}`),
    ...(rows.length > 0
      ? [table(["TYPE", "ENTRIES", isDryRun ? "TO WRITE" : "WRITTEN", "PRESENT", "LEFT OUT"], rows)]
      : []),
    ...(lost.length > 0 ? [`\nNot carried as it was:\n${table(["WHERE", "COUNT", "WHAT"], lost)}`] : []),
    ...Object.entries(config).map(
      ([plugin, says]) => `\nFor config/plugins, as \`config\` of "${plugin}":\n${JSON.stringify(says, undefined, 2)}`,
    ),
    ...(isDryRun ? ["\nNothing was changed."] : []),
  ].join("\n");
}
