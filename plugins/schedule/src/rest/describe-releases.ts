import type { AnswerDescription, JsonSchema, RouteDescription } from "@plinth/core/http";
import { object, PROBLEM } from "./describe-schedules.js";

const TAG = { tag: "Releases" } as const;
const TEXT = { type: "string" } as const;
const MAYBE = { type: ["string", "null"] } as const;
const TIME = { type: "string", format: "date-time" } as const;
const MAYBE_TIME = { type: ["string", "null"], format: "date-time" } as const;
const ACTION = { enum: ["publish", "unpublish"] } as const;
const PLACE = { type: TEXT, documentId: TEXT, locale: MAYBE } as const;
const ID = { params: { id: { type: "integer" } } } as const;

const SEEN = {
  "If-Match": "`version` of the release as it was read: where it does something else by now, it is a 412",
};

const RELEASE = object({
  ...{ id: { type: "integer" }, name: TEXT, transaction: { type: "boolean" }, version: TEXT },
  state: { enum: ["open", "scheduled", "running", "done", "failed"] },
  ...{ at: MAYBE_TIME, createdAt: TIME, startedAt: MAYBE_TIME, endedAt: MAYBE_TIME },
  actions: {
    type: "array",
    items: object({
      ...{ ...PLACE, action: ACTION, state: { enum: ["waiting", "done", "failed"] } },
      problems: { type: "array", items: object(PROBLEM) },
    }),
  },
});

const NEW_ACTION: JsonSchema = {
  ...{ type: "object", required: ["type", "documentId", "action"], additionalProperties: false },
  properties: { type: TEXT, documentId: TEXT, locale: TEXT, action: ACTION },
};
const OLD_ACTION: JsonSchema = {
  ...{ type: "object", required: ["type", "documentId"], additionalProperties: false },
  properties: { type: TEXT, documentId: TEXT, locale: TEXT },
};
const CHANGES = {
  name: { type: "string", minLength: 1, maxLength: 200 },
  actions: { type: "array", items: NEW_ACTION, minItems: 1, maxItems: 1000 },
  transaction: { type: "boolean", description: "All or nothing; else one by one. Default: true" },
} as const;

const CHECK = object({
  problems: { type: "array", items: object({ ...PLACE, action: ACTION, ...PROBLEM }) },
  warnings: {
    type: "array",
    items: object({
      ...{ ...PLACE, path: { type: "array", items: TEXT } },
      target: object({ type: TEXT, documentId: TEXT }),
    }),
  },
});

const one = (description: string, schema: JsonSchema = RELEASE): AnswerDescription => ({
  description,
  schema: object({ data: schema }),
});

/** What the routes of releases take and answer. */
export const descriptions = {
  list: {
    ...{ ...TAG, summary: "List the newest releases" },
    query: {
      state: { description: "Of one state only", schema: TEXT },
      before: { description: "Below this id", schema: { type: "integer" } },
      type: { description: "With documentId: those that hold a document", schema: TEXT },
      documentId: { description: "With type", schema: TEXT },
    },
    answers: { 200: one("At most 25", { type: "array", items: RELEASE }) },
  },
  create: {
    ...{ ...TAG, summary: "Make a release" },
    body: {
      schema: { type: "object", required: ["name", "actions"], additionalProperties: false, properties: CHANGES },
    },
    answers: { 201: one("The release") },
  },
  get: { ...TAG, ...ID, summary: "Get a release", answers: { 200: one("The release") }, errors: [404] },
  update: {
    ...{ ...TAG, ...ID, summary: "Change a release that is open or has failed" },
    body: { schema: { type: "object", additionalProperties: false, properties: CHANGES } },
    answers: { 200: one("The release") },
    errors: [404, 409],
  },
  amend: {
    ...{ ...TAG, ...ID, summary: "Add documents to a release, and take others out" },
    body: {
      schema: {
        ...{ type: "object", additionalProperties: false },
        properties: { add: { type: "array", items: NEW_ACTION }, remove: { type: "array", items: OLD_ACTION } },
      },
    },
    answers: { 200: one("The release") },
    errors: [404, 409],
  },
  delete: {
    ...{ ...TAG, ...ID, summary: "Delete a release" },
    answers: { 204: { description: "It is gone" } },
    errors: [404, 409],
  },
  check: {
    ...{ ...TAG, ...ID, summary: "Find out what a release would be refused for" },
    answers: { 200: one("All problems, and relations that would lead to nothing", CHECK) },
    errors: [404],
  },
  schedule: {
    ...{ ...TAG, ...ID, summary: "Have a release run at a time" },
    body: { schema: { type: "object", required: ["at"], additionalProperties: false, properties: { at: TIME } } },
    headers: SEEN,
    answers: { 200: one("The release") },
    errors: [404, 409, 412],
  },
  cancel: {
    ...{ ...TAG, ...ID, summary: "Take the time of a release back" },
    answers: { 200: one("The release") },
    errors: [404, 409],
  },
  run: {
    ...{ ...TAG, ...ID, summary: "Run a release now" },
    headers: SEEN,
    answers: { 200: one("The release, done or failed") },
    errors: [404, 409, 412],
  },
} satisfies Readonly<Record<string, RouteDescription>>;
