import { pascalCase } from "@plinth/core";
import type { JsonSchema, RouteDescription, RouteMethod } from "@plinth/core/http";
import type { ContentType } from "@plinth/core/schema";

const TEXT = { type: "string" } as const;
const TIME = { type: "string", format: "date-time" } as const;
const MAYBE_TIME = { type: ["string", "null"], format: "date-time" } as const;

/** An object with these members. */
export const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});

/** Why something cannot be done. */
export const PROBLEM = { code: TEXT, path: { type: "array", items: TEXT }, message: TEXT } as const;

const PROBLEMS: JsonSchema = { type: "array", items: object(PROBLEM) };
const SCHEDULES: JsonSchema = {
  type: "array",
  items: object({
    action: { enum: ["publish", "unpublish"] },
    locale: { type: ["string", "null"] },
    at: TIME,
    state: { enum: ["waiting", "failed"] },
    problems: PROBLEMS,
  }),
};

const LOCALE = { locale: { description: "Default: the app's default locale", schema: TEXT } };

/** What the routes of a schedule take and answer. @param type - undefined: of the admin page, where the path names it. */
export function describeSchedule(method: RouteMethod, type: ContentType | undefined): RouteDescription {
  const owner = type
    ? { tag: type.displayName, name: `${WORDS[method]}${pascalCase(type.singularName)}Schedule` }
    : ({ tag: "Admin page", bearer: "administrator" } as const);
  const query = !type || type.isLocalized ? { query: LOCALE } : {};
  return { ...owner, ...query, ...describe(method), errors: [404] };
}

const WORDS: Readonly<Partial<Record<RouteMethod, string>>> = { GET: "find", POST: "plan", DELETE: "cancel" };

function describe(method: RouteMethod): Pick<RouteDescription, "summary" | "body" | "answers"> {
  if (method === "GET")
    return {
      summary: "Show when a document is published and taken back",
      answers: {
        200: {
          description: "What waits or has failed; in all locales where none is named",
          schema: object({ data: SCHEDULES }),
        },
      },
    };
  if (method === "DELETE")
    return {
      summary: "Forget when a document is published and taken back",
      answers: { 204: { description: "It is forgotten" } },
    };
  const properties = { publishAt: MAYBE_TIME, unpublishAt: MAYBE_TIME, locale: TEXT };
  return {
    summary: "Say when a document is published and taken back",
    body: { schema: { type: "object", properties, additionalProperties: false } },
    answers: {
      200: {
        description: "What waits, and what publishing would be refused for today",
        schema: object({ data: SCHEDULES, meta: object({ problems: PROBLEMS }) }),
      },
    },
  };
}
