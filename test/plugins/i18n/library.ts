import type { AppDefinition } from "@plinth/core";

const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };

const info = (singularName: string, pluralName: string) => ({ singularName, pluralName, displayName: singularName });

/** Localised books and writers, shelves that are not, and links between all of them. */
export const library: AppDefinition = {
  contentTypes: {
    "api::book.book": {
      kind: "collectionType",
      info: info("book", "books"),
      options: { draftAndPublish: true },
      ...LOCALIZED,
      attributes: {
        title: { type: "string", maxLength: 100, index: true, ...LOCALIZED },
        pages: { type: "integer" },
        writer: { type: "relation", relation: "manyToOne", target: "api::writer.writer", inversedBy: "books" },
        shelf: { type: "relation", relation: "manyToOne", target: "api::shelf.shelf" },
        sequels: { type: "relation", relation: "oneToMany", target: "api::book.book" },
      },
    },
    "api::writer.writer": {
      kind: "collectionType",
      info: info("writer", "writers"),
      options: { draftAndPublish: false },
      ...LOCALIZED,
      attributes: {
        name: { type: "string", ...LOCALIZED },
        books: { type: "relation", relation: "oneToMany", target: "api::book.book", mappedBy: "writer" },
      },
    },
    "api::shelf.shelf": {
      kind: "collectionType",
      info: info("shelf", "shelves"),
      options: { draftAndPublish: false },
      attributes: {
        label: { type: "string" },
        keeper: { type: "relation", relation: "manyToOne", target: "api::writer.writer" },
        display: { type: "relation", relation: "morphToMany" },
      },
    },
  },
};

/** English is the default; French has a fallback of its own. */
export const LIBRARY_CONFIG = {
  i18n: { defaultLocale: "en", locales: ["en", "de", "it", { code: "fr", fallback: ["de", "en"] }] },
};
