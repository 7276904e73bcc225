import { createError } from "../base/error.js";

/**
 * Key of what only the message may say: symbols are no part of JSON, so details that have nothing else read `{}` in
 * the answer, as the wire wants it for some errors.
 */
export const messageOnly = Symbol("messageOnly");

/** One refused attribute of a body, as it is listed in `details.errors`. */
export interface InputProblem {
  /** Attribute names and, for lists, indexes as texts: `["seo", "meta", "0", "property"]`. */
  readonly path: readonly string[];
  readonly message: string;
  readonly name: "ValidationError";
  /** The value after coercion; absent when there is none to show. */
  readonly value?: unknown;
}

/** A body nests deeper than any content can. */
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
export const InvalidInputError = createError<{ readonly errors: readonly InputProblem[] }>(
  "PLINTH_INPUT_INVALID",
  400,
  ({ errors }) => (errors.length === 1 && errors[0] ? errors[0].message : `${errors.length} errors occurred`),
  {
    cause: "One or more values of the body have the wrong type, or break a rule of the schema.",
    remedy: "Correct the values at the paths that details.errors lists.",
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
