import { books, type Read } from "./queries.js";

/** Reads that name the form of what they return. */
export const namedReads: readonly Read[] = [
  {
    title: "values come under the names and in the order and form that are asked for",
    query: {
      ...books,
      selection: {
        fields: [
          { field: "title", alias: "name" },
          { field: "pages", alias: "pages", form: "text" },
          { constant: "Book", alias: "type" },
        ],
        populate: [
          {
            kind: "group",
            field: "box",
            selection: {
              fields: [],
              populate: [
                {
                  kind: "relation",
                  field: "writer",
                  alias: "by",
                  sort: [],
                  selection: { fields: ["name"], populate: [] },
                },
              ],
            },
          },
        ],
        order: ["type", "box", "pages", "name"],
      },
    },
    values: ["en"],
  },
  {
    title: "a list of components has its own page, and items of a zone need not say what they are",
    query: {
      ...books,
      selection: {
        fields: ["id"],
        populate: [
          {
            kind: "component",
            field: "notes",
            sort: [{ path: ["weight"], direction: "desc" }],
            page: { start: 1, limit: 2 },
            selection: { fields: [{ field: "id", alias: "id", form: "text" }, "label"], populate: [] },
          },
          {
            kind: "zone",
            field: "parts",
            isBare: true,
            items: [{ component: "shared.note", selection: { fields: ["label"], populate: [] } }],
          },
        ],
      },
    },
    values: ["en", 0, 1],
  },
];
