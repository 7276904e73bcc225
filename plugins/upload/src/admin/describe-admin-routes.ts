import type { JsonSchema, RouteDescription } from "@plinth/core/http";
import { fileInfo } from "../services/file-info.js";
import { cutBody } from "./cut-file.js";
import { selectionBodies } from "./file-selection.js";

const ADMIN = { tag: "Admin page", bearer: "administrator" } as const;
const TEXT = { type: "string" } as const;
const MAYBE = { type: ["string", "null"] } as const;
const WHOLE = { type: "integer" } as const;
const PIXELS = { type: ["integer", "null"] } as const;
const TIME = { type: "string", format: "date-time" } as const;
const BINARY = { type: "string", contentMediaType: "application/octet-stream" } as const;

const PERCENT = { type: "number", minimum: 0, maximum: 100 } as const;

const FILE = object({
  ...{ id: WHOLE, documentId: TEXT, name: TEXT, alternativeText: MAYBE, caption: MAYBE },
  ...{ url: TEXT, thumbnail: { ...MAYBE, description: "Url of a small picture of it" }, mime: TEXT },
  ...{ size: { ...WHOLE, description: "Bytes" }, width: PIXELS, height: PIXELS, createdAt: TIME, updatedAt: TIME },
  focalPoint: orNull(object({ x: PERCENT, y: PERCENT })),
  folder: orNull(object({ documentId: TEXT, name: TEXT })),
  createdBy: orNull(object({ id: WHOLE, name: TEXT })),
});
const LIST: JsonSchema = { type: "array", items: FILE };
const ONE = object({ data: FILE });

const USE = object({
  ...{ uid: TEXT, documentId: TEXT, id: WHOLE, locale: MAYBE, title: TEXT, subtitle: MAYBE, picture: MAYBE },
  ...{ state: { enum: ["draft", "modified", "published"] }, field: TEXT },
});
const USES: JsonSchema = { type: "array", items: USE };

const FORM = {
  headers: { "X-Plinth-Admin": "`1`: needed with the cookie of a session" },
  errors: [413, 503, 507],
} as const;

/** What the routes of files on the admin page take and answer. */
export const adminDescriptions = {
  list: {
    ...ADMIN,
    summary: "List files, newest first",
    query: {
      _q: { description: "A text in the name, the alternative text or the caption", schema: TEXT },
      folder: { description: "documentId of a folder, or `top`; default: wherever they are", schema: TEXT },
      types: { description: "Of `images`, `videos`, `audios`, `files`, with commas", schema: TEXT },
      sort: { description: "Such as `name:asc` or `size:desc`", schema: TEXT },
      cursor: { description: "`nextCursor` of the page before", schema: TEXT },
    },
    answers: {
      200: {
        description: "A page of 60",
        schema: object({ data: LIST, meta: object({ pagination: object({ pageSize: WHOLE, nextCursor: MAYBE }) }) }),
      },
    },
  },
  upload: {
    ...ADMIN,
    ...FORM,
    summary: "Upload files",
    body: {
      contentType: "multipart/form-data",
      schema: {
        type: "object",
        required: ["files"],
        properties: {
          files: { type: "array", items: BINARY },
          fileInfo: { type: "array", items: TEXT, description: "JSON of each file: its folder and its texts" },
        },
      },
    },
    answers: { 201: { description: "The files", schema: object({ data: LIST }) } },
  },
  findOne: {
    ...ADMIN,
    summary: "Get a file",
    answers: {
      200: {
        description: "The file, and what the caller may do with it",
        schema: object({ data: FILE, meta: object({ may: { type: "array", items: { enum: ["update", "delete"] } } }) }),
      },
    },
  },
  update: {
    ...ADMIN,
    summary: "Change the name, the texts, the focal point and the folder of a file",
    body: { schema: fileInfo },
    answers: { 200: { description: "The file", schema: ONE } },
  },
  remove: {
    ...ADMIN,
    summary: "Delete a file",
    query: { force: { description: "Also a file that documents use", schema: { type: "boolean" } } },
    answers: { 204: { description: "It is gone" } },
    errors: [409],
  },
  uses: {
    ...ADMIN,
    summary: "List the documents that use a file, of those that the caller finds",
    answers: { 200: { description: "The documents", schema: object({ data: USES }) } },
  },
  replace: {
    ...ADMIN,
    ...FORM,
    summary: "Put another content of the same kind behind the url of a file",
    body: { contentType: "multipart/form-data", schema: object({ files: BINARY }) },
    answers: { 200: { description: "The file", schema: ONE } },
  },
  cut: {
    ...ADMIN,
    summary: "Make a file of a part of a picture",
    body: { schema: cutBody },
    answers: { 201: { description: "The new file", schema: ONE } },
    errors: [503, 507],
  },
  move: {
    ...ADMIN,
    summary: "Move files into a folder",
    body: { schema: selectionBodies.move },
    answers: { 204: { description: "All of them are there" } },
  },
  removeMany: {
    ...ADMIN,
    summary: "Delete files, all or none",
    body: { schema: selectionBodies.delete },
    answers: { 204: { description: "All of them are gone" } },
    errors: [409],
  },
  usesOfMany: {
    ...ADMIN,
    summary: "List the files that documents use, of those that are named",
    body: { schema: selectionBodies.uses },
    answers: {
      200: {
        description: "The files with their documents, of those that the caller finds",
        schema: object({
          data: { type: "array", items: object({ documentId: TEXT, uses: USES, isCut: { type: "boolean" } }) },
        }),
      },
    },
  },
} satisfies Readonly<Record<string, RouteDescription>>;

function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", required: Object.keys(properties), properties };
}

function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}
