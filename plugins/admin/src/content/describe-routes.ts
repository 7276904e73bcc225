import type { JsonSchema, QueryDescription, RouteDescription } from "@plinth/core/http";
import { bulkBody, changesBody, checkBody, createBody, namedBody, workingCopyBody } from "./request-body.js";

const TEXT = { type: "string" } as const;
const NUMBER = { type: "integer" } as const;
const MAYBE = { type: ["string", "null"] } as const;
const TIME = { type: "string", format: "date-time" } as const;
const STATE = { enum: ["draft", "modified", "published"] } as const;

const PERSON: JsonSchema = { anyOf: [object({ id: NUMBER, name: TEXT }), { type: "null" }] };
const FACTS = object({
  ...{ state: STATE, createdBy: PERSON, updatedBy: PERSON },
  locales: { type: "array", items: object({ locale: TEXT, state: STATE }) },
});
const ENTRY = { ...object({ id: NUMBER, documentId: TEXT, _facts: FACTS }), additionalProperties: true };
const RELATED = {
  ...{ uid: TEXT, documentId: TEXT, id: NUMBER, locale: MAYBE },
  ...{ title: TEXT, subtitle: MAYBE, picture: MAYBE, state: STATE },
} as const;
const RELATED_ONE = object(RELATED);
const PROBLEM = object({ path: { type: "array" }, message: TEXT });
const WORKING_COPY = object({ base: MAYBE, changes: { type: "object" }, device: TEXT, savedAt: TIME });
const COPY_VIEW = object({ uid: TEXT, documentId: TEXT, locale: MAYBE, title: TEXT, savedAt: TIME });
const PAGE = object({ pageSize: NUMBER, nextCursor: MAYBE });

const ADMIN = { tag: "Admin page", bearer: "administrator", errors: [403] } as const;
const LOCALE = { description: "Default: the default locale", schema: TEXT };
const SEARCH = { description: "A text to search for", schema: TEXT };
const CURSOR = { description: "`nextCursor` of the page before", schema: TEXT };
const CONDITIONS = {
  filters: {
    description: "As in the content API, and `_state`: `draft`, `modified` or `published`",
    schema: { type: "object" },
  },
  _q: SEARCH,
  locale: LOCALE,
  fallbackLocale: {
    description: "Locales in their order, in which a document is listed that is not there in `locale`. Default: none",
    schema: TEXT,
  },
  status: { schema: { enum: ["draft", "published"] } },
} as const satisfies Readonly<Record<string, QueryDescription>>;
const IF_MATCH = {
  "If-Match": "ETag of the document that the changes are for",
  "If-None-Match": "`*`: the document is not there in this locale",
};
const ONE = answer("The document, as it is stored", object({ data: ENTRY }));

