import { exportCommand, importArchiveCommand } from "./archive-commands.js";
import { type PermissionEntry, transformPermissions } from "../app/permissions/permissions.js";
import type { Command, CommandContext } from "../app/command.js";
import { describeKnown } from "../base/suggest.js";
import { examineDatabase, type Examination } from "../database/doctor/examine-database.js";
import { type Finding, repairTotals, type StatementUse } from "../database/doctor/slow-statements.js";
import { definePlugin } from "../kernel/plugin.js";

/** Characters of a statement that are shown in the table; all of it is in the JSON. */
const SHOWN_TEXT = 100;

/** `plinth doctor`: slow statements, missing indexes and wrong totals, by PostgreSQL's own statistics. */
export const doctorCommand: Command = {
  description: "show slow statements, missing indexes and what else PostgreSQL's statistics tell",
  options: { "--json": "print JSON", "--repair": "count the totals of all content-types again" },
  async run({ app, options, print, table }) {
    if (options["repair"]) await repairTotals(app.db, app.model);
    const examination = await examineDatabase(app.db, app.model);
    print(options["json"] ? JSON.stringify(examination, undefined, 2) : describe(examination, table));
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
  const rows = findings.map(({ kind, where, what, advice }) => [kind, where, `${what}. ${advice}`]);
  return table(["FOUND", "WHERE", "WHAT, AND WHAT TO DO"], rows);
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
  },
});
