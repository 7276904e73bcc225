import type { JsonSchema, RouteDescription } from "@plinth/core/http";
import { STATES } from "../select-jobs.js";

const TEXT = { type: "string" } as const;
const NUMBER = { type: "integer" } as const;
const MAYBE = { type: ["string", "null"] } as const;
const TIME = { type: "string", format: "date-time" } as const;
const MAYBE_TIME = { type: ["string", "null"], format: "date-time" } as const;
const PAGE = { tag: "Admin page", bearer: "administrator" } as const;

const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  ...{ type: "object", properties, required: Object.keys(properties) },
});

const JOB = object({
  ...{ id: TEXT, job: TEXT, state: { enum: [...STATES] }, key: MAYBE, attempts: NUMBER, priority: NUMBER },
  ...{ createdAt: TIME, at: TIME, startedAt: MAYBE_TIME, endedAt: MAYBE_TIME, reason: MAYBE },
  data: { ...MAYBE, description: "JSON; values of members with the names of secrets are hidden" },
});

const QUEUE = object({
  ...{
    name: TEXT,
    isDeclared: { type: "boolean" },
    waiting: NUMBER,
    running: NUMBER,
    dead: NUMBER,
    nextAt: MAYBE_TIME,
  },
  cron: {
    anyOf: [{ type: "null" }, object({ expression: TEXT, timezone: TEXT, lastAt: MAYBE_TIME, nextAt: MAYBE_TIME })],
  },
});

const WHICH = {
  body: {
    schema: { type: "object", properties: { id: TEXT, job: TEXT }, additionalProperties: false },
  },
} as const;
const COUNT = { 200: { description: "How many", schema: object({ data: object({ jobs: NUMBER }) }) } } as const;

/** What the routes of jobs take and answer. */
export const descriptions = {
  list: {
    ...{ ...PAGE, summary: "List jobs that wait, run, or failed for the last time" },
    query: {
      state: { description: "In this state", schema: { enum: [...STATES] } },
      job: { description: "Of this name", schema: TEXT },
    },
    answers: {
      200: {
        description: "The oldest 50",
        schema: object({ data: { type: "array", items: JOB }, meta: object({ isCut: { type: "boolean" } }) }),
      },
    },
  },
  queues: {
    ...{ ...PAGE, summary: "List the queues of jobs, and when the clock enqueues them" },
    answers: {
      200: {
        description: "All queues; a count of `counted` means as many or more",
        schema: object({
          data: { type: "array", items: QUEUE },
          meta: object({ works: { type: "boolean" }, counted: NUMBER }),
        }),
      },
    },
  },
  retry: {
    ...{ ...PAGE, summary: "Have dead jobs run again: one by its id, or all of a name" },
    ...{ ...WHICH, answers: COUNT, errors: [404] },
  },
  drop: {
    ...{ ...PAGE, summary: "Delete a job that does not run by its id, or all dead ones of a name" },
    ...{ ...WHICH, answers: COUNT, errors: [404] },
  },
} satisfies Readonly<Record<string, RouteDescription>>;
