import type { JsonSchema, RouteDescription } from "@plinth/core/http";
import { signInBody, welcomeBody } from "./bodies.js";

const TEXT = { type: "string" } as const;
const TIME = { type: "string", format: "date-time" } as const;

const ACCOUNT: JsonSchema = object({
  ...{ id: { type: "integer" }, documentId: TEXT, name: TEXT, email: TEXT, role: TEXT },
  language: { type: ["string", "null"] },
});

const SESSION = object({ id: TEXT, isCurrent: { type: "boolean" }, agent: TEXT, createdAt: TIME, lastUsedAt: TIME });
const PAGE = { tag: "Admin page" } as const;
const SIGNED_IN: RouteDescription["answers"] = {
  200: { description: "Who is signed in; a cookie holds the session", schema: object({ user: ACCOUNT }) },
};

/** What the routes about sessions take and answer. */
export const descriptions = {
  signIn: {
    ...PAGE,
    summary: "Sign in to the admin page",
    body: { schema: signInBody },
    answers: SIGNED_IN,
    errors: [401, 403, 415, 429],
  },
  welcome: {
    ...PAGE,
    summary: "Become an administrator by a link, and sign in",
    body: { schema: welcomeBody },
    answers: SIGNED_IN,
    errors: [403, 415],
  },
  signOut: {
    ...PAGE,
    summary: "Sign out of the admin page",
    answers: { 204: { description: "The session has ended" } },
  },
  listSessions: {
    ...{ ...PAGE, bearer: "administrator" },
    summary: "List the sessions of the administrator who is signed in",
    answers: { 200: { description: "Sessions", schema: object({ data: { type: "array", items: SESSION } }) } },
  },
  endSession: {
    ...{ ...PAGE, bearer: "administrator" },
    summary: "End a session of the administrator who is signed in",
    answers: { 204: { description: "The session has ended" } },
  },
} satisfies Readonly<Record<string, RouteDescription>>;

/** The schema of an object that has all of these keys. */
export function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", required: Object.keys(properties), properties };
}
