import type { JsonSchema, RouteDescription } from "@plinth/core/http";
import { restoreBody } from "./read-request.js";

const TEXT = { type: "string" } as const;
const NAMES = { type: "array", items: TEXT } as const;
const MAYBE = { type: ["string", "null"] } as const;
const TIME = { type: "string", format: "date-time" } as const;
const ACTION = {
  enum: ["baseline", "create", "update", "publish", "unpublish", "discardDraft", "delete", "import"],
} as const;
const ORIGIN = { type: ["object", "null"] } as const;
const PERSON = { anyOf: [{ type: "object", required: ["id", "name"] }, { type: "null" }] } as const;
const INFO = {
  ...{ id: TEXT, documentId: TEXT, locale: TEXT, at: TIME, action: ACTION, status: { enum: ["draft", "published"] } },
  ...{ changed: { anyOf: [NAMES, { type: "null" }] }, restoredFrom: MAYBE },
} as const;
const LOCALE = { description: "Default: the default locale", schema: TEXT } as const;

/** What the routes take and answer. @param tag - what they are listed under. */
export function describeRoutes(
  common: Pick<RouteDescription, "tag" | "bearer">,
  isAdmin: boolean,
): Readonly<Record<"types" | "list" | "findOne" | "compare" | "restore" | "deleted", RouteDescription>> {
  const who = isAdmin ? { origin: ORIGIN, who: PERSON } : {};
  const info = object({ ...INFO, ...who });
  const problem = object({ path: TEXT, problem: { enum: ["removed", "changed", "gone"] } });
  const version = object({ ...INFO, ...who, data: { type: "object" }, problems: { type: "array", items: problem } });
  const difference = { ...object({ attribute: TEXT }), properties: { attribute: TEXT, from: true, to: true } };
  const left = object({ attribute: TEXT, reason: { enum: ["removed", "changed", "gone", "not writable", "shared"] } });
  const restored = object({ documentId: TEXT, locale: TEXT, restored: NAMES, left: { type: "array", items: left } });
  const deleted = object({ id: TEXT, documentId: TEXT, locale: TEXT, at: TIME, data: { type: "object" }, ...who });
  const query = { locale: LOCALE };
  return {
    types: {
      ...common,
      summary: "List the content-types of which versions are kept",
      answers: answer("Those that the caller may find", list(TEXT)),
    },
    list: { ...common, summary: "List the versions of a document", query, answers: answer("Newest first", list(info)) },
    findOne: { ...common, summary: "Get a version of a document", query, answers: answer("The version", version) },
    compare: {
      ...common,
      summary: "Compare two versions of a document",
      query: {
        ...query,
        to: { description: "Id of the other version; default: `now`, the document as it is", schema: TEXT },
      },
      answers: answer("The attributes that differ", list(difference)),
    },
    restore: {
      ...common,
      summary: "Give a document the values of a version",
      query,
      headers: { "If-Match": "ETag of the document that is to be changed" },
      body: { schema: restoreBody, required: false },
      answers: answer("What was changed", restored),
      errors: [412],
    },
    deleted: {
      ...common,
      summary: "List documents that were deleted",
      query: {
        limit: { description: "Default: 25; at most 100", schema: TEXT },
        attributes: { description: "What of them is shown: `title,slug`; default: nothing", schema: TEXT },
      },
      answers: answer("The latest first", list(deleted)),
    },
  };
}

function answer(description: string, data: JsonSchema): RouteDescription["answers"] {
  return { 200: { description, schema: object({ data }) } };
}

const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });

function object(properties: Readonly<Record<string, JsonSchema>>) {
  return { type: "object", required: Object.keys(properties), properties } as const;
}
