import type { JsonSchema, RouteDescription } from "@plinth/core/http";
import { localeBody, newLocaleBody } from "./check-locale.js";

const TEXT = { type: "string" } as const;
const TIME = { type: "string", format: "date-time" } as const;
const CODES = { type: "array", items: TEXT, description: "Codes of the locales that stand in, in this order" } as const;

const OWN = { code: TEXT, name: TEXT, isDefault: { type: "boolean" } } as const;
const SHOWN = {
  id: { type: "integer" },
  documentId: TEXT,
  ...OWN,
  createdAt: TIME,
  updatedAt: TIME,
  publishedAt: TIME,
};

/** A locale as visitors see it. */
const LOCALE = object(SHOWN);
const ANSWER = object({ data: object({ ...SHOWN, fallback: CODES }) });
const ADMIN = { tag: "Administration", bearer: "administrator" } as const;

/** `GET /api/i18n/locales` */
export const publicDescription: RouteDescription = {
  tag: "Locales",
  summary: "List locales",
  name: "findLocales",
  answers: { 200: { description: "Every locale", schema: { type: "array", items: LOCALE } } },
};

/** What administrators may do with locales. */
export const adminDescriptions = {
  list: {
    ...ADMIN,
    summary: "List locales with their fallbacks",
    answers: {
      200: {
        description: "Every locale",
        schema: object({ data: { type: "array", items: object({ ...SHOWN, fallback: CODES }) } }),
      },
    },
  },
  findOne: { ...ADMIN, summary: "Get a locale", answers: { 200: { description: "The locale", schema: ANSWER } } },
  create: {
    ...ADMIN,
    summary: "Add a locale",
    body: { schema: newLocaleBody },
    answers: { 201: { description: "The locale", schema: ANSWER } },
  },
  update: {
    ...ADMIN,
    summary: "Change a locale",
    body: { schema: localeBody },
    answers: { 200: { description: "The locale", schema: ANSWER } },
  },
  remove: {
    ...ADMIN,
    summary: "Delete a locale",
    query: { force: { description: "With what documents have in it", schema: { type: "boolean" } } },
    answers: { 204: { description: "It is gone" } },
    errors: [409],
  },
} satisfies Readonly<Record<string, RouteDescription>>;

function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", required: Object.keys(properties), properties };
}
