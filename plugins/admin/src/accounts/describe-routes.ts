import type { JsonSchema, RouteDescription } from "@plinth/core/http";
import {
  acceptanceBody,
  accountBody,
  codeBody,
  emailBody,
  forgottenBody,
  invitationBody,
  ownAccountBody,
  passwordBody,
  resetBody,
  signInBody,
  welcomeBody,
} from "./bodies.js";

const TEXT = { type: "string" } as const;
const FLAG = { type: "boolean" } as const;
const MAYBE_TEXT = { type: ["string", "null"] } as const;
const TIME = { type: "string", format: "date-time" } as const;
const MAYBE_TIME = { type: ["string", "null"], format: "date-time" } as const;

const SIGNED = object({
  ...{ id: { type: "integer" }, documentId: TEXT, name: TEXT, email: TEXT, role: TEXT, language: MAYBE_TEXT },
});
const SESSION = object({
  ...{ id: TEXT, isCurrent: FLAG, agent: TEXT, network: MAYBE_TEXT, createdAt: TIME, lastUsedAt: TIME },
});
const KINDS = { type: "array", items: { enum: ["totp", "passkey", "recovery"] } } as const;
const ACCOUNT = object({
  ...{ id: TEXT, name: TEXT, email: TEXT, role: TEXT, isActive: FLAG, lastSeenAt: MAYBE_TIME, createdAt: TIME },
  ...{ secondFactor: KINDS, isMe: FLAG, mayChange: FLAG },
});
const INVITATION = object({
  ...{ id: TEXT, email: TEXT, role: TEXT, invitedBy: MAYBE_TEXT, createdAt: TIME, expiresAt: TIME },
});
const LINK = { isSent: FLAG, link: MAYBE_TEXT } as const;
const INVITED = { description: "The invitation", schema: object({ invitation: INVITATION, ...LINK }) };
const OWN = object({
  ...{ name: TEXT, email: TEXT, role: TEXT, language: MAYBE_TEXT, passwordLength: { type: "integer" } },
  secondFactor: { type: "object" },
});

const PAGE = { tag: "Admin page" } as const;
const BY_ADMIN = { ...PAGE, bearer: "administrator" } as const;
const SIGNED_IN: RouteDescription["answers"] = {
  200: { description: "Who is signed in; a cookie holds the session", schema: object({ user: SIGNED }) },
};
const DONE = { 204: { description: "It is done" } } as const;
const listOf = (description: string, items: JsonSchema) => ({
  200: { description, schema: object({ data: { type: "array", items } }) },
});
const one = (description: string, schema: JsonSchema) => ({ 200: { description, schema: object({ data: schema }) } });

/** What the routes about signing in and sessions take and answer. */
export const descriptions = {
  entrance: {
    ...PAGE,
    summary: "Get what the page needs before anybody has signed in",
    answers: {
      200: { description: "Rules", schema: object({ passwordLength: { type: "integer" }, canReset: FLAG }) },
    },
  },
  signIn: {
    ...PAGE,
    summary: "Sign in to the admin page; where there is a second factor, the first half of it",
    body: { schema: signInBody },
    answers: {
      200: {
        description: "Who is signed in, or what the second half takes; a cookie holds it",
        schema: { anyOf: [object({ user: SIGNED }), object({ secondFactor: KINDS })] },
      },
    },
    errors: [401, 403, 415, 429],
  },
  welcome: {
    ...PAGE,
    summary: "Become the first administrator by a link, and sign in",
    body: { schema: welcomeBody },
    answers: SIGNED_IN,
    errors: [403, 415],
  },
  signOut: { ...PAGE, summary: "Sign out of the admin page", answers: DONE },
  listSessions: {
    ...BY_ADMIN,
    summary: "List the sessions of the administrator who is signed in",
    answers: listOf("Sessions", SESSION),
  },
  endSession: { ...BY_ADMIN, summary: "End a session of the administrator who is signed in", answers: DONE },
  endOtherSessions: {
    ...BY_ADMIN,
    summary: "End all sessions and bearers of the administrator who is signed in, but this session",
    answers: DONE,
  },
} satisfies Readonly<Record<string, RouteDescription>>;

