/** Administrators hand on no rights by writes of users, roles and permissions, whichever endpoint makes the write. */
import {
  type Actor,
  type App,
  findActor,
  ForbiddenError,
  type RegisterContext,
  type WriteEvent,
  writeHooks,
} from "@plinth/core";
import { assertMayGrant } from "@plinth/core/access";
import { assertMayGiveRole } from "../admin/assert-may-give-role.js";
import { PERMISSION, ROLE, USER } from "../content-types.js";
import { readAccount } from "../users/users-service.js";
import { DECISIVE } from "./grant-worth.js";

/**
 * A user who is made, deleted, or changed in an attribute that decides on rights has a role that the administrator's own covers,
 * before the write and after it. Blocking gives no rights. Roles and permissions are changed by an endpoint of their own,
 * which compares rights; as documents, by administrators with every right.
 */
export function keepGivenRights({ app, on }: Pick<RegisterContext<object>, "app" | "on">): void {
  const about = [USER];
  const { create, update } = writeHooks;
  on(create.after, (event) => assertCoversUser(app, event), { about });
  on(update.before, (event) => (isDecisive(event) ? assertCoversUser(app, event) : undefined), { about });
  on(update.after, (event) => (isDecisive(event) ? assertCoversUser(app, event) : undefined), { about });
  on(writeHooks.delete.before, (event) => assertCoversUser(app, event), { about });
  for (const { before } of [create, update, writeHooks.delete])
    on(before, (event) => assertHasEveryRight(app, event), { about: [ROLE, PERMISSION] });
}

const isDecisive = ({ data = {} }: WriteEvent): boolean =>
  DECISIVE.some((name) => Object.hasOwn(data, name) && !(name === "blocked" && data[name] === true));

/** @throws PLINTH_ADMIN_GRANTS_MORE, PLINTH_ACCESS_FORBIDDEN (403) */
async function assertCoversUser(app: App, event: WriteEvent): Promise<void> {
  if (!isByAdministrator(event)) return;
  // A user without a role may do nothing.
  const role = (await readAccount(app, { documentId: event.documentId }))?.role;
  if (role) await assertMayGiveRole(app, await administratorOf(app, event), role);
}

/** @throws PLINTH_ADMIN_GRANTS_MORE, PLINTH_ACCESS_FORBIDDEN (403) */
async function assertHasEveryRight(app: App, event: WriteEvent): Promise<void> {
  if (!isByAdministrator(event)) return;
  const holder = event.uid === ROLE ? "A role of end users" : "A permission of end users";
  await assertMayGrant(app, { actor: await administratorOf(app, event), grant: "all", holder });
}

/** Not by code that an administrator's request runs, which does not write with their rights. */
const isByAdministrator = ({ ability, origin }: WriteEvent): boolean =>
  ability?.isAdmin === true && origin.actor?.kind === "admin";

/** @throws PLINTH_ACCESS_FORBIDDEN (403) for an account that is gone */
async function administratorOf(app: App, { origin: { actor } }: WriteEvent): Promise<Actor> {
  const found = actor && (await findActor(app, actor));
  if (!found) throw new ForbiddenError({});
  return found;
}
