import { type AccessProblem, checkGrant } from "./check-grant.js";
import { InvalidPermissionsError } from "./errors.js";
import { actionOfItem, type Grant, grantItems } from "./grant.js";

/** What code grants to roles, by the type of the role: `{ public: ["api::article.*"], authenticated: [...] }`. */
export type RoleGrants = Readonly<Record<string, Grant>>;

/** Grants of one place, such as config/permissions. */
export interface GrantSource {
  /** As problems name it: `permissions`. */
  readonly name: string;
  readonly grants: unknown;
}

declare module "../kernel/registries.js" {
  interface Registries {
    /** What a plugin grants to roles; the app's own stand in config/permissions. */
    permissions: RoleGrants;
  }
}

const ROLE = /^[a-z][\w-]*$/i;

/**
 * Merges the grants of all places to each role.
 *
 * @param sources - in order; two of them may grant one role the same action, but not by rules.
 * @throws PLINTH_ACCESS_INVALID_PERMISSIONS (500) details `{ problems: [{ path, message }] }`
 */
export function parsePermissions(sources: readonly GrantSource[]): ReadonlyMap<string, Grant> {
  const problems = sources.flatMap(checkSource);
  if (problems.length > 0) throw new InvalidPermissionsError({ problems });
  const roles = new Map<string, Grant>();
  for (const { name, grants } of sources) {
    for (const [role, grant] of Object.entries((grants ?? {}) as RoleGrants)) {
      const known = roles.get(role);
      const united = known === undefined ? grant : join(known, grant);
      problems.push(...checkGrant(united, `${name}.${role}`));
      roles.set(role, united);
    }
  }
  if (problems.length > 0) throw new InvalidPermissionsError({ problems });
  return roles;
}

/** Plain actions once, rules as often as they are there: two for one action are reported. */
function join(first: Grant, second: Grant): Grant {
  const plain = new Set(grantItems(first).filter((item) => typeof item === "string"));
  return [
    ...grantItems(first),
    ...grantItems(second).filter((item) => !plain.has(actionOfItem(item)) || typeof item !== "string"),
  ];
}

function checkSource({ name, grants }: GrantSource): AccessProblem[] {
  if (grants === undefined) return [];
  if (typeof grants !== "object" || grants === null || Array.isArray(grants))
    return [{ path: name, message: `must be an object of roles, and is ${JSON.stringify(grants)}` }];
  return Object.entries(grants).flatMap(([role, grant]) => {
    const path = `${name}.${role}`;
    const form = ROLE.test(role) ? [] : [{ path, message: "a role's type is made of letters, digits, - and _" }];
    return [...form, ...checkGrant(grant, path)];
  });
}
