import type { JsonSchema, RouteDescription } from "@plinth/core/http";
import { folderBody, folderChanges } from "./admin-folders.js";

const ADMIN = { tag: "Admin page", bearer: "administrator" } as const;
const TEXT = { type: "string" } as const;

const FOLDER: JsonSchema = {
  type: "object",
  required: ["id", "documentId", "name", "parent", "files"],
  properties: {
    id: { type: "integer" },
    documentId: TEXT,
    name: TEXT,
    parent: { type: ["string", "null"], description: "documentId of the folder that it lies in" },
    files: { type: "integer", description: "How many files the caller finds in it" },
  },
};

const dataOf = (data: JsonSchema): JsonSchema => ({ type: "object", required: ["data"], properties: { data } });
const ONE = dataOf(FOLDER);

/** What the routes of folders on the admin page take and answer. */
export const folderDescriptions = {
  list: {
    ...ADMIN,
    summary: "List all folders by name",
    answers: { 200: { description: "The folders", schema: dataOf({ type: "array", items: FOLDER }) } },
  },
  create: {
    ...ADMIN,
    summary: "Make a folder",
    body: { schema: folderBody },
    answers: { 201: { description: "The folder", schema: ONE } },
  },
  update: {
    ...ADMIN,
    summary: "Rename or move a folder",
    body: { schema: folderChanges },
    answers: { 200: { description: "The folder", schema: ONE } },
  },
  remove: {
    ...ADMIN,
    summary: "Delete an empty folder",
    answers: { 204: { description: "It is gone" } },
    errors: [409],
  },
} satisfies Readonly<Record<string, RouteDescription>>;
