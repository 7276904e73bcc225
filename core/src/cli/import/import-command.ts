import { Command } from "commander";
import { print, say, table } from "../terminal.js";

/** `plinth import strapi <source>`: content of another server, brought over. */
export function importCommand(): Command {
  const command = new Command("import").description("bring content over from another server");
  command
    .command("strapi <source>")
    .description("from what `strapi export --no-encrypt` wrote, or the schemas of an app's folder")
    .option("--dry-run", "change nothing; list what would be written, what cannot be carried, and why")
    .option("--json", "print JSON")
    .option("--no-limits", "take exports of any size; only for one whose author you trust")
    .action(async (source: string, { dryRun = false, json = false, limits = true }: ImportFlags) => {
      const { runImport } = await import("./run-import.js");
      const { LIMITS, NO_LIMITS } = await import("./export-limits.js");
      const { exitWhenIdle } = await import("../exit-when-idle.js");
      const report = await runImport({
        root: process.cwd(),
        source,
        isDryRun: dryRun,
        limits: limits ? LIMITS : NO_LIMITS,
        say,
      });
      print(json ? JSON.stringify(report, undefined, 2) : describe(report, dryRun));
      exitWhenIdle();
    });
  return command;
}

interface ImportFlags {
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly limits?: boolean;
}

type Report = Awaited<ReturnType<typeof import("./run-import.js")["runImport"]>>;

function describe({ schemas, types, issues, config }: Report, isDryRun: boolean): string {
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
