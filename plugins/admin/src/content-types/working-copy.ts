import type { RawContentType } from "@plinth/core";

/** Uid of working copies. */
export const WORKING_COPY_TYPE = "plugin::admin.working-copy";

/** What administrators typed and did not save: one row by account, document and locale. */
export const workingCopyType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "admin_working_copies",
  info: { singularName: "working-copy", pluralName: "working-copies", displayName: "Working copy" },
  // No action is about them: everybody has their own.
  options: { limitable: [], archive: { part: "none" } },
  attributes: {
    /** Account, content-type, document and locale, which together are one working copy. */
    key: { type: "string", required: true, unique: true, maxLength: 1000, private: true },
    /** documentId of the administrator. */
    account: { type: "string", required: true, index: true, private: true },
    contentType: { type: "string", required: true },
    /** Of a new document the page makes one. */
    document: { type: "string", required: true },
    localeCode: { type: "string" },
    base: { type: "string" },
    changes: { type: "json", required: true },
    /** Of each save, also of one that changes nothing else: how long a copy is kept counts from then. */
    savedAt: { type: "datetime" },
    device: { type: "string", required: true, maxLength: 200 },
  },
};
