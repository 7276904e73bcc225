import { createError } from "../../base/error.js";
import { describeKnown } from "../../base/suggest.js";
import type { PublicationFilter } from "../../database/reads/query.js";

/** Parameters of a read, as errors name them. */
export type ParamName =
  | "filters"
  | "sort"
  | "fields"
  | "populate"
  | "pagination"
  | "_q"
  | "status"
  | "locale"
  | "fallbackLocale"
  | "documentId"
  | "publicationFilter";

/** Where in the parameters something is wrong. */
export interface KeyDetails {
  readonly key: string;
  /**
   * Dotted names above the key: `author`; null at the root. A name that is known and may not be used has its own path, and
   * in `populate` a scalar attribute the path as the client wrote it.
   *
   * @source plugins/content-api/WIRE.md#details-of-errors
   */
  readonly path: string | null;
  readonly source: "query";
  readonly param: ParamName;
}

/**
 * Makes details that a message is built from and an answer does not show: the contract has `{}` there.
 *
 * @source plugins/content-api/WIRE.md#details-of-errors, details are {}
 */
export function unseen<Details extends object>(details: Details): Details {
  const hidden = Object.entries(details).map(([key, value]) => [key, { value, enumerable: false }] as const);
  return Object.defineProperties({}, Object.fromEntries(hidden)) as Details;
}

const at = ({ key, path }: KeyDetails) => (path === null || path === key ? "" : ` at ${path}`);
const place = ({ key, path, param }: KeyDetails) =>
  [...new Set([param, path, key])].filter((part) => part !== null && part !== "").join(", ");

/** A name in filters, sort, fields, populate or pagination that does not exist there or may not be used. */
export const InvalidKeyError = createError<KeyDetails>(
  "PLINTH_QUERY_INVALID_KEY",
  400,
  (d) => `Invalid key ${d.key}${at(d)}`,
  {
    cause: "A parameter names an attribute, operator or option that does not exist, or that the actor may not use.",
    remedy:
      "Look up `details.key` below `details.path` in the content-type; names are case-sensitive. Where it is a number, a list was mixed with names: write all of the parameter in one of the two forms.",
  },
);

/** An option of an operation of `app.documents` whose value has another form. */
export const InvalidOptionError = createError<{
  readonly key: string;
  readonly operation: string;
  readonly expected: string;
}>("PLINTH_QUERY_INVALID_OPTION", 400, (d) => `${d.key} of ${d.operation} has to be ${d.expected}`, {
  cause:
    "Code gives an operation on documents a value that the option does not have, or passes a query string on that names it.",
  remedy:
    "Write one of the values that the message lists; of a query string pass on `filters`, `sort` and the like, each by its name.",
});

/** A private attribute that code names without saying that it reads such ones. */
export const PrivateFieldError = createError<{ readonly param: ParamName; readonly field: string }>(
  "PLINTH_QUERY_PRIVATE",
  400,
  (d) => `${d.field} in ${d.param} is private`,
  {
    cause: "Code reads documents by an attribute that the schema marks `private`, and does not say that it may.",
    remedy:
      "Where the caller may know it, read with `withPrivate: true`; else leave the attribute out, as for a filter of a request.",
  },
);

/** An option of an operation of `app.documents` that it does not have. */
export const UnknownOptionError = createError<{
  readonly key: string;
  readonly operation: string;
  readonly known: readonly string[];
}>(
  "PLINTH_QUERY_UNKNOWN_OPTION",
  400,
  (d) => `Invalid key ${d.key}: ${d.operation} takes no such option. ${describeKnown(d.key, d.known)}`,
  {
    cause: "Code called an operation of `app.documents` with an option that it does not have.",
    remedy: "Use one of the options that the message lists; pages are `pagination: { start, limit }`.",
  },
);

/** An operator that exists and does not fit the attribute's kind. */
export const WrongOperatorError = createError<
  KeyDetails & { readonly kind: string; readonly operators: readonly string[] }
