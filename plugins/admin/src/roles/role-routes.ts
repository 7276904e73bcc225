import type { App, HttpContext, Route } from "@plinth/core";
import type { RouteDescription } from "@plinth/core/http";
import { noList, text } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { type AdminRoute, adminRoute } from "../access/admin-route.js";
import { callerOf } from "../access/gate.js";
import { object } from "../accounts/describe-routes.js";
import { noteAct } from "../accounts/note-act.js";
import { parseBody } from "../accounts/parse-body.js";
import type { RoleChanges, RoleList } from "../wire/roles.js";
import { listPageActions, listTypes } from "./role-catalogue.js";
import { roleStore } from "./role-store.js";

const LONGEST_NAME = 100;
const LONGEST_DESCRIPTION = 2000;

/** Grants are checked when the role is written: by then all names are known. */
const item = v.union([text(), noList(v.record(v.string(), v.unknown()))]);

/** Body of a new role. */
const roleBody = v.strictObject({
  name: v.pipe(
    text(),
    v.maxLength(LONGEST_NAME),
    v.check((name) => name === name.trim(), "must not begin or end with a space"),
  ),
  description: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(LONGEST_DESCRIPTION)))),
  grant: v.optional(v.array(item)),
  requiresSecondFactor: v.optional(v.boolean()),
});

/** Body of a change. */
const changedRoleBody = v.partial(roleBody);

/** Declares a route that asks for the action. */
const route = (declared: Omit<AdminRoute, "action">): Route =>
  adminRoute({ ...declared, action: "plugin::admin.roles", personsOnly: true });

/** Roles and what they may do. An API token is no person, and may do nothing here. */
export function createRoleRoutes(app: App): readonly Route[] {
  const store = () => app.service(roleStore);
  const note = (ctx: HttpContext, done: string, role: string) =>
    noteAct(app, ctx, { action: `role.${done}`, details: { role } });
  return [
    route({
      ...{ method: "GET", path: "/roles", description: descriptions.list },
      handler: async (ctx): Promise<RoleList> => {
        const caller = callerOf(ctx);
        return {
          data: await store().list(caller),
          types: listTypes(app),
          actions: listPageActions(app, caller.ability),
        };
      },
    }),
    route({
      ...{ method: "POST", path: "/roles", description: descriptions.create },
      handler: async (ctx) => {
        const data = await store().create(callerOf(ctx), parseBody(roleBody, ctx) as RoleChanges);
        await note(ctx, "create", data.name);
        ctx.status = 201;
        return { data };
      },
    }),
    route({
      ...{ method: "PUT", path: "/roles/:id", description: descriptions.update },
      handler: async (ctx) => {
        const changes = parseBody(changedRoleBody, ctx) as Partial<RoleChanges>;
        const edit = { id: ctx.params["id"] ?? "", ifMatch: ctx.get("If-Match"), changes };
        const data = await store().update(callerOf(ctx), edit);
        await note(ctx, "change", data.name);
        return { data };
      },
    }),
    route({
      ...{ method: "DELETE", path: "/roles/:id", description: descriptions.remove },
      handler: async (ctx) => {
        await note(ctx, "remove", await store().remove(callerOf(ctx), ctx.params["id"] ?? ""));
        ctx.status = 204;
      },
    }),
  ];
}

const ROLE = { type: "object" } as const;
const LIST = { type: "array", items: ROLE } as const;
const BY_ADMIN = { tag: "Admin page", bearer: "administrator" } as const;

const descriptions = {
  list: {
    ...BY_ADMIN,
    summary: "List the roles of administrators, and what roles can be about",
    answers: {
      200: { description: "Roles, types and actions", schema: object({ data: LIST, types: LIST, actions: LIST }) },
    },
  },
  create: {
    ...BY_ADMIN,
    summary: "Make a role, or add to one of the configuration",
    body: { schema: roleBody },
    answers: { 201: { description: "The role", schema: object({ data: ROLE }) } },
    errors: [403],
  },
  update: {
    ...BY_ADMIN,
    summary: "Change a role for all who have it",
    headers: { "If-Match": "`version` of the role as it was read" },
    body: { schema: changedRoleBody },
    answers: { 200: { description: "The role", schema: object({ data: ROLE }) } },
    errors: [403, 409, 412, 428],
  },
  remove: {
    ...BY_ADMIN,
    summary: "Delete a role that nobody has",
    answers: { 204: { description: "It is gone" } },
    errors: [403, 409],
  },
} satisfies Readonly<Record<string, RouteDescription>>;
