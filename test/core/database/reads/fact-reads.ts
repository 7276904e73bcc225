import type { Filter, Populate } from "#core/database/reads/query.js";
import { books, type Read, writers } from "./queries.js";

const author: Populate = {
  kind: "relation",
  field: "createdBy",
  sort: [],
  selection: { fields: ["id", "documentId", "name"], populate: [] },
};

const factsOf = (visible: { readonly visible?: Filter } = {}): Populate => ({
  kind: "group",
  field: "_facts",
  selection: {
    fields: [
      { fact: "state", alias: "state", ...visible },
      { fact: "locales", alias: "locales", ...visible },
    ],
    populate: [author],
    order: ["state", "createdBy", "updatedBy", "locales"],
  },
});

const english: Filter = { op: "compare", field: "locale", operator: "$eq", value: 1 };

/** Reads of what is known of a document beside its values. */
export const factReads: readonly Read[] = [
  {
    title: "state, authors and locales come with each row, by its document id",
    query: {
      ...books,
      status: "draft",
      locale: "*",
      page: { start: 1, limit: 2 },
      selection: { fields: ["title"], populate: [factsOf()] },
    },
    values: ["en", 0, 10],
  },
  {
    title: "versions that the caller does not see are no facts to them",
    query: { ...books, selection: { fields: ["title"], populate: [factsOf({ visible: english })] } },
    values: ["en", "en"],
  },
  {
    title: "a type without drafts is always published, one without locales lists none",
    query: { ...writers, selection: { fields: ["name"], populate: [factsOf()] } },
    values: ["en"],
  },
  {
    title: "rows are found by who made them",
    query: {
      ...books,
      status: "draft",
      locale: "*",
      filter: { op: "related", field: "createdBy", where: { op: "compare", field: "id", operator: "$eq", value: 1 } },
    },
    values: ["en", 2],
  },
  {
    title: "rows are found by that nobody is known to have made them",
    query: { ...books, status: "draft", locale: "*", filter: { op: "null", field: "createdBy", isNull: true } },
    values: ["en"],
  },
];