/** What the routes of content and of working copies take and answer. */
export const descriptions = {
  list: {
    ...ADMIN,
    summary: "List documents, newest first",
    query: {
      ...CONDITIONS,
      sort: { description: "As in the content API; default: `id:desc`", schema: TEXT },
      pagination: { description: "As in the content API; counted with `withCount` only", schema: { type: "object" } },
      fields: { description: "Attributes; default: those with a short value", schema: TEXT },
    },
    answers: answer("A page", object({ data: list(ENTRY), meta: object({ pagination: PAGE }) })),
  },
  count: {
    ...ADMIN,
    summary: "Count documents",
    query: CONDITIONS,
    answers: answer("Their number", object({ total: NUMBER })),
  },
  one: { ...ADMIN, summary: "Get a document with what its form needs", query: { locale: LOCALE }, answers: ONE },
  create: {
    ...ADMIN,
    summary: "Create a document",
    query: { locale: LOCALE },
    body: { schema: createBody },
    errors: [403, 412],
    answers: { 201: { description: "The document", schema: object({ data: ENTRY }) } },
  },
  update: {
    ...ADMIN,
    summary: "Change a document, or start a locale of it",
    query: { locale: LOCALE },
    headers: IF_MATCH,
    body: { schema: changesBody },
    answers: ONE,
    errors: [403, 412, 428],
  },
  remove: {
    ...ADMIN,
    summary: "Delete a document in a locale, or in all with `locale=*`",
    query: { locale: LOCALE },
    headers: IF_MATCH,
    answers: { 204: { description: "It is deleted" } },
    errors: [403, 412],
  },
  act: {
    ...ADMIN,
    summary: "Publish, unpublish or duplicate a document, or discard its draft",
    query: { locale: LOCALE },
    params: { action: { enum: ["publish", "unpublish", "discard-draft", "duplicate"] } },
    headers: IF_MATCH,
    answers: { ...ONE, 201: { description: "The copy", schema: object({ data: ENTRY }) } },
    errors: [403, 412],
  },
  bulk: {
    ...ADMIN,
    summary: "Do the same with up to 1,000 documents, all of them or none",
    params: { action: { enum: ["publish", "unpublish", "discard-draft", "delete", "set"] } },
    body: { schema: bulkBody },
    answers: { 204: { description: "It is done" } },
  },
  check: {
    ...ADMIN,
    summary: "List what a save would be refused for, without saving",
    query: { mode: { description: "Default: `save`", schema: { enum: ["save", "publish"] } } },
    body: { schema: checkBody },
    answers: answer("Every problem", object({ errors: list(PROBLEM) })),
  },
  candidates: {
    ...ADMIN,
    summary: "List what a relation may link to",
    query: {
      ...{ _q: SEARCH, cursor: CURSOR, locale: LOCALE },
      without: { description: "A document whose links are left out", schema: TEXT },
      type: { description: "Of a relation to several types: the one that is meant", schema: TEXT },
    },
    answers: answer("20 documents, newest first", relatedList(RELATED)),
  },
  linked: {
    ...ADMIN,
    summary: "List what a relation of a document links to",
    query: { cursor: CURSOR, locale: LOCALE },
    answers: answer("20 documents, in their order", relatedList(RELATED)),
  },
  uses: {
    ...ADMIN,
    summary: "List the documents that link to a document",
    query: { locale: LOCALE },
    answers: answer("Those that the caller sees", object({ data: list(object({ ...RELATED, field: TEXT })) })),
  },
  named: {
    ...ADMIN,
    summary: "Name documents and files, nothing is written",
    body: { schema: namedBody },
    answers: answer("Those that the caller sees", object({ data: list(RELATED_ONE), files: list({ type: "object" }) })),
  },
  copies: {
    ...ADMIN,
    summary: "List one's own working copies",
    answers: answer("The last saved first", object({ data: list(COPY_VIEW) })),
  },
  copy: {
    ...ADMIN,
    summary: "Get one's own working copy of a document",
    query: { locale: LOCALE },
    answers: answer(
      "What was typed and not saved; null: nothing was",
      object({ data: { anyOf: [WORKING_COPY, { type: "null" }] } }),
    ),
  },
  putCopy: {
    ...ADMIN,
    summary: "Keep what was typed and not saved",
    query: { locale: LOCALE },
    body: { schema: workingCopyBody },
    answers: answer("It is kept for 30 days", object({ data: WORKING_COPY })),
    errors: [403, 413],
  },
  removeCopy: {
    ...ADMIN,
    summary: "Forget one's own working copy of a document",
    query: { locale: LOCALE },
    answers: { 204: { description: "There is none" } },
  },
} satisfies Readonly<Record<string, RouteDescription>>;

function relatedList(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return object({ data: list(object(properties)), meta: object({ nextCursor: MAYBE }) });
}

function answer(description: string, schema: JsonSchema): RouteDescription["answers"] {
  return { 200: { description, schema } };
}

function list(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

function object(properties: Readonly<Record<string, JsonSchema>>): { readonly [keyword: string]: unknown } {
  return { type: "object", required: Object.keys(properties), properties };
}
