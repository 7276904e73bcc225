import { allowed, byteSize, option, options, optionsParser, whole, type OptionsOf } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { InvalidRestConfigError } from "./errors.js";

/** What config/api may hold under `rest`. */
export const restConfig = options({
  prefix: option(
    v.pipe(v.string(), v.regex(/^(\/[^/\s]+)*$/), allowed('"" or start with a slash and not end with one')),
    "Before every path.",
    "/api",
  ),
  defaultLimit: option(whole(1), "Rows of a list whose request names no number.", 25),
  maxLimit: option(
    v.pipe(
      v.union([whole(1), v.literal(-1)]),
      allowed("a whole number from 1, or -1 for none"),
      v.transform((value) => (value === -1 ? Number.POSITIVE_INFINITY : value)),
    ),
    "Larger requests are cut to this; -1 for no limit.",
    100,
  ),
  nestedLimit: option(
    v.pipe(v.union([whole(1), v.literal(-1)]), allowed("a whole number from 1, or -1 for all")),
    "Entries of a populated list; `populate[x][count]=true` gives their number. -1: all of them.",
    100,
  ),
  withCount: option(v.boolean(), "Whether the total is counted when the request does not say.", true),
  strictParams: option(
    v.boolean(),
    "Whether unknown parameters at the root of a query string are refused, not ignored.",
    false,
  ),
  cache: option(
    byteSize,
    "Bytes of memory, or a size such as `64mb`, for answers to reads: as long as nothing was written to their tables they are given again. Default: none.",
  ),
  listTags: option(
    v.boolean(),
    "Whether every list has an ETag, which takes about 0.7 ms for each megabyte; else those alone that are asked for with If-None-Match. Default: with `cache` and the plugins http-cache and live.",
  ),
  idempotency: option(
    v.boolean(),
    "Whether a write with the header `Idempotency-Key` is done once, and answered the same again for 24 hours.",
    false,
  ),
  openDrafts: option(
    v.boolean(),
    "Whether callers that find documents read their drafts as well, over GraphQL too; else that needs the action `findDrafts`.",
    false,
  ),
});

/** `rest` in config/api, complete; a `maxLimit` of -1 is Infinity. */
export type RestConfig = OptionsOf<typeof restConfig>;

/**
 * Checks `api.rest` and fills in what is left out. `maxLimit: -1` becomes Infinity.
 *
 * @throws PLINTH_REST_INVALID_CONFIG (500) details `{ problems }`
 * @source plugins/content-api/WIRE.md#pagination
 */
export const parseRestConfig = optionsParser(restConfig, InvalidRestConfigError, "api.rest");
