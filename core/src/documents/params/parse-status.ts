import type { Reach } from "../../access/ability.js";
import { ForbiddenError } from "../../access/errors.js";
import type { PublicationFilter, Query, Status } from "../../database/reads/query.js";
import type { ContentType } from "../../schema/model.js";
import {
  InvalidPublicationFilterError,
  InvalidPublishedVersionError,
  InvalidStatusError,
  PUBLICATION_FILTERS,
  TwoPublicationFiltersError,
} from "./errors.js";

/** Which versions of documents a read is about, as its Query has them. */
export type VersionPart = Pick<Query, "status" | "publication" | "stamps">;

/** What a read says of versions. */
export interface VersionParams {
  readonly status?: unknown;
  readonly publicationFilter?: unknown;
  readonly hasPublishedVersion?: unknown;
}

/** The status that a read asks for, before it is checked. */
export function askedStatus(input: unknown, defaultStatus: Status): Status {
  return (input ?? defaultStatus) === "draft" ? "draft" : "published";
}

/**
 * Reads `status`, `publicationFilter` and `hasPublishedVersion`.
 *
 * @param drafts - what the actor reaches of the drafts of the type.
 * @throws PLINTH_QUERY_* (400) as parsePublication and parseStatus
 * @throws PLINTH_ACCESS_FORBIDDEN (403) for drafts where the actor reaches none, and for filters that compare published
 * rows with drafts where the actor does not reach all
 */
export function parseVersion(
  type: ContentType,
  params: VersionParams,
  defaultStatus: Status,
  drafts: Reach,
): VersionPart {
  const publication = parsePublication(type, params.publicationFilter, params.hasPublishedVersion);
  const status = parseStatus(type, params.status, defaultStatus);
  const isPartial = status === "published" && drafts.rows !== "everything";
  if (status === "draft" && drafts.rows === "nothing") throw new ForbiddenError({});
  // A published row would reveal its draft, even if that may not be read.
  if (isPartial && publication && ABOUT_DRAFTS.includes(publication)) throw new ForbiddenError({});
  return { status, ...(publication ? { publication } : {}), ...(isPartial ? { stamps: "published" as const } : {}) };
}

/**
 * Reads `status`. On types without drafts any value passes, for it may be meant for what is populated; what is not
 * `draft` means published there.
 *
 * @throws PLINTH_QUERY_INVALID_STATUS (400) on types with drafts
 * @source plugins/content-api/WIRE.md#status
 */
function parseStatus(type: ContentType, input: unknown, defaultStatus: Status): Status {
  if (input === undefined || input === null) return defaultStatus;
  if (input === "draft" || input === "published") return input;
  if (type.hasDrafts) throw new InvalidStatusError({ value: input });
  return "published";
}

/**
 * Reads `publicationFilter` and its short form `hasPublishedVersion`. Checked on every type, used on those with drafts.
 *
 * @throws PLINTH_QUERY_INVALID_PUBLICATION_FILTER, _INVALID_PUBLISHED_VERSION, _TWO_PUBLICATION_FILTERS (400)
 * @source plugins/content-api/WIRE.md#publication-filters
 */
function parsePublication(type: ContentType, filter: unknown, hasVersion: unknown): PublicationFilter | undefined {
  const named = filter === undefined ? undefined : PUBLICATION_FILTERS.find((known) => known === filter);
  if (filter !== undefined && !named)
    throw new InvalidPublicationFilterError({ source: "query", param: "publicationFilter" });
  const short = hasVersion === undefined ? undefined : ofPublishedVersion(hasVersion);
  if (named && short) throw new TwoPublicationFiltersError({});
  return type.hasDrafts ? (named ?? short) : undefined;
}

/** Publication filters that compare published rows with drafts. */
const ABOUT_DRAFTS: readonly PublicationFilter[] = [
  "modified",
  "unmodified",
  "published-with-draft",
  "published-without-draft",
];

function ofPublishedVersion(input: unknown): PublicationFilter {
  if (input === true || input === "true") return "has-published-version-document";
  if (input === false || input === "false") return "never-published-document";
  throw new InvalidPublishedVersionError({});
}