>(
  "PLINTH_QUERY_WRONG_OPERATOR",
  400,
  (d) => `Invalid operator ${d.key} at ${d.path}: an attribute of kind ${d.kind} takes ${d.operators.join(", ")}`,
  {
    cause: "A filter compares an attribute in a way that its kind does not have, such as `$contains` on a number.",
    remedy: "Use one of the operators that the message lists.",
  },
);

/** `$some`, `$none` or `$every` where no list is. */
export const ListOperatorError = createError<KeyDetails & { readonly problem: string }>(
  "PLINTH_QUERY_LIST_OPERATOR",
  400,
  (d) => `Invalid operator ${d.key} at ${d.path}: ${d.problem}`,
  {
    cause:
      "A filter has `$some`, `$none` or `$every` below a relation to one, a single component, or a group of conditions on a list.",
    remedy:
      "Name a list and write the operator below it; groups go around it: `{ $or: [{ tags: { $none: {...} } }, ...] }`. Of a relation to one, filter its fields.",
  },
);

/** A value that is not of the attribute's kind. */
export const InvalidValueError = createError<KeyDetails & { readonly problem: string }>(
  "PLINTH_QUERY_INVALID_VALUE",
  400,
  (d) => d.problem,
  {
    cause: "A filter compares an attribute with a value of another kind, or out of its range.",
    remedy: "Give a value that the attribute itself could hold.",
  },
);

/** A malformed date, time or datetime; the answer has empty details. */
export const InvalidFormatError = createError<{ readonly problem: string }>(
  "PLINTH_QUERY_INVALID_FORMAT",
  400,
  (d) => d.problem,
  {
    cause: "A filter compares a date, time or datetime with a string in another format.",
    remedy: "Write dates as yyyy-MM-dd, times as HH:mm:ss.SSS, datetimes as ISO 8601.",
  },
);

/** Parameters whose wrong form has a sentence of its own, and empty details in the answer. */
export type WholeParam = Extract<ParamName, "filters" | "sort" | "fields" | "populate">;

const WHOLE: Readonly<Record<WholeParam, string>> = {
  filters: "The filters parameter must be an object or an array",
  sort: "Invalid sort parameter. Expected a string, an array of strings, a sort object or an array of sort objects",
  fields: "Invalid fields parameter. Expected a string or an array of strings",
  populate: "Invalid populate parameter. Expected a string, an array of strings, a populate object",
};

/** A list, object or text where something else belongs. */
export const InvalidShapeError = createError<
  KeyDetails & { readonly expected: string; readonly whole?: WholeParam | undefined }
>(
  "PLINTH_QUERY_INVALID_SHAPE",
  400,
  (d) => (d.whole ? WHOLE[d.whole] : `Invalid ${place(d)}: expected ${d.expected}`),
  {
    cause: "A parameter has the wrong form, such as a string for `filters` or an object for `$or`.",
    remedy: "Give the form that the message names.",
  },
);

/** Parameters nested too deep. */
export const TooDeepError = createError<{ readonly param: ParamName; readonly limit: number }>(
  "PLINTH_QUERY_TOO_DEEP",
  400,
  (d) => `Invalid ${d.param}: nested more than ${d.limit} levels deep`,
  {
    cause: "Filters, a sort path or populate go through more levels than a read allows.",
    remedy: "Split the request in two.",
  },
);

/** What is counted over all parameters of a read. */
export type Counted = "conditions" | "listValues" | "populated";

const COUNTED: Readonly<Record<Counted, string>> = {
  conditions: "conditions and sort keys",
  listValues: "values in lists",
  populated: "populated attributes",
};

/** More conditions, values or populated attributes than one read may have. */
export const TooManyError = createError<{ readonly what: Counted; readonly param: ParamName; readonly limit: number }>(
  "PLINTH_QUERY_TOO_MANY",
  400,
  (d) => `Invalid ${d.param}: more than ${d.limit} ${COUNTED[d.what]} in one request; split it, or ask for less`,
  {
    cause: "A read has more conditions, listed values or populated attributes than `api.reads` allows.",
    remedy: "Use `$in` in place of many conditions, split the request, or raise the limit in `reads` of config/api.",
  },
);

