import { describeKnown } from "../base/suggest.js";
import { createError } from "../base/error.js";

/**
 * Key of details for the message only: symbols are not part of JSON, so details that have nothing else read `{}` in
 * the answer, as the wire wants it for some errors.
 */
export const messageOnly = Symbol("messageOnly");

/** `app.documents` was called with an unknown content-type. */
export const UnknownTypeError = createError<{ readonly uid: string; readonly known: readonly string[] }>(
  "PLINTH_DOCUMENT_UNKNOWN_TYPE",
  500,
  (d) => `There is no content-type "${d.uid}". ${describeKnown(d.uid, d.known)}`,
  {
    cause: "`app.documents` was called with a uid that no schema has.",
    remedy: "Use a uid such as api::article.article, as the message lists them.",
  },
);

/** One refused attribute of a body, as it is listed in `details.errors`. */
export interface InputProblem {
  /** Attribute names and, for lists, indexes as texts: `["seo", "meta", "0", "property"]`. */
  readonly path: readonly string[];
  readonly message: string;
  readonly name: "ValidationError";
  /** The value after coercion; absent when there is none to show. */
  readonly value?: unknown;
  /** Of the version that has the problem, where an operation is about several locales. */
  readonly locale?: string;
}

/** The problems that an answer lists. */
export interface ListedProblems<Problem extends InputProblem = InputProblem> {
  /** The first of them. */
  readonly errors: readonly Problem[];
  /** How many there are, where not all are listed. */
  readonly total?: number;
}

/** The message of one problem, or how many there are. @source plugins/content-api/WIRE.md#errors */
function sumUp({ errors, total = errors.length }: ListedProblems): string {
  return total === 1 && errors[0] ? errors[0].message : `${total} errors occurred`;
}

/** A problem of one of several documents; without a path where it is about the whole document. */
export interface DocumentProblem extends InputProblem {
  readonly documentId: string;
}

/** A write conflicted with concurrent ones at every retry. */
export const WriteConflictError = createError<{ readonly uid: string; readonly attempts: number }>(
  "PLINTH_DOCUMENT_CONFLICT",
  409,
  (d) =>
    `The write to ${d.uid} conflicted with concurrent writes of the same values ${d.attempts} times; send it again.`,
  {
    cause: "Many writes at once compete for the same one-to-one target, locale or unique value.",
    remedy: "Send the request again; spread such writes over time.",
  },
);

/** A unique index that is not in the content model. */
export const ForeignIndexError = createError<{ readonly index: string }>(
  "PLINTH_DOCUMENT_FOREIGN_INDEX",
  400,
  (d) => `The database refuses these values: its unique index ${d.index} has them already.`,
  {
    cause: "A unique index that a migration made, and no attribute declares, has the values of the row already.",
    remedy: "Write other values, or drop the index.",
  },
);

/** The wildcard locale where one locale has to be named. */
export const LocaleWildcardError = createError<{ readonly [messageOnly]?: string }>(
  "PLINTH_DOCUMENT_LOCALE_WILDCARD",
  400,
  () => "Invalid locale param * provided. Document locales must be strings.",
  {
    cause: "A create or update names the locale `*`, but writes one locale only.",
    remedy: "Name one locale, or leave the parameter out for the default one.",
  },
);

/** An operation on several documents has no valid list of ids. */
export const InvalidDocumentIdsError = createError<{ readonly key: string; readonly maximum: number }>(
  "PLINTH_DOCUMENT_INVALID_IDS",
  400,
  (d) => `${d.key} must be a list of 1 to ${d.maximum} document ids.`,
  {
    cause: "An operation on several documents got a value that is not a list of ids, an empty list, or too many ids.",
    remedy: "Send a list of document ids, and more of them in several requests.",
  },
);

/** Some of several documents were refused, so none was changed. */
export const InvalidDocumentsError = createError<ListedProblems<DocumentProblem>>(
  "PLINTH_DOCUMENT_BULK_REFUSED",
  400,
  sumUp,
  {
    cause: "An operation on several documents, all or nothing, was refused by some of them.",
    remedy: "Correct the documents that details.errors names, or leave them out.",
  },
);

/** Draft & publish operations on a type that has none. */
export const NoDraftsError = createError<{ readonly uid: string; readonly operation: string }>(
  "PLINTH_DOCUMENT_NO_DRAFTS",
  400,
  (d) => `${d.uid} has no drafts, so there is nothing to ${d.operation}; set options.draftAndPublish in its schema.`,
  {
    cause: "publish, unpublish or discardDraft was called for a content-type without draft & publish.",
    remedy: "Turn draftAndPublish on in the schema, or leave the call out.",
  },
);

/** Values that another published document holds; all of them are listed. */
export const NotUniqueError = createError<ListedProblems>("PLINTH_DOCUMENT_NOT_UNIQUE", 400, sumUp, {
  cause: "A unique attribute (or a uid) has a value that another published document of this locale holds.",
  remedy: "Choose another value for the attributes that details.errors lists.",
});

/** A second document of a single type. */
export const SingleTypeExistsError = createError<{ readonly uid: string; readonly documentId: string }>(
  "PLINTH_DOCUMENT_SINGLE_EXISTS",
  400,
  (d) => `${d.uid} is a single type and its document ${d.documentId} exists; update that one.`,
  {
    cause: "create was called for a single type that has its document already.",
    remedy: "Call update with the id of the existing document.",
    name: "ApplicationError",
  },
);

