import type { JsonSchema, RouteDescription } from "@plinth/core/http";
import { object } from "../accounts/describe-routes.js";

const TEXT = { type: "string" } as const;
const MAYBE_TEXT = { type: ["string", "null"] } as const;
const ANY_OBJECT = { type: "object" } as const;
const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });

const PROBLEM = object({ uid: MAYBE_TEXT, path: TEXT, message: TEXT, remedy: TEXT });
const CHANGE = object({ id: TEXT, state: { enum: ["restarting", "ready", "failed"] }, problems: list(PROBLEM) });
const SCHEMA_CHANGE = object({
  ...{ uid: TEXT, shape: { enum: ["type", "component"] }, base: MAYBE_TEXT },
  schema: { type: ["object", "null"] },
});
const PLAN = object({
  ...{ problems: list(PROBLEM), steps: list(ANY_OBJECT), losses: list(ANY_OBJECT), hash: MAYBE_TEXT },
  files: list(object({ path: TEXT, before: MAYBE_TEXT, after: MAYBE_TEXT })),
});

const BUILDER = { tag: "Admin page", bearer: "administrator" } as const;
const answer = (description: string, schema: JsonSchema): RouteDescription["answers"] => ({
  200: { description, schema },
});

/** What the routes of the builder take and answer. */
export const descriptions = {
  show: {
    ...BUILDER,
    summary: "Get the schemas of content-types and components, and where each is written",
    answers: answer(
      "The content model",
      object({
        ...{ canChange: { type: "boolean" }, modelVersion: TEXT, shapes: list(ANY_OBJECT) },
        change: { anyOf: [CHANGE, { type: "null" }] },
      }),
    ),
  },
  change: {
    ...BUILDER,
    summary: "Get what became of the newest change of content-types",
    answers: answer("Whether the app runs with it", object({ change: { anyOf: [CHANGE, { type: "null" }] } })),
  },
  export: {
    ...BUILDER,
    summary: "Download all schema files",
    answers: answer("Files by path", object({ files: ANY_OBJECT })),
  },
  plan: {
    ...BUILDER,
    summary: "See what a change of content-types would do to files and tables",
    body: { schema: object({ changes: list(SCHEMA_CHANGE) }) },
    answers: answer("The plan; nothing is changed", PLAN),
    errors: [409],
  },
  apply: {
    ...BUILDER,
    summary: "Change content-types, and start the app with them",
    body: {
      schema: object({
        ...{ changes: list(SCHEMA_CHANGE), hash: TEXT },
        names: { type: "object", additionalProperties: TEXT },
      }),
    },
    answers: { 202: { description: "The files are written, and the app starts", schema: object({ change: CHANGE }) } },
    errors: [409],
  },
} satisfies Readonly<Record<string, RouteDescription>>;
