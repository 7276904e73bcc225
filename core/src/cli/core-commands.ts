import { exportCommand, importArchiveCommand } from "./archive-commands.js";
import { drillCommand } from "./drill-command.js";
import { type PermissionEntry, transformPermissions } from "../app/permissions/permissions.js";
import type { Command, CommandContext } from "../app/command.js";
import { describeKnown } from "../base/suggest.js";
import { examineDatabase, type Examination } from "../database/doctor/examine-database.js";
import type { Finding } from "../database/doctor/finding.js";
import type { PoolerKind } from "../database/doctor/pooler-kind.js";
import type { StatementUse } from "../database/doctor/slow-statements.js";
import { repairTotals } from "../database/doctor/totals.js";
import { definePlugin } from "../kernel/plugin.js";

/** Characters of a statement that are shown in the table; all of it is in the JSON. */
const SHOWN_TEXT = 100;

/** `plinth doctor`: what is wrong with a database, by what PostgreSQL says of itself; ends with 1 where it is grave. */
export const doctorCommand: Command = {
  description: "show what is wrong with the database, slow statements and missing indexes; ends with 1 for an error",
  options: {
    "--json": "print JSON",
    "--totals": "count tables of more than a million rows, too",
    "--repair": "count the totals of all content-types again",
  },
  async run({ app, options, print, table, fail }) {
    if (options["repair"]) await repairTotals(app.db, app.model);
    const { db, model, clock } = app;
    const pooler = app.config.get("database.pooler", "none") as PoolerKind;
    const examination = await examineDatabase({ db, model, clock, pooler, countsAll: options["totals"] === true });
    print(options["json"] ? JSON.stringify(examination, undefined, 2) : describe(examination, table));
    if (examination.findings.some(({ weight }) => weight === "error")) fail();
  },
};

function describe({ statements, findings }: Examination, table: CommandContext["table"]): string {
  const slow = statements && statements.length > 0 ? [describeStatements(statements, table)] : [];
  const found = findings.length > 0 ? describeFindings(findings, table) : "No problems found.";
  return [...slow, found].join("\n\n");
}

function describeStatements(statements: readonly StatementUse[], table: CommandContext["table"]): string {
  const rows = statements.map(({ calls, mean, total, text }) => [
    String(calls),
    mean.toFixed(2),
    (total / 1000).toFixed(1),
    text.replaceAll(/\s+/g, " ").slice(0, SHOWN_TEXT),
  ]);
  return table(["CALLS", "MS EACH", "S IN ALL", "STATEMENT"], rows);
}

function describeFindings(findings: readonly Finding[], table: CommandContext["table"]): string {
  const rows = findings.map(({ weight, kind, where, what, advice }) => [weight, kind, where, `${what}. ${advice}`]);
  return table(["WEIGHT", "FOUND", "WHERE", "WHAT, AND WHAT TO DO"], rows);
}

/** `plinth permissions`: which role has which action, and where it is granted. */
export const permissionsCommand: Command = {
  description: "list which role may do what, from code or the database",
  options: { "--json": "print JSON", "--role <type>": "of one role only" },
  async run({ app, options, print, table }) {
    const all = await app.hooks.waterfall(transformPermissions, app.permissions.list(), {});
    const wanted = options["role"];
    const entries = all.filter(({ role }) => wanted === undefined || role === wanted);
    if (options["json"]) print(JSON.stringify(entries, undefined, 2));
    else if (entries.length > 0) print(describeEntries(entries, table));
    else print(`No role "${String(wanted)}" is granted anything. ${describeKnown(String(wanted), rolesOf(all))}`);
  },
};

const rolesOf = (entries: readonly PermissionEntry[]): readonly string[] => [
  ...new Set(entries.map(({ role }) => role)),
];

function describeEntries(entries: readonly PermissionEntry[], table: CommandContext["table"]): string {
  const rows = entries.map(({ role, action, source, where, fields }) => [
    role,
    action,
    source,
    where ? JSON.stringify(where) : "all",
    fields ? fields.join(", ") : "all",
  ]);
  return table(["ROLE", "ACTION", "FROM", "ROWS", "FIELDS"], rows);
}

/** The commands of core that need the app. A server does without the plugin that brings them. */
export const coreCommands = definePlugin({
  name: "core-commands",
  commands: {
    doctor: doctorCommand,
    permissions: permissionsCommand,
    export: exportCommand,
    import: importArchiveCommand,
    drill: drillCommand,
  },
});
