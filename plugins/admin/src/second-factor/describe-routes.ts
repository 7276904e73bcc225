import type { RouteDescription } from "@plinth/core/http";
import { object } from "../accounts/describe-routes.js";
import { confirmBody, passkeyAskedBody, passkeyBody, passkeyNameBody, proofBody, totpBody } from "./bodies.js";

const TEXT = { type: "string" } as const;
const LIST = { type: "array", items: TEXT } as const;
const PAGE = { tag: "Admin page" } as const;
const OWN = { ...PAGE, bearer: "administrator" } as const;
const OVERVIEW = { type: "object" } as const;
const ADDED: RouteDescription["answers"] = {
  200: {
    description: "The second factor, and with the first one recovery codes, this once",
    schema: { type: "object", required: ["secondFactor"], properties: { secondFactor: OVERVIEW, recoveryCodes: LIST } },
  },
};
const LEFT: RouteDescription["answers"] = {
  200: { description: "What is left", schema: object({ secondFactor: OVERVIEW }) },
};
const OPTIONS = { options: { type: "object" } } as const;

/** What the routes about second factors take and answer. */
export const descriptions = {
  askPasskey: {
    ...PAGE,
    summary: "Ask for a passkey: of who gave the password, or any that the browser has",
    body: { schema: passkeyAskedBody },
    answers: {
      200: { description: "For navigator.credentials.get; a cookie holds the challenge", schema: object(OPTIONS) },
    },
    errors: [403, 415, 429],
  },
  prove: {
    ...PAGE,
    summary: "Sign in with a second factor",
    body: { schema: proofBody },
    answers: {
      200: {
        description: "Who is signed in; a cookie holds the session",
        schema: object({ user: { type: "object" } }),
      },
    },
    errors: [401, 403, 429],
  },
  confirm: {
    ...OWN,
    summary: "Give one's own password again, for changes of the second factor",
    body: { schema: confirmBody },
    answers: {
      200: {
        description: "Goes along as X-Plinth-Confirmation for ten minutes",
        schema: object({ confirmation: TEXT }),
      },
    },
    errors: [403, 429],
  },
  newTotp: {
    ...OWN,
    summary: "Make a secret for an authenticator app",
    answers: {
      200: { description: "The secret, as a link, too", schema: object({ secret: TEXT, uri: TEXT, ticket: TEXT }) },
    },
    errors: [403],
  },
  keepTotp: {
    ...OWN,
    summary: "Add an authenticator app by its first code",
    body: { schema: totpBody },
    answers: ADDED,
    errors: [403, 429],
  },
  dropTotp: { ...OWN, summary: "Remove the authenticator app", answers: LEFT, errors: [403, 404, 409] },
  passkeyOptions: {
    ...OWN,
    summary: "Ask for a new passkey",
    answers: {
      200: { description: "For navigator.credentials.create", schema: object({ ...OPTIONS, ticket: TEXT }) },
    },
    errors: [403],
  },
  addPasskey: {
    ...OWN,
    summary: "Add the passkey that the browser made",
    body: { schema: passkeyBody },
    answers: ADDED,
    errors: [403],
  },
  renamePasskey: {
    ...OWN,
    summary: "Give a passkey another name",
    body: { schema: passkeyNameBody },
    answers: LEFT,
    errors: [403],
  },
  dropPasskey: { ...OWN, summary: "Remove a passkey", answers: LEFT, errors: [403, 409] },
  recoveryCodes: {
    ...OWN,
    summary: "Make recovery codes anew; the old ones are not valid any more",
    answers: ADDED,
    errors: [403, 409],
  },
} satisfies Readonly<Record<string, RouteDescription>>;
