import { books, none, notNamed, type Read, writers } from "./queries.js";

/** Reads in which other locales stand in for one. */
export const fallbackReads: readonly Read[] = [
  {
    title: "a document that is not in the locale comes in the next",
    query: { ...books, locale: 1, fallback: [0], page: { start: 2, limit: 3 }, count: true },
    values: ["en", "fr", 0, 5],
  },
  {
    title: "without an index for the order, what stands in is a condition like any other",
    query: {
      ...books,
      locale: 1,
      fallback: [0],
      visible: notNamed("title", 2),
      sort: [{ path: ["title"], direction: "desc" }],
      page: { start: 3, limit: 4 },
    },
    values: ["en", "fr", "Dune (fr)", 0, 5],
  },
  {
    title: "related documents are shown, tested and counted in the first of the locales that they have",
    query: {
      ...books,
      locale: 1,
      fallback: [0],
      filter: {
        op: "related",
        field: "sequels",
        where: { op: "compare", field: "title", operator: "$eq", value: 2 },
      },
      selection: {
        fields: ["id", "locale"],
        populate: [
          { kind: "relation", field: "sequels", sort: [], selection: { fields: ["title", "locale"], populate: [] } },
          { kind: "relation", field: "localizations", sort: [], selection: none },
        ],
      },
    },
    values: ["en", "de", "ÉMMA"],
  },
  {
    title: "from a type without locales, related documents come in the default locale, then in those that stand in",
    query: {
      ...writers,
      fallback: [1],
      selection: {
        fields: ["name"],
        populate: [
          {
            kind: "relation",
            field: "books",
            visible: notNamed("title", 2),
            sort: [],
            selection: { fields: ["title", "locale"], populate: [] },
          },
        ],
      },
    },
    values: ["en", "fr", "Dune 50%"],
  },
];
