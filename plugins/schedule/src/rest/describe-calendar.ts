import type { JsonSchema, RouteDescription } from "@plinth/core/http";
import { object, PROBLEM } from "./describe-schedules.js";

const TEXT = { type: "string" } as const;
const MAYBE = { type: ["string", "null"] } as const;
const TIME = { type: "string", format: "date-time" } as const;
const MAYBE_TIME = { type: ["string", "null"], format: "date-time" } as const;

/** Who planned something. */
export const PLANNER: JsonSchema = { anyOf: [{ type: "null" }, object({ kind: TEXT, name: MAYBE })] };

const DOCUMENT = object({
  ...{ kind: { const: "document" }, type: TEXT, documentId: TEXT, locale: MAYBE },
  ...{ action: { enum: ["publish", "unpublish"] }, at: TIME, state: { enum: ["waiting", "done", "failed"] } },
  ...{ endedAt: MAYBE_TIME, by: PLANNER, problems: { type: "array", items: object(PROBLEM) } },
});
const RELEASE = object({
  ...{ kind: { const: "release" }, id: { type: "integer" }, name: TEXT, at: TIME, endedAt: MAYBE_TIME, by: PLANNER },
  ...{ state: { enum: ["scheduled", "running", "done", "failed"] }, documents: { type: "integer" } },
});

/** What the route of the calendar takes and answers. */
export const describeCalendar: RouteDescription = {
  ...{ tag: "Admin page", bearer: "administrator" },
  summary: "List what is planned in a span of time, and what came of it",
  query: {
    from: { description: "The first moment", schema: TIME },
    to: { description: "Before this one; at most 400 days later", schema: TIME },
    type: { description: "Of one content-type: its uid", schema: TEXT },
  },
  answers: {
    200: {
      description: "Documents and releases that the caller sees, at most 500 of each; isCut says that there are more",
      schema: object({
        data: { type: "array", items: { anyOf: [DOCUMENT, RELEASE] } },
        meta: object({ isCut: { type: "boolean" } }),
      }),
    },
  },
};
