import type { AnswerDescription, JsonSchema, RouteDescription } from "@plinth/core/http";
import { listQuery } from "@plinth/plugin-content-api";
import { newUserBody, userBody } from "../body/bodies.js";
import { USER } from "../content-types.js";
import { newUserRoleBody, userRoleBody } from "./bodies.js";

const ADMIN = { tag: "Admin page", bearer: "administrator" } as const;
const TEXT = { type: "string" } as const;
const MAYBE = { type: ["string", "null"] } as const;
const TEXTS = { type: "array", items: TEXT } as const;
const FLAG = { type: "boolean" } as const;
const USER_ENTRY: JsonSchema = { $ref: USER };

const OF_ROLE = { documentId: TEXT, name: TEXT, description: MAYBE, type: TEXT, isPublic: FLAG, isDefault: FLAG };
const ROLE: JsonSchema = {
  ...{ type: "object", required: Object.keys(OF_ROLE) },
  properties: { ...OF_ROLE, users: { type: "integer" } },
};
const GRANTS = object({ source: TEXT, actions: TEXTS, rules: { type: "array", items: { type: "object" } } });
const DETAILS = object({ ...OF_ROLE, stored: TEXTS, byCode: { type: "array", items: GRANTS } });
const SESSION = object({ id: TEXT, deviceName: TEXT, loginAt: { type: "string", format: "date-time" } });
const GONE: RouteDescription["answers"] = { 204: { description: "It is done" } };

/** What the routes of end users on the admin page take and answer. */
export const adminDescriptions = {
  listUsers: {
    ...described("List end users, newest first"),
    query: {
      ...listQuery(USER),
      pagination: { description: "`pageSize`, and the `cursor` of the page before", schema: { type: "object" } },
    },
    answers: ok("A page, by cursor", {
      data: { type: "array", items: USER_ENTRY },
      meta: object({ pagination: object({ pageSize: { type: "integer" }, nextCursor: MAYBE }) }),
    }),
  },
  createUser: {
    ...described("Make an end user"),
    body: { schema: newUserBody },
    answers: { 201: { description: "The user", schema: object({ data: USER_ENTRY }) } },
  },
  listAttributes: {
    ...described("List the attributes that the app added to end users"),
    answers: ok("How forms show them", {
      data: { type: "object" },
      meta: object({ minPasswordLength: { type: "integer" } }),
    }),
  },
  getUser: { ...described("Get an end user"), answers: ok("The user", { data: USER_ENTRY }) },
  updateUser: {
    ...described("Change an end user"),
    body: { schema: userBody },
    answers: ok("The user", { data: USER_ENTRY }),
  },
  deleteUser: { ...described("Delete an end user"), answers: GONE },
  listSessions: {
    ...described("List the sessions of an end user"),
    answers: ok("Those that are not over, in refresh mode", {
      data: { type: "array", items: SESSION },
      meta: object({ isListed: FLAG }),
    }),
  },
  endSessions: { ...described("End all sessions and tokens of an end user"), answers: GONE },
  listRoles: {
    ...described("List the roles of end users"),
    query: { withCount: { description: "With the number of users of each", schema: FLAG } },
    answers: ok("Every role", { data: { type: "array", items: ROLE } }),
    errors: [403],
  },
  createRole: {
    ...described("Make a role of end users"),
    body: { schema: newUserRoleBody },
    answers: { 201: { description: "The role", schema: object({ data: DETAILS }) } },
  },
  listActions: { ...described("List what roles of end users can be granted"), answers: ok("Actions", { data: TEXTS }) },
  getRole: { ...described("Get a role of end users and what it may do"), answers: ok("The role", { data: DETAILS }) },
  updateRole: {
    ...described("Change a role of end users"),
    body: { schema: userRoleBody },
    answers: ok("The role", { data: DETAILS }),
  },
  deleteRole: { ...described("Delete a role of end users, who become public"), answers: GONE },
} satisfies Readonly<Record<string, RouteDescription>>;

function described(summary: string) {
  return { ...ADMIN, summary };
}

function ok(
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
): Readonly<Record<200, AnswerDescription>> {
  return { 200: { description, schema: object(properties) } };
}

function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", required: Object.keys(properties), properties };
}
