import type { Layout } from "#core/database/layout/layout.js";
import { buildModel } from "#core/schema/build-model.js";

const localized = { pluginOptions: { i18n: { localized: true } } };

/** A small library: books with drafts and locales, writers and shelves without, and a notice with a component. */
export const libraryModel = buildModel({
  locales: ["en", "fr"],
  contentTypes: [
    {
      uid: "api::book.book",
      kind: "collectionType",
      collectionName: "books",
      info: { singularName: "book", pluralName: "books", displayName: "Book" },
      options: { draftAndPublish: true },
      ...localized,
      attributes: {
        title: { type: "string", ...localized },
        pages: { type: "integer" },
        printedAt: { type: "datetime" },
        secret: { type: "string", private: true },
        writer: { type: "relation", relation: "manyToOne", target: "api::writer.writer", inversedBy: "books" },
        shelves: { type: "relation", relation: "manyToMany", target: "api::shelf.shelf", inversedBy: "books" },
        sequels: { type: "relation", relation: "oneToMany", target: "api::book.book" },
        blurb: { type: "component", component: "shared.blurb" },
        notes: { type: "component", component: "shared.note", repeatable: true },
        parts: { type: "dynamiczone", components: ["shared.blurb", "shared.note"] },
        cover: { type: "media" },
      },
    },
    {
      uid: "api::writer.writer",
      kind: "collectionType",
      collectionName: "writers",
      info: { singularName: "writer", pluralName: "writers", displayName: "Writer" },
      options: { draftAndPublish: false },
      authors: { fields: ["name"] },
      attributes: {
        name: { type: "string" },
        books: { type: "relation", relation: "oneToMany", target: "api::book.book", mappedBy: "writer" },
        teacher: { type: "relation", relation: "manyToOne", target: "api::writer.writer" },
      },
    },
    {
      uid: "api::shelf.shelf",
      kind: "collectionType",
      collectionName: "shelves",
      info: { singularName: "shelf", pluralName: "shelves", displayName: "Shelf" },
      options: { draftAndPublish: false },
      attributes: {
        code: { type: "uid" },
        books: { type: "relation", relation: "manyToMany", target: "api::book.book", mappedBy: "shelves" },
        holds: { type: "relation", relation: "morphToMany" },
        highlight: { type: "relation", relation: "morphToOne" },
      },
    },
  ],
  components: [
    {
      uid: "shared.blurb",
      info: { displayName: "Blurb" },
      attributes: {
        text: { type: "text" },
        by: { type: "relation", relation: "oneToOne", target: "api::writer.writer" },
      },
    },
    {
      uid: "shared.note",
      info: { displayName: "Note" },
      attributes: { label: { type: "string" }, weight: { type: "integer" } },
    },
  ],
});

/** A layout with made-up link codes, for tests that only look at SQL text. */
export const libraryLayout: Layout = {
  model: libraryModel,
  tables: new Map(
    [...libraryModel.contentTypes.values()].map((type) => [
      type.uid,
      {
        type,
        table: type.table,
        links: `${type.table}_links`,
        codes: new Map([...type.attributes.keys()].map((name, index) => [name, index + 1])),
      },
    ]),
  ),
};
