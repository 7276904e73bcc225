import type { JsonSchema, RouteDescription } from "@plinth/core/http";
import { loginBody } from "./controllers.js";
import { newTokenBody, tokenBody } from "./services/check-token.js";

const TEXT = { type: "string", minLength: 1 } as const;
const TIME = { type: "string", format: "date-time" } as const;
const MAYBE_TIME = { type: ["string", "null"], format: "date-time" } as const;
const TYPE = { enum: ["read-only", "full-access", "custom", "admin"] } as const;
const DESCRIPTION = { type: ["string", "null"] } as const;

/** Actions, and rules for some rows or fields. */
const PERMISSIONS = {
  type: "array",
  items: { anyOf: [TEXT, { type: "object", required: ["action"], properties: { action: TEXT } }] },
} as const;

const SHOWN = {
  ...{ id: { type: "integer" }, documentId: TEXT, name: TEXT, description: DESCRIPTION, type: TYPE },
  ...{ permissions: PERMISSIONS, expiresAt: MAYBE_TIME, lastUsedAt: MAYBE_TIME, createdAt: TIME, updatedAt: TIME },
} as const;
const TOKEN = object(SHOWN);
const ISSUED = object({ data: object({ ...SHOWN, accessKey: { ...TEXT, description: "Shown this once" } }) });
const ADMIN = { tag: "Administration", bearer: "administrator" } as const;

/** What the REST of administrators takes and answers. */
export const descriptions = {
  login: {
    tag: "Administration",
    summary: "Sign in as an administrator",
    body: { schema: loginBody },
    answers: { 200: { description: "A bearer for these endpoints", schema: object({ token: TEXT }) } },
    errors: [401, 429],
  },
  permissions: {
    ...ADMIN,
    summary: "List what permissions of tokens may name",
    answers: { 200: { description: "Actions, and the requests that need them", schema: object({ data: actions() }) } },
  },
  list: {
    ...ADMIN,
    summary: "List API tokens",
    answers: {
      200: {
        description: "Every token; of those of config/access the first characters",
        schema: object({ data: { type: "array", items: TOKEN }, meta: object({ configured: configured() }) }),
      },
    },
  },
  create: {
    ...ADMIN,
    summary: "Make an API token",
    body: { schema: newTokenBody },
    answers: { 201: { description: "The token and its key", schema: ISSUED } },
  },
  findOne: { ...ADMIN, summary: "Get an API token", answers: oneToken() },
  update: { ...ADMIN, summary: "Change an API token", body: { schema: tokenBody }, answers: oneToken() },
  remove: { ...ADMIN, summary: "End an API token", answers: { 204: { description: "It opens nothing any more" } } },
  regenerate: {
    ...ADMIN,
    summary: "Give an API token another key",
    answers: { 200: { description: "The token and its new key", schema: ISSUED } },
  },
} satisfies Readonly<Record<string, RouteDescription>>;

function actions(): JsonSchema {
  return { type: "array", items: object({ action: TEXT, routes: { type: "array", items: TEXT } }) };
}

function configured(): JsonSchema {
  const grant = { anyOf: [{ enum: ["none", "read", "all"] }, PERMISSIONS] };
  return { type: "array", items: object({ start: TEXT, grant }) };
}

function oneToken(): RouteDescription["answers"] {
  return { 200: { description: "The token", schema: object({ data: TOKEN }) } };
}

function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", required: Object.keys(properties), properties };
}
