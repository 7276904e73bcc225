import { exportCommand, importArchiveCommand } from "./archive-commands.js";
import { doctorCommand } from "./doctor-command.js";
import { drillCommand } from "./drill-command.js";
import { type PermissionEntry, transformPermissions } from "../app/permissions/permissions.js";
import type { Command, CommandContext } from "../app/command.js";
import { describeKnown } from "../base/suggest.js";
import { definePlugin } from "../kernel/plugin.js";

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
  const rows = entries.map(({ role, action, source, where, fields, set }) => [
    role,
    action,
    source,
    where ? JSON.stringify(where) : "all",
    fields ? fields.join(", ") : "all",
    set ? JSON.stringify(set) : "nothing",
  ]);
  return table(["ROLE", "ACTION", "FROM", "ROWS", "FIELDS", "SETS"], rows);
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
