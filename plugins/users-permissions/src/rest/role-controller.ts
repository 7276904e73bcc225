import type { ControllerFactory } from "@plinth/core";
import { newRoleBody, roleBody } from "../body/bodies.js";
import { checkBody } from "../body/check-body.js";
import { type RoleChanges, roles } from "../contract.js";
import { RoleNotFoundError } from "../errors.js";
import { parseId } from "./parse-id.js";

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
