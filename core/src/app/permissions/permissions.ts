import { type Grant, grantItems } from "../../access/grant.js";
import { type GrantSource, parsePermissions } from "../../access/permissions.js";
import type { Rule } from "../../access/rule.js";
import type { App } from "../../kernel/app.js";
import { hook } from "../../kernel/hook.js";

/** One action that a role has. */
export interface PermissionEntry {
  /** Type of the role: `public`. */
  readonly role: string;
  readonly action: string;
  readonly source: "code" | "database";
  /** The rule's filter, where the action reaches some rows only. */
  readonly where?: Rule["where"];
  /** The rule's attributes, where it reaches some only. */
  readonly fields?: Rule["fields"];
}

/** What code grants to roles: config/permissions, and the `permissions` of plugins. */
export interface Permissions {
  /** What code grants to the role of a type; undefined when it says nothing about it. */
  forRole(type: string): Grant | undefined;
  /** Everything that code grants, in the order in which it is written. */
  list(): readonly PermissionEntry[];
}

/** Adds what is granted elsewhere, such as in the database, to the list of permissions that people look at. */
export const transformPermissions = hook.waterfall<readonly PermissionEntry[], object>(
  "permissions:transformList",
  "The list of permissions that `plinth permissions` shows; who keeps grants elsewhere adds them.",
);

/** Reads what the app and its plugins grant. @throws PLINTH_ACCESS_INVALID_PERMISSIONS (500) */
export function createPermissions(app: App): Permissions {
  const roles = parsePermissions(sourcesOf(app));
  return {
    forRole: (type) => roles.get(type),
    list: () => [...roles].flatMap(([role, grant]) => entriesOf(role, grant)),
  };
}

/** A role's grants as entries of the list, one an action. */
function entriesOf(role: string, grant: Grant): readonly PermissionEntry[] {
  return grantItems(grant).map((item) =>
    typeof item === "string" ? { role, action: item, source: "code" } : { role, ...item, source: "code" },
  );
}

/** The app speaks last, as everywhere. */
function sourcesOf(app: App): readonly GrantSource[] {
  const own = { name: "permissions", grants: app.config.get("permissions") };
  const plugins = app.registry("permissions").entries();
  return [...plugins.map(([name, grants]) => ({ name, grants })), own];
}
