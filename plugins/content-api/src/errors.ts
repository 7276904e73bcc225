import { createError, describeKnown } from "@plinth/core";

/** A write without data. */
export const MissingDataError = createError<object>(
  "PLINTH_REST_MISSING_DATA",
  400,
  () => 'Missing "data" payload in the request body',
  {
    cause: "The body of a POST or PUT is not a JSON object with an object under `data`.",
    remedy: 'Send `{ "data": { ... } }` with Content-Type: application/json.',
  },
);

/** `page` or `pageSize` outside of `pagination`. */
export const MisplacedPaginationError = createError<object>(
  "PLINTH_REST_MISPLACED_PAGINATION",
  400,
  () => "Invalid pagination attributes. The page parameters are incorrect and must be in the pagination object",
  {
    name: "PaginationError",
    cause: "The query string has page or pageSize at its root.",
    remedy: "Write pagination[page] and pagination[pageSize].",
  },
);

/** A parameter at the root of the query string that is not served. */
export const UnknownParameterError = createError<{
  readonly key: string;
  readonly path: null;
  readonly source: "query";
  readonly known: readonly string[];
}>("PLINTH_REST_UNKNOWN_PARAMETER", 400, (d) => `Invalid parameter ${d.key}. ${describeKnown(d.key, d.known)}`, {
  cause:
    "The query string has a parameter of the kind that bypasses filters elsewhere, or, with strictParams, an unknown one.",
  remedy: "Use the parameters that the message lists.",
});

/** A write with `fallbackLocale`, which only a read can have. */
export const FallbackOnWriteError = createError<object>(
  "PLINTH_REST_FALLBACK_ON_WRITE",
  400,
  () => "fallbackLocale is for reads only; a write is about the locale that it names",
  {
    cause: "A POST, PUT or DELETE has the parameter fallbackLocale.",
    remedy: "Leave fallbackLocale out; name the locale to be written by locale.",
  },
);

/** The list of content-types is asked for by a kind that does not exist. */
export const UnknownKindError = createError<{ readonly kind: unknown }>(
  "PLINTH_REST_UNKNOWN_KIND",
  400,
  (d) => `${JSON.stringify(d.kind)} is not a kind of content-type. It must be collectionType or singleType`,
  {
    cause: "`kind` of GET /api/content-type-builder/content-types is neither collectionType nor singleType.",
    remedy: "Send one of the two, or leave it out.",
  },
);

/** `Idempotency-Key` is not a key. */
export const InvalidKeyError = createError<object>(
  "PLINTH_REST_INVALID_KEY",
  400,
  () => "Idempotency-Key has to be 1 to 255 characters of visible ASCII, such as a UUID",
  {
    cause: "The header Idempotency-Key is empty, too long, or has other characters.",
    remedy: "Send a new UUID for each change, and the same one when that change is sent again.",
  },
);

/** The first request with a key is still being answered. */
export const KeyInUseError = createError<object>(
  "PLINTH_REST_KEY_IN_USE",
  409,
  () => "A request with this Idempotency-Key is being answered; send it again to get its answer",
  {
    cause:
      "Two requests with one Idempotency-Key came at the same time: to two processes, or the first one takes more than ten seconds, or more than ten wait for it.",
    remedy: "Send the request again after the time of the Retry-After header: it gets the answer of the first one.",
  },
);

/** A key came again with another request. */
export const KeyReusedError = createError<object>(
  "PLINTH_REST_KEY_REUSED",
  422,
  () => "This Idempotency-Key was sent before, with another method, URL or body",
  {
    cause: "A client used one Idempotency-Key for two changes, or changed a request before it sent it again.",
    remedy: "Send a new key for each change. Keys are kept for 24 hours.",
  },
);

/** The configuration `api.rest` cannot be used; every problem at once. */
export const InvalidRestConfigError = createError<{ readonly problems: readonly string[] }>(
  "PLINTH_REST_INVALID_CONFIG",
  500,
  (d) => `The configuration api.rest is wrong:\n${d.problems.map((problem) => `  ${problem}`).join("\n")}`,
  {
    cause: "config/api holds a key or value under `rest` that the REST API does not understand.",
    remedy: "Correct each line that the message lists.",
  },
);

/** A core controller, service or router for a content-type that does not exist. */
export const UnknownTypeError = createError<{ readonly uid: string; readonly known: readonly string[] }>(
  "PLINTH_REST_UNKNOWN_TYPE",
  500,
  (d) => `There is no content-type "${d.uid}" to serve. ${describeKnown(d.uid, d.known)}`,
  {
    cause: "createCoreController, createCoreService or createCoreRouter got a uid that no schema has.",
    remedy: "Write the uid of a content-type, such as api::article.article.",
  },
);

/** A core router names actions that its content-type does not have. */
export const UnknownActionError = createError<{
  readonly uid: string;
  readonly action: string;
  readonly known: readonly string[];
}>(
  "PLINTH_REST_UNKNOWN_ACTION",
  500,
  (d) => `The core router of "${d.uid}" names the action "${d.action}". ${describeKnown(d.action, d.known)}`,
  {
    cause: "only, except or config of createCoreRouter has an action that the content-type's kind lacks.",
    remedy:
      "Collections have find, findOne, create, update, delete; single types find, update, delete; types with drafts also publish, unpublish, discardDraft.",
  },
);
