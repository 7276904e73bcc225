import type { PublicationFilter, Status } from "../../database/query.js";
import type { ContentType } from "../../schema/model.js";
import {
  InvalidPublicationFilterError,
  InvalidPublishedVersionError,
  InvalidStatusError,
  PUBLICATION_FILTERS,
  TwoPublicationFiltersError,
} from "./errors.js";

/**
 * Reads `status`. On types without drafts any value passes, for it may be meant for what is populated; what is not
 * `draft` means published there.
 *
 * @throws PLINTH_QUERY_INVALID_STATUS (400) on types with drafts
 * @source wire.md sections 0 and 6; corpus 08
 */
export function parseStatus(type: ContentType, input: unknown, defaultStatus: Status): Status {
  if (input === undefined || input === null) return defaultStatus;
  if (input === "draft" || input === "published") return input;
  if (type.hasDrafts) throw new InvalidStatusError({ value: input });
  return "published";
}

/**
 * Reads `publicationFilter` and its short form `hasPublishedVersion`. Checked on every type, used on those with drafts.
 *
 * @throws PLINTH_QUERY_INVALID_PUBLICATION_FILTER, _INVALID_PUBLISHED_VERSION, _TWO_PUBLICATION_FILTERS (400)
 * @source wire.md section 6 and section 13, 34
 */
export function parsePublication(
  type: ContentType,
  filter: unknown,
  hasVersion: unknown,
): PublicationFilter | undefined {
  const named = filter === undefined ? undefined : PUBLICATION_FILTERS.find((known) => known === filter);
  if (filter !== undefined && !named)
    throw new InvalidPublicationFilterError({ source: "query", param: "publicationFilter" });
  const short = hasVersion === undefined ? undefined : ofPublishedVersion(hasVersion);
  if (named && short) throw new TwoPublicationFiltersError({});
  return type.hasDrafts ? (named ?? short) : undefined;
}

function ofPublishedVersion(input: unknown): PublicationFilter {
  if (input === true || input === "true") return "has-published-version-document";
  if (input === false || input === "false") return "never-published-document";
  throw new InvalidPublishedVersionError({});
}
