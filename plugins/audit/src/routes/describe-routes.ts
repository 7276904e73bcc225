import type { JsonSchema, QueryDescription, RouteDescription } from "@plinth/core/http";

const TEXT = { type: "string" } as const;
const NUMBER = { type: "integer" } as const;
const TIME = { type: "string", format: "date-time" } as const;
const TEXTS = { type: "array", items: TEXT } as const;
const RESULT = { enum: ["accepted", "refused", "limited", "failed"] } as const;
const COMMON = { tag: "Administration", bearer: "administrator" } as const;

const ENTRY: JsonSchema = {
  type: "object",
  required: ["id", "at", "action", "result", "transport"],
  properties: {
    ...{ id: NUMBER, at: TIME, action: TEXT, result: RESULT, transport: TEXT },
    actor: { type: "object", required: ["kind"], properties: { kind: TEXT, id: TEXT, name: TEXT } },
    ...{ uid: TEXT, documentId: TEXT, locales: TEXTS, attributes: TEXTS },
    ...{ requestId: TEXT, address: TEXT, agent: TEXT, details: { type: "object" } },
  },
};

const SEAL: JsonSchema = {
  type: ["object", "null"],
  required: ["id", "at", "last", "previous", "hash"],
  properties: { id: NUMBER, at: TIME, last: NUMBER, previous: TEXT, hash: TEXT },
};

const KEEPS = object({ personal: { enum: ["none", "truncated", "full"] }, names: { type: "boolean" }, days: NUMBER });
const CHECKED = object({
  ...{ isWhole: { type: "boolean" }, break: { type: ["object", "null"] }, seals: NUMBER, entries: NUMBER },
  ...{ unsealed: NUMBER, unsealedSince: { type: ["string", "null"] }, head: SEAL },
  ...{ isAll: { type: "boolean" }, isDone: { type: "boolean" } },
});

const asked = (description: string, schema: JsonSchema = TEXT): QueryDescription => ({ description, schema });

/** Which entries are wanted. */
const SELECTION = {
  since: asked("Since then: 90m, 12h, 3d or a date"),
  until: asked("Until then"),
  actor: asked("By whom: user:k2v9..., a kind or an id"),
  action: asked("What: document.update, or auth.* for several"),
  result: asked("How it ended", RESULT),
  uid: asked("About a content-type"),
  documentId: asked("About a document"),
} as const;

/** What the routes take and answer. */
export const descriptions = {
  list: {
    ...COMMON,
    summary: "List who did what, the latest first",
    query: {
      ...SELECTION,
      limit: asked("Default: 100; at most 1000"),
      after: asked("`meta.next` of the page before"),
    },
    answers: {
      200: {
        description: "Some entries",
        schema: object({
          data: { type: "array", items: ENTRY },
          meta: object({ next: { type: ["string", "null"] } }),
        }),
      },
    },
  },
  export: {
    ...COMMON,
    summary: "Get who did what as lines, oldest first",
    query: SELECTION,
    answers: { 200: { description: "Each line is an entry", contentType: "application/jsonl", schema: ENTRY } },
  },
  head: {
    ...COMMON,
    summary: "Get the latest seal of the audit log, and what is kept",
    answers: {
      200: {
        description: "The seal; null before the first",
        schema: object({ data: SEAL, meta: object({ keeps: KEEPS }) }),
      },
    },
  },
  check: {
    ...COMMON,
    summary: "Check that the latest 10,000 entries are as they were sealed",
    answers: { 200: { description: "What was found, after two seconds at most", schema: object({ data: CHECKED }) } },
  },
} satisfies Readonly<Record<string, RouteDescription>>;

function object(properties: Readonly<Record<string, JsonSchema>>) {
  return { type: "object", required: Object.keys(properties), properties } as const;
}
