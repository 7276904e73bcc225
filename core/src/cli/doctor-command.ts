import { databaseConfigOf } from "../app/app-database.js";
import type { CommandCall, ProjectCommand, ProjectCommandContext } from "../app/command.js";
import { examineChecks } from "../app/examine-checks.js";
import { examineDatabase, type Examination } from "../database/doctor/examine-database.js";
import type { EngineExamination, TriedFeature } from "../database/doctor/examine-engine.js";
import { byWeight, type Finding } from "../database/doctor/finding.js";
import type { PoolerKind } from "../database/doctor/pooler-kind.js";
import type { StatementUse } from "../database/doctor/slow-statements.js";
import { repairLinks } from "../database/doctor/component-links.js";
import { repairTotals } from "../database/doctor/totals.js";
import type { App } from "../kernel/app.js";

/** Characters of a statement that are shown in the table; all of it is in the JSON. */
const SHOWN_TEXT = 100;

/** `plinth doctor`: what is wrong with a database, by what PostgreSQL says of itself; ends with 1 where it is grave. */
export const doctorCommand: ProjectCommand = {
  description:
    "show what is wrong with the database and what the app depends on, slow statements and missing indexes; ends with 1 for an error",
  options: {
    "--json": "print JSON",
    "--totals": "read tables of more than a million rows, too: their totals and the links of their components",
    "--repair": "count the totals of all content-types again, and make the links of components what they hold",
    "--engine":
      "show which features of PostgreSQL the server lacks, and what is done without; ends with 1 without one that is needed",
  },
  async runOnProject(context) {
    if (context.options["engine"]) await showEngine(context);
    else await context.project.withApp((app) => showFindings(app, context));
  },
};

async function showFindings(app: App, { options, print, table, fail }: CommandCall): Promise<void> {
  if (options["repair"]) {
    await repairTotals(app.db, app.model);
    await repairLinks(app.db, app.model);
  }
  const { db, model, clock } = app;
  const pooler = app.config.get("database.pooler", "none") as PoolerKind;
  const examined = await examineDatabase({ db, model, clock, pooler, countsAll: options["totals"] === true });
  const findings = byWeight([...examined.findings, ...(await examineChecks(app.health))]);
  const examination = { ...examined, findings };
  print(options["json"] ? JSON.stringify(examination, undefined, 2) : describe(examination, table));
  if (findings.some(({ weight }) => weight === "error")) fail();
}

function describe({ statements, findings }: Examination, table: CommandCall["table"]): string {
  const slow = statements && statements.length > 0 ? [describeStatements(statements, table)] : [];
  const found = findings.length > 0 ? describeFindings(findings, table) : "No problems found.";
  return [...slow, found].join("\n\n");
}

function describeStatements(statements: readonly StatementUse[], table: CommandCall["table"]): string {
  const rows = statements.map(({ calls, mean, total, text }) => [
    String(calls),
    mean.toFixed(2),
    (total / 1000).toFixed(1),
    text.replaceAll(/\s+/g, " ").slice(0, SHOWN_TEXT),
  ]);
  return table(["CALLS", "MS EACH", "S IN ALL", "STATEMENT"], rows);
}

function describeFindings(findings: readonly Finding[], table: CommandCall["table"]): string {
  const rows = findings.map(({ weight, kind, where, what, advice }) => [weight, kind, where, `${what}. ${advice}`]);
  return table(["WEIGHT", "FOUND", "WHERE", "WHAT, AND WHAT TO DO"], rows);
}

/** Starts no app on a server: where something needed is missing it would not start. */
async function showEngine({ project, options, print, table, fail }: ProjectCommandContext): Promise<void> {
  const { examineEmbedded, examineServer } = await import("../database/doctor/examine-engine.js");
  const { root, app } = project;
  const config = databaseConfigOf({ root, config: { database: app.config.get("database") } });
  const examination =
    config.client === "pglite" ? await project.withApp(({ db }) => examineEmbedded(db)) : await examineServer(config);
  print(options["json"] ? JSON.stringify(examination, undefined, 2) : describeEngine(examination, table));
  if (examination.features.some(({ works, isNeeded }) => isNeeded && !works)) fail();
}

function describeEngine({ version, features }: EngineExamination, table: CommandCall["table"]): string {
  const rows = features.map((feature) => [
    feature.name,
    feature.isNeeded ? "needed" : "useful",
    feature.works ? "yes" : `no: ${feature.reason}`,
    feature.without,
  ]);
  return `${version}\n\n${table(["FEATURE", "", "THERE", "WITHOUT IT"], rows)}\n\n${verdictOn(features)}`;
}

function verdictOn(features: readonly TriedFeature[]): string {
  const missing = features.filter(({ works }) => !works);
  const needed = missing.filter(({ isNeeded }) => isNeeded).length;
  if (needed > 0) return `Plinth cannot use this server: it lacks ${needed} of what is needed.`;
  return missing.length === 0 ? "It has everything." : "It has all that is needed.";
}
