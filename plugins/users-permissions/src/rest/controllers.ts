import type { App, ControllerFactory, HttpContext } from "@plinth/core";
import { allowAction } from "@plinth/core/access";
import * as v from "@plinth/core/valibot";
import { LOCAL } from "../auth/auth-tools.js";
import { newRoleBody, ownerBody, roleBody } from "../body/bodies.js";
import { checkBody, isRecord } from "../body/check-body.js";
import { USER } from "../content-types.js";
import { type Account, type RoleChanges, roles, users } from "../contract.js";
import {
  IdInvalidError,
  NotSignedInError,
  RoleNotFoundError,
  UserNotFoundError,
  WrongPasswordError,
} from "../errors.js";
import { rateLimits } from "../rate-limit/rate-limits.js";
import { countUsers, readUser, readUsers, type Viewer } from "./read-users.js";
import { createUser, deleteUser, updateUser } from "./write-users.js";

/** The route was authorised already, maybe by another action. */
const viewerOf = ({ state }: HttpContext, action: Viewer["action"]): Viewer => ({
  ability: allowAction(state.actor.ability, `${USER}.${action}`),
  action,
});

/** Users over REST: bare objects and lists. @source plugins/content-api/WIRE.md#users-and-roles */
export const userController: ControllerFactory = ({ app }) => ({
  find: async (ctx) => (await readUsers(app, ctx.query, viewerOf(ctx, "find"))).rows(),

  count: (ctx) => countUsers(app, ctx.query, ctx.state.actor.ability),

  me: async (ctx) => {
    const { user } = ctx.state.actor;
    if (!user) throw new NotSignedInError({});
    const found = await readUser(app, user.id, ctx.query, viewerOf(ctx, "me"));
    const isChosen = ctx.query["filters"] !== undefined || ctx.query["_q"] !== undefined;
    if (!found && !isChosen) throw new NotSignedInError({});
    ctx.body = found ?? null;
  },

  findOne: async (ctx) => {
    const found = await readUser(app, parseId(ctx), ctx.query, viewerOf(ctx, "findOne"));
    // No user is no content here, and koa makes that of a null.
    ctx.body = found ?? null;
  },

  create: async (ctx) => {
    ctx.body = await createUser(app, ctx.request.body, ctx.state.actor);
    ctx.status = 201;
  },

  update: async (ctx) => {
    const id = parseId(ctx);
    const body = await checkOwnChange(app, ctx, id, ctx.request.body);
    return await updateUser(app, id, body, ctx.state.actor);
  },

  destroy: async (ctx) => {
    // Where there is no such user, all is as the caller wants it: no content, as there.
    ctx.body = await deleteUser(app, parseId(ctx), ctx.state.actor).catch((error: unknown) => {
      if (UserNotFoundError.is(error)) return null;
      throw error;
    });
  },
});

/** Roles over REST. @source plugins/content-api/WIRE.md#users-and-roles */
export const roleController: ControllerFactory = ({ app }) => ({
  find: async (ctx) => ({ roles: await app.service(roles).list(ctx.state.actor.ability) }),

  findOne: async (ctx) => {
    const role = await app.service(roles).findOne(parseId(ctx), ctx.state.actor.ability);
    if (!role) throw new RoleNotFoundError({});
    return { role };
  },

  createRole: async (ctx) => {
    await app.service(roles).create(present(checkBody(ctx.request.body, newRoleBody)));
    return { ok: true };
  },

  updateRole: async (ctx) => {
    const id = parseId(ctx);
    const changes = present(checkBody(ctx.request.body, roleBody));
    if (!(await app.service(roles).update(id, changes))) throw new RoleNotFoundError({});
    return { ok: true };
  },

  deleteRole: async (ctx) => {
    if (!(await app.service(roles).delete(parseId(ctx)))) throw new RoleNotFoundError({});
    return { ok: true };
  },
});

/** What can be granted. @source plugins/content-api/WIRE.md#users-and-roles */
export const permissionsController: ControllerFactory = ({ app }) => ({
  getPermissions: () => ({ permissions: app.service(roles).permissionTree() }),
});

function present(checked: { readonly [K in keyof RoleChanges]: RoleChanges[K] | undefined }): RoleChanges {
  return Object.fromEntries(Object.entries(checked).filter(([, value]) => value !== undefined));
}

/** Counted apart from other writes: each new address costs a mail, and may be a guess at the password. */
const ACTION = "plugin::users-permissions.user.update-address";

/**
 * Checks what users change about themselves. Another e-mail address is counted by the rate limit; `currentPassword` has
 * to be right where it is sent, and has to be sent where `emailChange.requirePassword` says so. Users cannot set
 * `confirmed` of themselves.
 *
 * @param body - of a write of the user with this id, by any caller.
 * @returns what may be written of the body.
 * @throws PLINTH_USERS_RATE_LIMITED (429), PLINTH_USERS_BODY_INVALID, PLINTH_AUTH_WRONG_PASSWORD (400)
 */
export async function checkOwnChange(app: App, ctx: HttpContext, id: number, body: unknown): Promise<unknown> {
  if (!isRecord(body) || ctx.state.actor.user?.id !== id) return body;
  const { emailConfirmation } = app.plugin("users-permissions").config;
  const account = await app.service(users).findById(id);
  if (account && isNewAddress(account, body["email"])) await assertOwner(app, ctx, account, body);
  if (!emailConfirmation.enabled) return body;
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== "confirmed"));
}

function isNewAddress(account: Account, email: unknown): boolean {
  return typeof email === "string" && email.toLowerCase() !== account.email;
}

async function assertOwner(app: App, ctx: HttpContext, account: Account, body: object): Promise<void> {
  await app.service(rateLimits).count(ctx, { action: ACTION, account: undefined });
  // A user of another provider has no password here.
  if (account.provider !== LOCAL) return;
  const required = app.plugin("users-permissions").config.emailChange.requirePassword;
  const { currentPassword } = checkBody(body, required ? ownerBody : v.partial(ownerBody));
  if (currentPassword === undefined) return;
  if (!(await app.service(users).verifyPassword(account, currentPassword))) throw new WrongPasswordError({});
}

/** No row has a larger id. */
const ROW_ID = /^\d{1,15}$/;

/** The row id in the path. @throws PLINTH_USERS_ID_INVALID (400) */
function parseId({ params }: HttpContext): number {
  const id = params["id"] ?? "";
  if (!ROW_ID.test(id)) throw new IdInvalidError({ id });
  return Number(id);
}
