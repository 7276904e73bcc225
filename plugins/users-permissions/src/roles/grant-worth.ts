/** How much a grant is worth to an administrator who hands it on. */
import { isDeepStrictEqual } from "node:util";
import type { Ability, App, Document, Rule } from "@plinth/core";
import { createAbility, type Grant, mergeGrants } from "@plinth/core/access";
import type { UsersPermissionsConfig } from "../config.js";
import { ROLE, USER } from "../content-types.js";
import { defaultRoles, PUBLIC } from "./default-roles.js";
import { grantOfRole } from "./grant-of-role.js";

type Item = string | Rule;

/** By these actions their holder gives every right: to a role, or to a user with another role or password. */
const GIVING = {
  roles: [`${ROLE}.createRole`, `${ROLE}.updateRole`],
  users: [`${USER}.create`, `${USER}.update`],
} as const;

/** Attributes by which a user gets the rights of others, or another person those of a user. */
const DECISIVE = ["role", "password", "email", "username", "provider", "confirmed", "blocked"];

/** Signing in, and looking after the own account. */
const OWN_ACCOUNT: Grant = defaultRoles.flatMap(({ actions }) => actions);

/**
 * Leaves out of a grant what everybody may do or can come to: as the public, by registering, and with an account of their own. A
 * grant with which its holder may change roles, or roles and passwords of users, is worth everything.
 */
export async function worthOf(app: App, config: UsersPermissionsConfig, grant: Grant): Promise<Grant> {
  if (grant === "all" || grant === "none") return grant;
  const open = (await openGrants(app, config)).map((each) => ({ items: itemsOf(each), ability: createAbility(each) }));
  const left = itemsOf(grant).filter(
    (item) => !open.some(({ items, ability }) => has(items, item) || isUnlimited(ability, item)),
  );
  return givesRights(createAbility(left)) ? "all" : left;
}

/** The grants that everybody has or can get. */
async function openGrants(app: App, { defaultRole, register }: UsersPermissionsConfig): Promise<readonly Grant[]> {
  const types = register.enabled ? [PUBLIC, defaultRole] : [PUBLIC];
  const roles = await app.documents(ROLE).findMany({ filters: { type: { $in: types } }, pagination: { limit: -1 } });
  const granted = roles.map(({ id, type }: Document) => grantOfRole(app, { id, type: String(type) }));
  return [OWN_ACCOUNT, ...(await Promise.all(granted))];
}

const has = (items: readonly Item[], item: Item): boolean => items.some((each) => isDeepStrictEqual(each, item));

function isUnlimited(ability: Ability, item: Item): boolean {
  if (typeof item !== "string" || item.includes("*")) return false;
  const reach = ability.reachOf(item);
  return reach.rows === "everything" && reach.fields === undefined && reach.set === undefined;
}

function givesRights(ability: Ability): boolean {
  if (GIVING.roles.some((action) => ability.can(action))) return true;
  return GIVING.users.some((action) => {
    const reach = ability.reachOf(action);
    return reach.rows !== "nothing" && (reach.fields === undefined || DECISIVE.some((name) => reach.fields?.has(name)));
  });
}

/** A grant as the list that it stands for. */
const itemsOf = (grant: Grant): readonly Item[] => mergeGrants(grant, "none") as readonly Item[];
