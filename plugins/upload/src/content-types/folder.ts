import type { RawContentType } from "@plinth/core";

/** Uid of the content-type of folders. */
export const FOLDER_TYPE = "plugin::upload.folder";

/** Folders of the media library; they are independent of where bytes are stored. */
export const folderType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "upload_folders",
  info: { singularName: "folder", pluralName: "folders", displayName: "Folder" },
  attributes: {
    name: { type: "string", required: true, minLength: 1, maxLength: 200 },
    parent: { type: "relation", relation: "manyToOne", target: FOLDER_TYPE, inversedBy: "children" },
    children: { type: "relation", relation: "oneToMany", target: FOLDER_TYPE, mappedBy: "parent" },
    files: { type: "relation", relation: "oneToMany", target: "plugin::upload.file", mappedBy: "folder" },
  },
};
