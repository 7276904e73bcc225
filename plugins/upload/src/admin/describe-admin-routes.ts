import type { JsonSchema, RouteDescription } from "@plinth/core/http";
import { fileChanges } from "../services/file-info.js";

const ADMIN = { tag: "Admin page", bearer: "administrator" } as const;
const TEXT = { type: "string" } as const;
const MAYBE = { type: ["string", "null"] } as const;
const PIXELS = { type: ["integer", "null"] } as const;
const BINARY = { type: "string", contentMediaType: "application/octet-stream" } as const;

const FILE = object({
  ...{ id: { type: "integer" }, documentId: TEXT, name: TEXT, alternativeText: MAYBE, caption: MAYBE },
  ...{ url: TEXT, thumbnail: { ...MAYBE, description: "Url of a small picture of it" }, mime: TEXT },
  ...{ size: { type: "integer", description: "Bytes" }, width: PIXELS, height: PIXELS },
  createdAt: { type: "string", format: "date-time" },
});
const LIST: JsonSchema = { type: "array", items: FILE };

/** What the routes of files on the admin page take and answer. */
export const adminDescriptions = {
  list: {
    ...ADMIN,
    summary: "List files, newest first",
    query: {
      _q: { description: "A text in the name, the alternative text or the caption", schema: TEXT },
      types: { description: "Of `images`, `videos`, `audios`, `files`, with commas", schema: TEXT },
      cursor: { description: "`nextCursor` of the page before", schema: TEXT },
    },
    answers: {
      200: { description: "A page of 24", schema: object({ data: LIST, meta: object({ nextCursor: MAYBE }) }) },
    },
  },
  upload: {
    ...ADMIN,
    summary: "Upload files",
    headers: { "X-Plinth-Admin": "`1`: needed with the cookie of a session" },
    body: { contentType: "multipart/form-data", schema: object({ files: { type: "array", items: BINARY } }) },
    answers: { 201: { description: "The files", schema: object({ data: LIST }) } },
    errors: [413],
  },
  findOne: {
    ...ADMIN,
    summary: "Get a file",
    answers: { 200: { description: "The file", schema: object({ data: FILE }) } },
  },
  update: {
    ...ADMIN,
    summary: "Change the name and the texts of a file",
    body: { schema: fileChanges },
    answers: { 200: { description: "The file", schema: object({ data: FILE }) } },
  },
  remove: {
    ...ADMIN,
    summary: "Delete a file",
    query: { force: { description: "Also a file that documents use", schema: { type: "boolean" } } },
    answers: { 204: { description: "It is gone" } },
    errors: [409],
  },
} satisfies Readonly<Record<string, RouteDescription>>;

function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", required: Object.keys(properties), properties };
}
