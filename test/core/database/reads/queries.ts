import type { Filter, Query } from "#core/database/reads/query.js";

/** A read of the table test: what a user asks for, as a Query, with values for running it on rows. */
export interface Read {
  readonly title: string;
  readonly query: Query;
  readonly values: readonly unknown[];
}

/** Nothing but ids. */
export const none = { fields: ["id"], populate: [] };
/** Published books in the default locale. */
export const books: Query = {
  type: "api::book.book",
  status: "published",
  locale: 0,
  isOne: false,
  sort: [],
  selection: none,
  count: false,
};
/** All writers. */
export const writers: Query = { ...books, type: "api::writer.writer", locale: undefined };
/** All shelves. */
export const shelves: Query = { ...books, type: "api::shelf.shelf", locale: undefined };

/** The condition that a field is not the value of a slot. */
export const notNamed = (field: string, value: number): Filter => ({ op: "compare", field, operator: "$ne", value });
