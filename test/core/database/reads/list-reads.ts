// Reads by conditions on the entries of a list together.
import type { Filter } from "#core/database/reads/query.js";
import { books, type Read } from "./queries.js";

const coded: Filter = { op: "compare", field: "code", operator: "$eq", value: 1 };
const heavy: Filter = { op: "compare", field: "weight", operator: "$gt", value: 2 };

/** Conditions on none or every one of a list. */
export const listReads: readonly Read[] = [
  {
    title: "a condition on none or every one of a list is about those that are there",
    query: {
      ...books,
      filter: {
        op: "and",
        items: [
          { op: "entries", field: "shelves", quantifier: "none", where: coded },
          { op: "not", item: { op: "entries", field: "shelves", quantifier: "some", where: coded } },
          { op: "entries", field: "notes", quantifier: "every", where: heavy },
        ],
      },
    },
    values: ["en", "b2", 2],
  },
];