/** A populate through more lists, one inside of the other, than a read may go. */
export const ToManyStepsError = createError<{ readonly path: string; readonly limit: number }>(
  "PLINTH_QUERY_TO_MANY_STEPS",
  400,
  (d) =>
    `Invalid populate at ${d.path}: more than ${d.limit} lists, one inside of the other; ask for the inner ones by themselves`,
  {
    cause:
      "A populate leads through more to-many relations than `reads.toManySteps` allows: each multiplies the entries.",
    remedy: "Read the inner lists by requests of their own, or raise `reads.toManySteps` in config/api.",
  },
);

/** A read whose estimated cost is too high. */
export const TooCostlyError = createError<{ readonly cost: number; readonly limit: number }>(
  "PLINTH_QUERY_TOO_COSTLY",
  400,
  (d) =>
    `The request costs ${d.cost} and ${d.limit} is the limit: ask for smaller pages, or filter, sort and populate less at once`,
  {
    cause: "By its pages, lists, conditions and sorts a read may cost more than `reads.cost` allows.",
    remedy:
      "Ask for smaller pages, populate less, compare fewer and shorter texts, or raise `reads.cost` in config/api.",
  },
);

/** A sort through more lists than one. */
export const SortStepsError = createError<{ readonly key: string; readonly limit: number }>(
  "PLINTH_QUERY_SORT_STEPS",
  400,
  (d) => `Invalid sort ${d.key}: a sort may go through ${d.limit} to-many relation${d.limit === 1 ? "" : "s"} in all`,
  {
    cause: "A sort leads through several to-many relations, so that every row would be compared by all that they hold.",
    remedy: "Sort by an attribute of the type itself, of a to-one relation, or of one to-many relation.",
  },
);

/** A direction of sort that does not exist. */
export const InvalidOrderError = createError<object>(
  "PLINTH_QUERY_INVALID_ORDER",
  400,
  () => "Invalid order. order can only be one of asc|desc|ASC|DESC",
  { cause: "A sort names a direction other than asc or desc.", remedy: "Write `field:asc` or `field:desc`." },
);

/** `on` for something that is neither a dynamic zone nor polymorphic. */
export const FragmentError = createError<{ readonly field: string; readonly uid: string }>(
  "PLINTH_QUERY_FRAGMENT",
  400,
  ({ field, uid }) => `Using fragments is not permitted to populate "${field}" in "${uid}"`,
  {
    cause: "`populate[x][on]` was used where x holds entries of one type only.",
    remedy: "Use `on` with dynamic zones and polymorphic relations; elsewhere give fields and populate directly.",
  },
);

/** Both ways of paging in one request. */
export const MixedPaginationError = createError<object>(
  "PLINTH_QUERY_MIXED_PAGINATION",
  400,
  () => "Cannot use both page & offset pagination in the same query",
  {
    name: "PaginationError",
    cause: "pagination has page or pageSize and also start or limit.",
    remedy: "Use page with pageSize, or start with limit.",
  },
);

/** A page number, size, start or limit that is not a whole number. */
export const InvalidPaginationError = createError<KeyDetails & { readonly value: unknown }>(
  "PLINTH_QUERY_INVALID_PAGINATION",
  400,
  (d) => `Invalid pagination ${d.key}: expected a whole number`,
  {
    cause: "pagination has a value that is not a whole number.",
    remedy: "Give a whole number; too small and too large ones are moved to the nearest allowed one.",
  },
);

/** A text that is no cursor, or one of another order. */
export const InvalidCursorError = createError<object>(
  "PLINTH_QUERY_INVALID_CURSOR",
  400,
  () =>
    "Invalid pagination cursor: it is not the nextCursor of a page of the same content-type in the same order. Begin again with pagination[cursor]=*",
  {
    name: "PaginationError",
    cause:
      "pagination[cursor] is empty, or is not the nextCursor of a page of the same content-type with the same sort.",
    remedy: "Send nextCursor as it came, with the same sort; begin with `pagination[cursor]=*`.",
  },
);

