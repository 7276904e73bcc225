/** How much a grant is worth to an administrator who hands it on. */
import { isDeepStrictEqual } from "node:util";
import type { Ability, App, Rule } from "@plinth/core";
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
export const DECISIVE = ["role", "password", "email", "username", "provider", "confirmed", "blocked"];

/** What users do with the account that they are signed in to. */
const OWN_ACCOUNT: Grant = defaultRoles.flatMap(({ type, actions }) => (type === PUBLIC ? [] : actions));

const REGISTER = "plugin::users-permissions.auth.register";

/** For whom rules are read: a user whose ids no account has. */
const SOMEBODY = { user: { id: -5_172_913, documentId: "a user who is not there" } };

/**
 * Leaves out of a grant what everybody may do or can come to: as the public, by registering, and with an account of their own. A
 * grant that lets its holder register is worth the default role as well, and one that lets them change roles, or roles and passwords
 * of users, everything.
 */
export async function worthOf(app: App, config: UsersPermissionsConfig, grant: Grant): Promise<Grant> {
  if (grant === "all" || grant === "none") return grant;
  const [everybody, registered] = await Promise.all([grantOfType(app, PUBLIC), grantOfType(app, config.defaultRole)]);
  const mayRegister = (ability: Ability) => config.register.enabled && ability.can(REGISTER);
  const isOpen = mayRegister(createAbility(everybody));
  const open = [OWN_ACCOUNT, everybody, ...(isOpen ? [registered] : [])].map((each) => ({
    ...{ items: itemsOf(each), ability: createAbility(each, SOMEBODY) },
  }));
  const whole =
    !isOpen && mayRegister(createAbility(grant)) ? [...itemsOf(grant), ...itemsOf(registered)] : itemsOf(grant);
  const left = whole.filter(
    (item) => !open.some(({ items, ability }) => has(items, item) || isUnlimited(ability, item)),
  );
  return givesRights(createAbility(left, SOMEBODY)) ? "all" : left;
}

/** The grant of the role of a type; nothing where it is not there. */
async function grantOfType(app: App, type: string): Promise<Grant> {
  const role = await app.documents(ROLE).findFirst({ filters: { type }, fields: ["id"] });
  return role ? await grantOfRole(app, { id: role.id, type }) : "none";
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
    if (reach.rows === "nothing") return false;
    const { fields, set = {} } = reach;
    const decisive = isOwnRow(reach) ? ["role"] : DECISIVE;
    return fields === undefined || decisive.some((name) => fields.has(name) || Object.hasOwn(set, name));
  });
}

/** Whether a rule reaches the user's own row alone: its password and address are theirs. */
function isOwnRow(reach: ReturnType<Ability["reachOf"]>): boolean {
  if (reach.rows !== "some") return false;
  const { id, documentId } = SOMEBODY.user;
  return [{ id }, { id: { $eq: id } }, { documentId }, { documentId: { $eq: documentId } }].some((own) =>
    isDeepStrictEqual(reach.where, own),
  );
}

/** A grant as the list that it stands for. */
const itemsOf = (grant: Grant): readonly Item[] => mergeGrants(grant, "none") as readonly Item[];
