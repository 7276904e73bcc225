import type { JsonSchema, RouteDescription } from "@plinth/core/http";
import { endpointBody, newEndpointBody } from "./endpoints/endpoint-schema.js";

const TEXT = { type: "string" } as const;
const TEXTS = { type: "array", items: TEXT } as const;
const YES = { type: "boolean" } as const;
const MAYBE_TEXT = { type: ["string", "null"] } as const;
const MAYBE_TIME = { type: ["string", "null"], format: "date-time" } as const;
const STATE = { enum: ["waiting", "delivered", "dead", "dropped"] } as const;

const SHOWN = {
  ...{ documentId: TEXT, source: { enum: ["database", "config"] }, name: TEXT, url: TEXT, events: TEXTS },
  ...{ types: { type: ["array", "null"], items: TEXT }, headers: TEXTS, format: { enum: ["standard", "strapi"] } },
  ...{ content: YES, coalesce: YES, enabled: YES, failingSince: MAYBE_TIME },
  disabled: { anyOf: [{ type: "null" }, object({ at: { type: "string", format: "date-time" }, reason: TEXT })] },
} as const;
const ENDPOINT = object(SHOWN);
const WITH_SECRETS = object({ ...SHOWN, secrets: { ...TEXTS, description: "Shown this once" } });

const CHANGED = object(
  { ...SHOWN, secrets: { ...TEXTS, description: "The new one, where `url` has another origin; shown this once" } },
  Object.keys(SHOWN),
);

const DELIVERY = object({
  ...{
    id: TEXT,
    event: { type: "integer" },
    message: TEXT,
    endpoint: TEXT,
    type: TEXT,
    uid: MAYBE_TEXT,
    documentId: MAYBE_TEXT,
  },
  ...{ at: { type: "string", format: "date-time" }, state: STATE, attempts: { type: "integer" } },
  ...{ nextAt: MAYBE_TIME, triedAt: MAYBE_TIME, status: { type: ["integer", "null"] }, error: MAYBE_TEXT },
  answer: MAYBE_TEXT,
});

const TEST = object({
  ...{ id: TEXT, at: { type: "string", format: "date-time" }, duration: { type: "integer" } },
  ...{ status: { type: ["integer", "null"] }, error: MAYBE_TEXT, answer: MAYBE_TEXT },
});
const OPTIONS = object({
  ...{ events: TEXTS, http: YES },
  types: { type: "array", items: object({ uid: TEXT, name: TEXT }) },
});

const EVENT = { description: "Of one event: its id, or the webhook-id of a message", schema: TEXT };
const SINCE = { description: "Of events since then: 90m, 12h, 3d or a date", schema: TEXT };
const CHOICE = object({ event: TEXT, since: TEXT, state: STATE }, []);
const HOW_MANY = answer("How many", object({ deliveries: { type: "integer" } }));
const ADMIN = { tag: "Administration", bearer: "administrator" } as const;

/** What the REST of webhooks takes and answers. */
export const descriptions = {
  list: { ...ADMIN, summary: "List webhooks", answers: answer("Every endpoint", { type: "array", items: ENDPOINT }) },
  create: {
    ...ADMIN,
    summary: "Make a webhook",
    body: { schema: newEndpointBody },
    answers: answer("The endpoint and its secrets", WITH_SECRETS, 201),
  },
  findOne: { ...ADMIN, summary: "Get a webhook", answers: answer("The endpoint", ENDPOINT) },
  update: {
    ...ADMIN,
    summary: "Change a webhook",
    body: { schema: endpointBody },
    answers: answer("The endpoint", CHANGED),
  },
  remove: { ...ADMIN, summary: "End a webhook", answers: { 204: { description: "It gets nothing any more" } } },
  rotate: {
    ...ADMIN,
    summary: "Give a webhook a new secret; the one before signs as well",
    answers: answer("The endpoint and its new secret", WITH_SECRETS),
  },
  test: {
    ...ADMIN,
    summary: "Send a signed test.ping to a webhook, once, and show what it answers",
    answers: answer("What came of it", TEST),
  },
  options: {
    ...ADMIN,
    summary: "Get the events and content-types that webhooks may ask for",
    answers: answer("What there is", OPTIONS),
  },
  deliveries: {
    ...ADMIN,
    summary: "List deliveries of a webhook, the latest first",
    query: {
      ...{ event: EVENT, since: SINCE, state: { description: "In this state", schema: STATE } },
      limit: { description: "At most so many, up to 1000", schema: { type: "integer", default: 100 } },
    },
    answers: answer("Deliveries", { type: "array", items: DELIVERY }),
  },
  replay: {
    ...ADMIN,
    summary: "Send deliveries of a webhook again: those that are dead, or in another state",
    body: { schema: CHOICE },
    answers: HOW_MANY,
  },
  drop: {
    ...ADMIN,
    summary: "Forget deliveries of a webhook: those that are dead, or in another state",
    body: { schema: CHOICE },
    answers: HOW_MANY,
  },
} satisfies Readonly<Record<string, RouteDescription>>;

function answer(description: string, data: JsonSchema, status = 200) {
  return { [status]: { description, schema: object({ data }) } };
}

function object(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: "object", properties, required };
}
