import type { Selection } from "#core/database/reads/query.js";
import { books, type Read, writers } from "./queries.js";

/** Books with one, with many, and with many that are localised. */
const linked: Selection = {
  fields: ["title"],
  populate: ["writer", "shelves", "sequels"].map((field) => ({
    kind: "relation",
    field,
    sort: [],
    selection: { fields: ["id", "documentId"], populate: [] },
  })),
};

/** Reads of pages whose relations are read for all rows at once. */
export const longReads: readonly Read[] = [
  {
    title: "on a long page related documents are read once for all rows, where they do not differ from row to row",
    query: {
      ...books,
      page: { start: 1, limit: 2, isLong: true },
      sort: [{ path: ["title"], direction: "desc" }],
      selection: linked,
    },
    values: ["en", 0, 25],
  },
  {
    title: "a long page after a cursor too",
    query: { ...books, page: { after: [], limit: 1, isLong: true }, selection: linked },
    values: ["en", 25],
  },
  {
    title: "a long page of documents without locales names none",
    query: {
      ...writers,
      page: { start: 1, limit: 2, isLong: true },
      selection: {
        fields: ["name"],
        populate: [{ kind: "relation", field: "teacher", sort: [], selection: { fields: ["name"], populate: [] } }],
      },
    },
    values: ["en", 0, 25],
  },
];
