/** Administrators give end users no roles that may do more than their own, and change no user with such a role. */
import type { Actor, App } from "@plinth/core";
import { assertMayGrant } from "@plinth/core/access";
import type { Role } from "../contract.js";
import { grantOfRole, withStored } from "../roles/grant-of-role.js";

type NamedRole = Pick<Role, "id" | "type" | "name">;

/**
 * Asks whether the caller may do all that a role of end users may. To be called in the transaction of a change of the role, or of a
 * user with it.
 *
 * @throws PLINTH_ADMIN_GRANTS_MORE (403)
 */
export async function assertMayGiveRole(app: App, actor: Actor, role: NamedRole): Promise<void> {
  await assertMayGrant(app, { actor, grant: await grantOfRole(app, role), holder: holderOf(role) });
}

/**
 * The same for actions that a role is to have in the database. To be called before it has them: with them in the role of the public,
 * everybody may do them.
 *
 * @throws PLINTH_ADMIN_GRANTS_MORE (403)
 */
export async function assertMayGiveActions(
  app: App,
  actor: Actor,
  role: Pick<Role, "type" | "name">,
  actions: readonly string[],
): Promise<void> {
  await assertMayGrant(app, { actor, grant: withStored(app, role.type, actions), holder: holderOf(role) });
}

const holderOf = ({ name }: Pick<Role, "name">): string => `The role "${name}" of end users`;
