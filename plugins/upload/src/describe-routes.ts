import type { JsonSchema, RouteDescription } from "@plinth/core/http";
import {
  type DescribedType,
  describeRoute,
  listQuery,
  PAGINATION_QUERY,
  PAGINATION_SCHEMA,
  shownQuery,
} from "@plinth/plugin-content-api";
import { FILE_TYPE, FOLDER_TYPE, folderType } from "./content-types.js";

const tag = "Upload";
const BINARY: JsonSchema = { type: "string", contentMediaType: "application/octet-stream" };
const TEXT: JsonSchema = { type: "string" };
const FILE: JsonSchema = {
  allOf: [{ $ref: FILE_TYPE }, { type: "object", properties: { isUrlSigned: { type: "boolean" } } }],
};
const ID = { params: { id: { type: "integer", minimum: 1 } } };
const LIST_QUERY = { ...listQuery(FILE_TYPE), pagination: PAGINATION_QUERY, ...shownQuery(FILE_TYPE) };

const fileBody: JsonSchema = {
  type: "object",
  properties: {
    files: { type: "array", items: BINARY, description: "One at least, but where only the info of a file changes" },
    fileInfo: {
      ...TEXT,
      description: "JSON: name, alternativeText, caption, focalPoint, folder; a list for several files",
    },
    ref: { ...TEXT, description: "Uid of the content-type of a document that the files are for" },
    refId: { ...TEXT, description: "Its row id or document id" },
    field: { ...TEXT, description: "Its media attribute" },
  },
};

/** What the routes of files take and answer, by their action. */
export const fileDescriptions = {
  upload: {
    tag,
    summary: "Upload files, or change one",
    name: "uploadFiles",
    query: { id: { description: "Of the file to change", schema: { type: "integer", minimum: 1 } } },
    body: { contentType: "multipart/form-data", schema: fileBody },
    answers: {
      200: { description: "The file that was changed", schema: FILE },
      201: { description: "The files", schema: { type: "array", items: FILE } },
    },
    errors: [404],
  },
  find: {
    tag,
    summary: "List files",
    name: "findFiles",
    query: LIST_QUERY,
    answers: {
      200: { description: "All of them, unless pagination says otherwise", schema: { type: "array", items: FILE } },
    },
  },
  findPage: {
    tag,
    summary: "List files by pages",
    name: "findFilePage",
    query: LIST_QUERY,
    answers: { 200: { description: "A page of files", schema: pageOf(FILE) } },
  },
  findOne: {
    tag,
    summary: "Get a file",
    name: "findFile",
    ...ID,
    query: shownQuery(FILE_TYPE),
    answers: { 200: { description: "The file", schema: FILE } },
  },
  findUses: {
    tag,
    summary: "List the documents that use a file",
    name: "findFileUses",
    ...ID,
    answers: {
      200: {
        description: "The files that are visible to the caller",
        schema: {
          type: "object",
          required: ["data"],
          properties: {
            data: {
              type: "array",
              items: { type: "object", required: ["uid", "documentId"], properties: { uid: TEXT, documentId: TEXT } },
            },
          },
        },
      },
    },
  },
  destroy: {
    tag,
    summary: "Delete a file",
    name: "deleteFile",
    ...ID,
    query: { force: { description: "Also a file that documents use", schema: { type: "boolean" } } },
    answers: { 200: { description: "What it was", schema: FILE } },
    errors: [409],
  },
} satisfies Readonly<Record<string, RouteDescription>>;

/** The bytes of a file. */
export const servedDescription: RouteDescription = {
  tag,
  summary: "Get the content of a file",
  name: "getFileContent",
  answers: {
    200: { description: "The content", contentType: "*/*", schema: BINARY },
    206: { description: "The part that Range asks for", contentType: "*/*", schema: BINARY },
    304: { description: "Nothing has changed" },
  },
  errors: [416],
};

const folder: DescribedType = {
  uid: FOLDER_TYPE,
  kind: "collectionType",
  ...folderType.info,
  hasDrafts: false,
  isLocalized: false,
} as DescribedType;

/** Folders are content of any other type. */
export function describeFolder(action: "find" | "findOne" | "create" | "update" | "delete"): RouteDescription {
  return describeRoute(folder, action, action !== "find");
}

function pageOf(item: JsonSchema): JsonSchema {
  return {
    type: "object",
    required: ["data", "meta"],
    properties: {
      data: { type: "array", items: item },
      meta: { type: "object", required: ["pagination"], properties: { pagination: PAGINATION_SCHEMA } },
    },
  };
}
