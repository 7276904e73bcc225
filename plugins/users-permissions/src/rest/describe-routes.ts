import type { AnswerDescription, JsonSchema, RouteDescription } from "@plinth/core/http";
import { listQuery, PAGINATION_QUERY, shownQuery } from "@plinth/plugin-content-api";
import { newRoleBody, newUserBody, PERMISSION_TREE, roleBody, userBody } from "../body/bodies.js";
import { USER } from "../content-types/user.js";

const TEXT = { type: "string", minLength: 1 } as const;
const USER_ENTRY: JsonSchema = { $ref: USER };
const ID = { params: { id: { type: "integer", minimum: 1 } } };

/**
 * What the routes of users take and answer, by their action: bare objects and lists.
 *
 * @source plugins/content-api/WIRE.md#users-and-roles
 */
export const userDescriptions = {
  find: {
    ...users("List users", "findUsers"),
    query: {
      ...listQuery(USER),
      ...{ start: { schema: { type: "integer", minimum: 0 } }, limit: { schema: { type: "integer", minimum: 1 } } },
      pagination: PAGINATION_QUERY,
      ...shownQuery(USER),
    },
    answers: ok("Users", { type: "array", items: USER_ENTRY }),
  },
  count: {
    ...users("Count users", "countUsers"),
    query: { filters: { schema: { $ref: `${USER}#filters` } }, _q: { schema: { type: "string" } } },
    answers: ok("How many there are", { type: "integer", minimum: 0 }),
  },
  me: {
    ...users("Get the signed-in user", "findMe"),
    query: shownQuery(USER),
    answers: ok("The signed-in user", USER_ENTRY),
  },
  findOne: {
    ...users("Get a user", "findUser"),
    ...ID,
    query: shownQuery(USER),
    answers: { ...ok("The user", USER_ENTRY), 204: { description: "There is no such user" } },
  },
  create: {
    ...users("Create a user", "createUser"),
    body: { schema: newUserBody },
    answers: { 201: { description: "The user", schema: USER_ENTRY } },
  },
  update: {
    ...users("Change a user", "updateUser"),
    ...ID,
    body: { schema: userBody },
    answers: ok("The user", USER_ENTRY),
  },
  destroy: { ...users("Delete a user", "deleteUser"), ...ID, answers: ok("Who it was", USER_ENTRY) },
} satisfies Readonly<Record<string, RouteDescription>>;

const DONE = ok("It is done", object({ ok: { const: true } }));

/** What the routes of roles take and answer, by their action. @source plugins/content-api/WIRE.md#users-and-roles */
export const roleDescriptions = {
  find: {
    ...roles("List roles", "findRoles"),
    answers: ok("Every role", object({ roles: { type: "array", items: extended({ nb_users: { type: "integer" } }) } })),
  },
  findOne: {
    ...roles("Get a role and what it may do", "findRole"),
    ...ID,
    answers: ok("The role", object({ role: extended({ permissions: PERMISSION_TREE }) })),
  },
  createRole: {
    ...roles("Create a role", "createRole"),
    body: { schema: newRoleBody },
    answers: DONE,
  },
  updateRole: {
    ...roles("Change a role", "updateRole"),
    ...ID,
    body: { schema: roleBody },
    answers: DONE,
  },
  deleteRole: { ...roles("Delete a role; its users become public", "deleteRole"), ...ID, answers: DONE },
  getPermissions: {
    ...roles("List what can be granted", "findPermissions"),
    answers: ok("Every action, none of them enabled", object({ permissions: PERMISSION_TREE })),
  },
} satisfies Readonly<Record<string, RouteDescription>>;

function users(summary: string, name: string) {
  return { tag: "Users", summary, name };
}

function roles(summary: string, name: string) {
  return { tag: "Roles", summary, name };
}

/** A role with more; its `permissions` are the tree here, not entries. */
function extended(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const own = { id: { type: "integer" }, documentId: TEXT, name: { type: "string" }, type: { type: "string" } };
  return object({ ...own, ...properties });
}

function ok(description: string, schema: JsonSchema): Readonly<Record<200, AnswerDescription>> {
  return { 200: { description, schema } };
}

function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", required: Object.keys(properties), properties };
}