/** A cursor beside another way to say where a page begins. */
export const CursorWithPageError = createError<object>(
  "PLINTH_QUERY_CURSOR_WITH_PAGE",
  400,
  () => "Cannot use a cursor together with page or start: the cursor says where the page begins",
  {
    name: "PaginationError",
    cause: "pagination has a cursor and also page or start.",
    remedy: "Leave page and start out; pageSize or limit says how many entries a page has.",
  },
);

/** `withCount` that is not a boolean. */
export const InvalidWithCountError = createError<object>(
  "PLINTH_QUERY_INVALID_WITH_COUNT",
  400,
  () => 'Invalid withCount parameter. Expected "t","1","true","false","0","f"',
  { cause: "pagination[withCount] is not a boolean.", remedy: "Write true or false." },
);

/** A status other than draft and published, on a type that has drafts. */
export const InvalidStatusError = createError<{ readonly value: unknown }>(
  "PLINTH_QUERY_INVALID_STATUS",
  400,
  (d) => `Invalid status ${JSON.stringify(d.value)}: expected "draft" or "published"`,
  { cause: "status is neither draft nor published.", remedy: "Write status=draft or status=published, in lower case." },
);

/** The values of `publicationFilter`. */
export const PUBLICATION_FILTERS = [
  "never-published",
  "has-published-version",
  "modified",
  "unmodified",
  "never-published-document",
  "has-published-version-document",
  "published-without-draft",
  "published-with-draft",
] as const satisfies readonly PublicationFilter[];

/** An unknown `publicationFilter`. */
export const InvalidPublicationFilterError = createError<Pick<KeyDetails, "source" | "param">>(
  "PLINTH_QUERY_INVALID_PUBLICATION_FILTER",
  400,
  () => `Invalid value for 'publicationFilter'. Expected one of: ${PUBLICATION_FILTERS.join(", ")}.`,
  { cause: "publicationFilter has an unknown value.", remedy: "Use one of the values that the message lists." },
);

/** `hasPublishedVersion` that is neither true nor false. */
export const InvalidPublishedVersionError = createError<object>(
  "PLINTH_QUERY_INVALID_PUBLISHED_VERSION",
  400,
  () => "Invalid value for 'hasPublishedVersion'. Expected boolean or 'true'/'false' string.",
  {
    cause: "hasPublishedVersion is not a boolean.",
    remedy: "Write hasPublishedVersion=true or hasPublishedVersion=false.",
  },
);

/** Two parameters for the same thing. */
export const TwoPublicationFiltersError = createError<object>(
  "PLINTH_QUERY_TWO_PUBLICATION_FILTERS",
  400,
  () => "Use either publicationFilter or hasPublishedVersion, not both",
  { cause: "publicationFilter and hasPublishedVersion are in one request.", remedy: "Leave hasPublishedVersion out." },
);

/** A locale in `fallbackLocale` that the app does not have. */
export const UnknownFallbackError = createError<{ readonly locale: string; readonly known: readonly string[] }>(
  "PLINTH_QUERY_UNKNOWN_FALLBACK",
  400,
  (d) => `Unknown locale ${JSON.stringify(d.locale)} in fallbackLocale; the app has ${d.known.join(", ")}`,
  {
    cause: "fallbackLocale names a locale that the app does not have, so nothing could ever stand in by it.",
    remedy: "Write locales of the app, as a list or with commas between them; `none` for no fallback.",
  },
);

/** `fallbackLocale` where every locale is asked for. */
export const FallbackOfAllError = createError<object>(
  "PLINTH_QUERY_FALLBACK_OF_ALL",
  400,
  () => "fallbackLocale cannot be combined with locale=*",
  {
    cause: "locale=* returns every version of a document, so that none is missing that another could stand in for.",
    remedy: "Leave fallbackLocale out, or ask for one locale.",
  },
);