/** What the routes about invitations and forgotten passwords take and answer. */
export const linkDescriptions = {
  invitations: {
    ...BY_ADMIN,
    summary: "List invitations that were not accepted",
    answers: listOf("Invitations", INVITATION),
  },
  invite: {
    ...BY_ADMIN,
    summary: "Invite an administrator: by mail, or by a link that is answered this once",
    body: { schema: invitationBody },
    answers: { 201: INVITED },
    errors: [403, 404, 409],
  },
  resend: {
    ...BY_ADMIN,
    summary: "Send an invitation again, with another link",
    answers: { 200: INVITED },
    errors: [403],
  },
  revoke: { ...BY_ADMIN, summary: "Take an invitation back", answers: DONE, errors: [403] },
  look: {
    ...PAGE,
    summary: "Get whom an invitation is for",
    body: { schema: codeBody },
    answers: { 200: { description: "Address and role", schema: object({ email: TEXT, role: TEXT }) } },
    errors: [403],
  },
  accept: {
    ...PAGE,
    summary: "Accept an invitation, and sign in",
    body: { schema: acceptanceBody },
    answers: SIGNED_IN,
    errors: [403, 415],
  },
  forgot: {
    ...PAGE,
    summary: "Ask for a link for a new password; the answer does not tell whether there is such an account",
    body: { schema: forgottenBody },
    answers: DONE,
    errors: [403, 409, 429],
  },
  reset: {
    ...PAGE,
    summary: "Set a new password by a link; all sessions of the account end",
    body: { schema: resetBody },
    answers: DONE,
    errors: [403],
  },
} satisfies Readonly<Record<string, RouteDescription>>;

/** What the routes about accounts take and answer. */
export const accountDescriptions = {
  list: {
    ...BY_ADMIN,
    summary: "List administrators",
    answers: {
      200: {
        description: "Accounts, and the roles that they can have",
        schema: object({
          data: { type: "array", items: ACCOUNT },
          roles: { type: "array", items: object({ name: TEXT, mayGive: FLAG }) },
          hasMail: FLAG,
        }),
      },
    },
  },
  change: {
    ...BY_ADMIN,
    summary: "Change the role of an administrator, or deactivate them; their sessions end",
    body: { schema: accountBody },
    answers: DONE,
    errors: [403, 404, 409],
  },
  remove: { ...BY_ADMIN, summary: "Remove an administrator; what they wrote stays", answers: DONE, errors: [403, 409] },
  resetLink: {
    ...BY_ADMIN,
    summary: "Make a link for a new password: by mail, or answered this once",
    answers: { 200: { description: "The link", schema: object(LINK) } },
    errors: [403, 409],
  },
  resetSecondFactor: {
    ...BY_ADMIN,
    summary: "Take the second factor of an administrator away; their sessions end",
    answers: DONE,
    errors: [403, 409],
  },
  sessions: {
    ...BY_ADMIN,
    summary: "List the sessions of an administrator",
    answers: listOf("Sessions", SESSION),
    errors: [403, 409],
  },
  endSession: { ...BY_ADMIN, summary: "End a session of an administrator", answers: DONE, errors: [403, 409] },
  endSessions: { ...BY_ADMIN, summary: "End all sessions of an administrator", answers: DONE, errors: [403, 409] },
} satisfies Readonly<Record<string, RouteDescription>>;

/** What the routes about one's own account take and answer. */
export const ownDescriptions = {
  get: { ...BY_ADMIN, summary: "Get one's own account", answers: one("The account", OWN) },
  change: {
    ...BY_ADMIN,
    summary: "Change one's own name or language",
    body: { schema: ownAccountBody },
    answers: one("The account", OWN),
  },
  email: {
    ...BY_ADMIN,
    summary: "Change one's own e-mail address; other sessions end",
    body: { schema: emailBody },
    answers: one("The account", OWN),
    errors: [429],
  },
  password: {
    ...BY_ADMIN,
    summary: "Change one's own password; other sessions end",
    body: { schema: passwordBody },
    answers: DONE,
    errors: [429],
  },
} satisfies Readonly<Record<string, RouteDescription>>;

/** The schema of an object that has all of these keys. */
export function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", required: Object.keys(properties), properties };
}