/** A document that code creates under an id, in a locale that it has. The wire wants the message alone. */
export const DocumentExistsError = createError<{
  readonly [messageOnly]: { readonly uid: string; readonly documentId: string; readonly locale: string };
}>(
  "PLINTH_DOCUMENT_EXISTS",
  400,
  ({ [messageOnly]: d }) =>
    `There is a document "${d.documentId}" with locale "${d.locale || null}" of ${d.uid} already; a document id and locale must be unique.`,
  {
    name: "ApplicationError",
    cause: "create was called with a documentId in its data, and the document exists in that locale.",
    remedy: "Call update, or leave the documentId out for a new document.",
  },
);

/** A relation names a document that does not exist (in that locale). The wire wants the message alone. */
export const TargetNotFoundError = createError<{
  readonly [messageOnly]: { readonly documentId: string; readonly locale?: string };
}>(
  "PLINTH_DOCUMENT_TARGET_NOT_FOUND",
  400,
  ({ [messageOnly]: d }) => `Document with id "${d.documentId}", locale "${d.locale ?? null}" not found`,
  {
    cause: "The body links to a document id that no document of the target type has.",
    remedy: "Link to an existing document; create it first.",
  },
);

/** A locale that the app does not have. */
export const UnknownLocaleError = createError<{ readonly locale: string; readonly known: readonly string[] }>(
  "PLINTH_DOCUMENT_UNKNOWN_LOCALE",
  400,
  (d) => `There is no locale "${d.locale}". Use one of: ${d.known.join(", ")}.`,
  {
    cause: "A write names a locale that is not configured.",
    remedy: "Use a configured locale, or add the locale first.",
  },
);

/** A position refers to a document that the list does not hold. The wire wants the message alone. */
export const UnlinkedPositionError = createError<{
  readonly [messageOnly]: { readonly attribute: string; readonly documentId: string };
}>(
  "PLINTH_DOCUMENT_UNLINKED_POSITION",
  400,
  ({ [messageOnly]: d }) => `The position in ${d.attribute} refers to "${d.documentId}", which is not linked there.`,
  {
    cause: "before or after in a connect names a document that the relation does not hold at that point.",
    remedy: "Refer to a linked document, or send options.strict false to append at the end instead.",
  },
);

/** A component id that no version of the document has there. The wire wants the message alone. */
export const UnrelatedComponentError = createError<{ readonly [messageOnly]: { readonly attribute: string } }>(
  "PLINTH_DOCUMENT_UNRELATED_COMPONENT",
  400,
  ({ [messageOnly]: d }) => `Some of the provided components in ${d.attribute} are not related to the entity`,
  {
    cause: "The body gives a component id that neither the draft nor the published version has in that attribute.",
    remedy: "Send the ids that the document was read with, or none for new components.",
    name: "ApplicationError",
  },
);

/** A document has another version than the client expects, or is missing, or exists although it should not. */
export const VersionMismatchError = createError<object>(
  "PLINTH_DOCUMENT_VERSION_MISMATCH",
  412,
  () =>
    "The document has changed since it was read, is gone, or is there already. Read it again and repeat the change on what is there.",
  {
    cause:
      "A write expects a version (If-Match, ifVersion) that the document no longer has in its locale, or that it has none (If-None-Match, unlessVersion).",
    remedy: "Read the document again, bring the change together with what others wrote, and send the new version.",
  },
);

/** A body is nested too deep. */
export const BodyTooDeepError = createError<{ readonly maxDepth: number }>(
  "PLINTH_INPUT_BODY_TOO_DEEP",
  400,
  (d) => `The body nests objects and lists more than ${d.maxDepth} levels deep; send a flatter one.`,
  {
    cause: "The data of a write holds objects or lists inside each other beyond the limit, or refers to itself.",
    remedy: "Send flatter data; store deeply nested data as text.",
  },
);

/** Values of a body do not fit their attributes; all of them are listed. */
export const InvalidInputError = createError<ListedProblems>("PLINTH_INPUT_INVALID", 400, sumUp, {
  cause: "One or more values of the body have the wrong type, or break a rule of the schema.",
  remedy: "Correct the values at the paths that details.errors lists.",
});

/** A body with more components and relation targets than one request may write. */
export const TooManyPartsError = createError<{ readonly max: number }>(
  "PLINTH_INPUT_TOO_MANY_PARTS",
  400,
  (d) =>
    `The body has more than ${d.max} components and targets of relations, all together; write them in several requests.`,
  {
    cause: "The components, the items of dynamic zones and the targets of relations in one body are too many.",
    remedy: "Change relations by connect in several requests, or keep large lists in a content-type of their own.",
  },
);

/** A date, time or datetime that cannot be read; the wire wants the message alone. */
export const MalformedDateError = createError<{ readonly [messageOnly]: string }>(
  "PLINTH_INPUT_MALFORMED_DATE",
  400,
  (d) => d[messageOnly],
  {
    cause:
      "The body gives a date, time, datetime or timestamp in a form that cannot be read, or a day that does not exist.",
    remedy: "Give dates as 2024-05-31, times as 08:09:10, datetimes in ISO 8601 or as milliseconds since 1970.",
  },
);

/** A key of a body that the schema does not have, or that clients may not write. */
export const UnknownKeyError = createError<UnknownKeyDetails>(
  "PLINTH_INPUT_UNKNOWN_KEY",
  400,
  ({ key, path }) => `Invalid key ${key}${path && path !== key ? ` at ${path}` : ""}`,
  {
    cause:
      "The body names an attribute that the schema does not have, that is not writable, or a key that has no meaning there.",
    remedy: "Remove the key, or correct its name.",
  },
);

/** `path` is null for an unknown key at the root, absent for `id` and `documentId`, the key itself for one that may not be written. */
export interface UnknownKeyDetails {
  readonly key: string;
  readonly path?: string | null;
  readonly source: "body";
}
