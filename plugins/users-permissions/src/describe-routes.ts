import type { AnswerDescription, JsonSchema, RouteDescription } from "@plinth/core/http";
import { listQuery, PAGINATION_QUERY, shownQuery } from "@plinth/plugin-content-api";
import {
  addressBody,
  changePasswordBody,
  loginBody,
  newRoleBody,
  newUserBody,
  PERMISSION_TREE,
  registerBody,
  resetPasswordBody,
  roleBody,
  userBody,
} from "./body/bodies.js";
import type { BodySchema } from "./body/check-body.js";
import { USER } from "./content-types.js";

const tag = "Signing in";
const TEXT = { type: "string", minLength: 1 } as const;
const USER_ENTRY: JsonSchema = { $ref: USER };
const ID = { params: { id: { type: "integer", minimum: 1 } } };
const REFRESH_TOKEN = { type: "string", description: "In refresh mode, unless it is kept in a cookie" };

const SIGNED_IN = ok("The bearer, and who it is of", {
  type: "object",
  required: ["jwt", "user"],
  properties: { jwt: TEXT, user: USER_ENTRY, refreshToken: REFRESH_TOKEN },
});
const REGISTERED = ok("The bearer, unless the address is to be confirmed first; and the user", {
  type: "object",
  required: ["user"],
  properties: { jwt: TEXT, user: USER_ENTRY, refreshToken: REFRESH_TOKEN },
});
const OK = ok("It is done", object({ ok: { const: true } }));

/**
 * The descriptions of the authentication routes, by their action.
 *
 * @source plugins/content-api/WIRE.md#users-and-roles
 * @source plugins/content-api/WIRE.md#sessions
 */
export const authDescriptions = {
  callback: post("Sign in", "login", loginBody, SIGNED_IN),
  register: post("Register", "register", registerBody, REGISTERED),
  changePassword: post("Change one's password", "changePassword", changePasswordBody, SIGNED_IN),
  forgotPassword: post("Ask for a mail to reset a password", "forgotPassword", addressBody, OK),
  resetPassword: post("Set a password by the code of a mail", "resetPassword", resetPasswordBody, SIGNED_IN),
  sendEmailConfirmation: post(
    "Ask for another mail that confirms an address",
    "sendEmailConfirmation",
    addressBody,
    ok("Sent, if there is such a user", object({ email: TEXT, sent: { const: true } })),
  ),
  emailConfirmation: {
    tag,
    summary: "Confirm an address by the code of a mail",
    name: "confirmEmail",
    query: { confirmation: { required: true, schema: TEXT } },
    answers: {
      200: { description: "The user", schema: USER_ENTRY },
      302: { description: "To the page that is configured" },
    },
    errors: [429],
  },
  // No provider can be enabled yet, so there is no success to describe.
  connect: false,
  refresh: {
    tag,
    summary: "Trade a refresh token in for the next",
    name: "refreshSession",
    body: { required: false, schema: { type: "object", properties: { refreshToken: TEXT } } },
    answers: ok("Another bearer", {
      type: "object",
      required: ["jwt"],
      properties: { jwt: TEXT, refreshToken: REFRESH_TOKEN },
    }),
    errors: [404, 429],
  },
  logout: {
    tag,
    summary: "End one's session, or all of them",
    name: "logout",
    body: {
      required: false,
      schema: { type: "object", properties: { scope: { enum: ["all"] }, deviceId: TEXT, refreshToken: REFRESH_TOKEN } },
    },
    answers: OK,
    errors: [404],
  },
  getSessions: {
    tag,
    summary: "List one's sessions",
    name: "findSessions",
    answers: ok("Those that are not over", object({ data: { type: "array", items: sessionSchema() } })),
    errors: [404],
  },
  revokeSession: {
    tag,
    summary: "End one of one's sessions",
    name: "endSession",
    answers: ok("It is done", object({ data: { type: "object" } })),
    errors: [404],
  },
} satisfies Readonly<Record<string, RouteDescription | false>>;

function post(
  summary: string,
  name: string,
  schema: BodySchema,
  answers: RouteDescription["answers"],
): RouteDescription {
  return { tag, summary, name, body: { schema }, answers, errors: [429] };
}

function ok(description: string, schema: JsonSchema): Readonly<Record<200, AnswerDescription>> {
  return { 200: { description, schema } };
}

function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", required: Object.keys(properties), properties };
}

function sessionSchema(): JsonSchema {
  const always = {
    id: TEXT,
    current: { type: "boolean" },
    deviceId: { type: ["string", "null"] },
    loginAt: { type: "string", format: "date-time" },
    lastActiveAt: { type: "string", format: "date-time" },
  };
  return { type: "object", required: Object.keys(always), properties: { ...always, deviceName: TEXT } };
}

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
  destroy: {
    ...users("Delete a user", "deleteUser"),
    ...ID,
    answers: { ...ok("Who it was", USER_ENTRY), 204: { description: "There is no such user" } },
  },
} satisfies Readonly<Record<string, RouteDescription>>;

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
  createRole: { ...roles("Create a role", "createRole"), body: { schema: newRoleBody }, answers: OK },
  updateRole: { ...roles("Change a role", "updateRole"), ...ID, body: { schema: roleBody }, answers: OK },
  deleteRole: { ...roles("Delete a role; its users become public", "deleteRole"), ...ID, answers: OK },
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
