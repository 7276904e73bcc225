import { createError } from "../base/error.js";

/** Something asked for the place of a content-type or attribute that the synchronised database does not have. */
export const LayoutMissingError = createError<{ uid: string; what: string }>(
  "PLINTH_LAYOUT_MISSING",
  500,
  ({ uid, what }) => `The database has no ${what} for "${uid}".`,
  {
    cause: "Code asked for a content-type, or a link of it, that was not part of the model when the database was synchronised.",
    remedy: "Check the uid; content-types have to be registered before start, so that the synchronisation makes their tables.",
  },
);

/** A Query names an attribute in a place where its kind does not fit: a fault of the code that made the Query. */
export const UncompilableError = createError<{ uid: string; field: string }>(
  "PLINTH_QUERY_UNCOMPILABLE",
  500,
  ({ uid, field }) => `A query uses "${field}" of "${uid}" in a way its kind does not allow.`,
  {
    cause: "A Query was put together by hand with a name that the content-type lacks, or that is of another kind.",
    remedy: "Make Queries with parseReadParams, which checks every name against the schema.",
  },
);
