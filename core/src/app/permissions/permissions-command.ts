import { describeKnown } from "../../base/suggest.js";
import type { Command } from "../command.js";
import { type PermissionEntry, transformPermissions } from "./permissions.js";

/** `plinth permissions`: which role has which action, and who says so. */
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

function describeEntries(
  entries: readonly PermissionEntry[],
  table: (head: readonly string[], rows: readonly (readonly string[])[]) => string,
): string {
  const rows = entries.map(({ role, action, source, where, fields }) => [
    role,
    action,
    source,
    where ? JSON.stringify(where) : "all",
    fields ? fields.join(", ") : "all",
  ]);
  return table(["ROLE", "ACTION", "FROM", "ROWS", "FIELDS"], rows);
}
