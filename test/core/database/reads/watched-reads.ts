import type { Selection } from "#core/database/reads/query.js";
import { books, type Read, shelves, writers } from "./queries.js";

const titles: Selection = { fields: ["title"], populate: [] };

/** Books with their shelves, of which only the first is shown. */
const firstShelf: Selection = {
  fields: ["title"],
  populate: [{ kind: "relation", field: "shelves", sort: [], most: 1, selection: { fields: ["code"], populate: [] } }],
};

/** Reads whose lists are cut, and whose size is watched while they are made. */
export const watchedReads: readonly Read[] = [
  {
    title: "a list shows no more entries than it may",
    query: {
      ...writers,
      selection: {
        fields: ["name"],
        populate: [{ kind: "relation", field: "books", sort: [], most: 1, selection: titles }],
      },
    },
    values: ["en"],
  },
  {
    title: "on a long page too, where it is read again by itself",
    query: { ...books, page: { start: 1, limit: 2, isLong: true }, selection: firstShelf },
    values: ["en", 0, 25],
  },
  {
    title: "a read of lists in lists adds up what they hold",
    query: {
      ...shelves,
      isWatched: true,
      selection: {
        fields: ["code"],
        populate: [
          {
            kind: "relation",
            field: "books",
            sort: [],
            most: 2,
            selection: {
              fields: ["title"],
              populate: [
                ...firstShelf.populate,
                { kind: "component", field: "notes", sort: [], selection: { fields: ["label"], populate: [] } },
                {
                  kind: "relation",
                  field: "writer",
                  sort: [],
                  selection: {
                    fields: ["name"],
                    populate: [{ kind: "relation", field: "books", sort: [], most: 3, selection: titles }],
                  },
                },
              ],
            },
          },
        ],
      },
    },
    values: ["en"],
  },
];
