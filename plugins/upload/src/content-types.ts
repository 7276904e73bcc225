import type { RawContentType } from "@plinth/core";

/** Uid of the content-type of folders. */
export const FOLDER_TYPE = "plugin::upload.folder";

/** Folders of the media library; they are independent of where bytes are stored. */
export const folderType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "upload_folders",
  info: { singularName: "folder", pluralName: "folders", displayName: "Folder" },
  pluginOptions: { "content-type-builder": { visible: false } },
  attributes: {
    name: { type: "string", required: true, minLength: 1, maxLength: 200 },
    parent: { type: "relation", relation: "manyToOne", target: FOLDER_TYPE, inversedBy: "children" },
    children: { type: "relation", relation: "oneToMany", target: FOLDER_TYPE, mappedBy: "parent" },
    files: { type: "relation", relation: "oneToMany", target: "plugin::upload.file", mappedBy: "folder" },
  },
};

/** Uid of files. */
export const FILE_TYPE = "plugin::upload.file";

/** Files. Their bytes are kept by the provider under `hash` + `ext`. @source plugins/content-api/WIRE.md#files */
export const fileType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "files",
  files: { mime: "mime" },
  info: { singularName: "file", pluralName: "files", displayName: "File" },
  pluginOptions: { "content-type-builder": { visible: false } },
  attributes: {
    name: { type: "string", required: true, maxLength: 255 },
    alternativeText: { type: "text" },
    caption: { type: "text" },
    focalPoint: { type: "json" },
    width: { type: "integer" },
    height: { type: "integer" },
    formats: { type: "json" },
    hash: { type: "string", required: true },
    ext: { type: "string" },
    mime: { type: "string", required: true },
    size: { type: "decimal", required: true },
    url: { type: "text", required: true },
    previewUrl: { type: "text" },
    provider: { type: "string", required: true },
    provider_metadata: { type: "json" },
    folder: { type: "relation", relation: "manyToOne", target: FOLDER_TYPE, inversedBy: "files", private: true },
    folderPath: { type: "string", private: true, searchable: false },
  },
};
