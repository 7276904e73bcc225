import type { JsonSchema, RouteDescription } from "@plinth/core/http";
import { preferenceBody } from "./preferences/preferences.js";
import { viewBody, viewChanges } from "./views/saved-views.js";

const TEXT = { type: "string" } as const;
const NUMBER = { type: "integer" } as const;
const MAYBE = { type: ["string", "null"] } as const;
const FLAG = { type: "boolean" } as const;
const TIME = { type: "string", format: "date-time" } as const;
const PERSON: JsonSchema = { anyOf: [object({ id: NUMBER, name: TEXT }), { type: "null" }] };
const LEFT = object({ filters: NUMBER, columns: NUMBER, sort: FLAG, locale: FLAG });
const VIEW = object({
  ...{ id: TEXT, name: TEXT, state: { type: "object" }, isOwn: FLAG, isEditable: FLAG, isShared: FLAG },
  ...{ roles: { type: "array", items: TEXT }, owner: PERSON, left: LEFT },
});
const DOCUMENT = {
  ...{ uid: TEXT, documentId: TEXT, id: NUMBER, locale: MAYBE, title: TEXT, subtitle: MAYBE, picture: MAYBE },
  state: { enum: ["draft", "modified", "published"] },
} as const;

const ADMIN = { tag: "Admin page", bearer: "administrator", errors: [403] } as const;

/** What the routes of saved views, preferences, the search of everything, files of lists and the home screen take and answer. */
export const descriptions = {
  views: {
    ...ADMIN,
    summary: "List the saved views of a type: one's own, and those that are shared with one's role",
    answers: answer(
      "Conditions and columns that the caller may not read are left out",
      object({ data: list(VIEW), meta: object({ roles: list(TEXT) }) }),
    ),
  },
  createView: {
    ...ADMIN,
    summary: "Save a view of a list; to share it with roles takes `plugin::admin.views`",
    body: { schema: viewBody },
    answers: { 201: { description: "The view", schema: object({ data: VIEW }) } },
    errors: [403, 409, 413],
  },
  updateView: {
    ...ADMIN,
    summary: "Change a view: one's own, and with `plugin::admin.views` one that is shared",
    body: { schema: viewChanges },
    answers: answer("The view", object({ data: VIEW })),
    errors: [403, 413],
  },
  deleteView: { ...ADMIN, summary: "Delete a view", answers: { 204: { description: "It is deleted" } } },
  preference: {
    ...ADMIN,
    summary: "Get a preference of one's own account",
    answers: answer("Its value; null: none", object({ value: true })),
  },
  putPreference: {
    ...ADMIN,
    summary: "Set a preference of one's own account; null removes it",
    body: { schema: preferenceBody },
    answers: answer("Its value", object({ value: true })),
    errors: [403, 409, 413],
  },
  search: {
    ...ADMIN,
    summary: "Find documents of all types by their titles, and by whole ids",
    query: {
      q: { description: "2 to 200 characters", schema: TEXT },
      types: { description: "Uids with commas: those that are looked into first", schema: TEXT },
    },
    answers: answer(
      "At most 20, five of a type",
      object({ data: list(object(DOCUMENT)), meta: object({ isPartial: FLAG }) }),
    ),
  },
  export: {
    ...ADMIN,
    summary: "Download a list as CSV",
    query: {
      filters: { description: "As in the content API", schema: { type: "object" } },
      _q: { description: "A text to search for", schema: TEXT },
      sort: { description: "As in the content API; default: `id:desc`", schema: TEXT },
      locale: { description: "Default: the default locale", schema: TEXT },
      status: { schema: { enum: ["draft", "published"] } },
      fields: { description: "Attributes; default: those with a short value", schema: TEXT },
      name: { description: "Of the view, for the name of the file", schema: TEXT },
      separator: { schema: { enum: ["comma", "semicolon"] } },
      bom: {
        description: "Whether a byte order mark stands first, for spreadsheets",
        schema: { enum: ["true", "false"] },
      },
    },
    answers: { 200: { description: "The rows", contentType: "text/csv", schema: TEXT } },
    errors: [403, 413],
  },
  changed: {
    ...ADMIN,
    summary: "List what others changed in a week, of the newest documents of each type",
    answers: answer("The latest first", object({ data: list(object({ ...DOCUMENT, at: TIME, by: PERSON })) })),
  },
} satisfies Readonly<Record<string, RouteDescription>>;

function answer(description: string, schema: JsonSchema): RouteDescription["answers"] {
  return { 200: { description, schema } };
}

function list(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

function object(properties: Readonly<Record<string, JsonSchema>>): { readonly [keyword: string]: unknown } {
  return { type: "object", required: Object.keys(properties), properties };
}
