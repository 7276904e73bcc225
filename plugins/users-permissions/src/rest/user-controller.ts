import type { ControllerFactory, HttpContext } from "@plinth/core";
import { allowAction } from "@plinth/core/access";
import { USER } from "../content-types/user.js";
import { NotSignedInError } from "../errors.js";
import { checkOwnChange } from "./own-change.js";
import { parseId } from "./parse-id.js";
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
    if (!found) throw new NotSignedInError({});
    return found;
  },

  findOne: async (ctx) => {
    const found = await readUser(app, parseId(ctx), ctx.query, viewerOf(ctx, "findOne"));
    // No user is no content here, and koa makes that of a null.
    ctx.body = found ?? null;
  },

  create: async (ctx) => {
    ctx.body = await createUser(app, ctx.request.body, ctx.state.actor.ability);
    ctx.status = 201;
  },

  update: async (ctx) => {
    const id = parseId(ctx);
    const body = await checkOwnChange(app, ctx, id, ctx.request.body);
    return await updateUser(app, id, body, ctx.state.actor);
  },

  destroy: (ctx) => deleteUser(app, parseId(ctx), ctx.state.actor),
});
