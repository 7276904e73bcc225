import { type App, ForbiddenError, isPlinthError, NotFoundError, type Precondition } from "@plinth/core";
import { expectedVersions, type RequestInfo, unexpectedVersions } from "@plinth/core/http";
import { EntryConflictError, PreconditionMissingError } from "../errors.js";
import type { Person } from "../wire/account.js";
import { personOf, type StoredFacts } from "./facts.js";
import { type EntryPlace, prepareOne, readRows } from "./read-entry.js";

/** The versions that a write expects, as its headers name them. */
export function preconditionOf({ headers }: RequestInfo): Precondition {
  return { ifVersion: expectedVersions(headers), unlessVersion: unexpectedVersions(headers) };
}

/** The same, of a write that could undo what somebody else changed. @throws PLINTH_ADMIN_PRECONDITION_MISSING (428) */
export function assertPrecondition(request: RequestInfo): Precondition {
  const precondition = preconditionOf(request);
  if (precondition.ifVersion === undefined && precondition.unlessVersion !== "*")
    throw new PreconditionMissingError({});
  return precondition;
}

/** What documents answer to a write that expects another version, or none. */
const CONFLICTS: ReadonlySet<string> = new Set(["PLINTH_DOCUMENT_VERSION_MISMATCH", "PLINTH_DOCUMENT_EXISTS"]);

/** A document, and the version of it that a write expects. */
interface ExpectedPlace {
  readonly place: EntryPlace;
  readonly precondition: Precondition;
}

/**
 * Runs a write, and says of a version that it did not expect which one there is, who made it, and when.
 *
 * @throws PLINTH_ADMIN_CONFLICT (412), details are a Conflict
 * @throws PLINTH_ACCESS_FORBIDDEN (403) for a document that the caller sees and a rule keeps from being changed
 * @throws PLINTH_HTTP_NOT_FOUND (404) for a document that is gone, or that the caller may not see
 */
export async function withConflict<Result>(
  app: App,
  expected: ExpectedPlace,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isPlinthError(error) || !CONFLICTS.has(error.code)) throw error;
    throw await conflictAt(app, expected);
  }
}

/**
 * Before a write of all locales, each of which has a version of its own: who writes has seen one of them as it is now.
 * The document is locked.
 *
 * @throws PLINTH_ADMIN_CONFLICT (412), details are those of the locale that was changed last
 * @throws PLINTH_HTTP_NOT_FOUND (404)
 */
export async function assertSomeVersion(app: App, place: NamedPlace, { ifVersion }: Precondition): Promise<void> {
  if (ifVersion === undefined || ifVersion === "*") return;
  await app.documents(place.type.uid).lock(place.documentId);
  const found = await Promise.all((await localesAt(app, place)).map((locale) => statusAt(app, { ...place, locale })));
  const known = found.flatMap((status) => status ?? []).sort((a, b) => (a.changedAt < b.changedAt ? 1 : -1));
  const [last] = known;
  if (!last) throw new NotFoundError({});
  if (!known.some(({ version }) => ifVersion.includes(version))) throw conflictOf(last);
}

/** A place whose document is named. */
type NamedPlace = EntryPlace & { readonly documentId: string };

/** The locales of a document that its reader sees; undefined on types that are not localised. */
async function localesAt(app: App, place: NamedPlace): Promise<readonly (string | undefined)[]> {
  if (!place.type.isLocalized) return [undefined];
  const { type, documentId, ability } = place;
  const params = { filters: { documentId }, locale: "*", fields: ["locale"], ability } as const;
  const rows = await app.documents(type.uid).findMany(params);
  return [...new Set(rows.map(({ locale }) => String(locale)))];
}

/** A version with what a 412 says of it. */
interface PlacedVersion {
  /** As preconditions have it. */
  readonly version: string;
  readonly changedAt: string;
  readonly changedBy: Person | null;
}

/** What a 412 says of the document of a place; undefined where its reader sees none. */
async function statusAt(app: App, place: EntryPlace): Promise<PlacedVersion | undefined> {
  const selection = { fields: [{ name: "updatedAt" }], populate: [] };
  const prepared = prepareOne(app, place, { selection, facts: ["updatedBy"] });
  const { version, rows } = await readRows(app, place, prepared);
  const [row] = rows;
  if (!row || version === undefined) return undefined;
  const { updatedBy } = row["_facts"] as StoredFacts;
  return { version, changedAt: String(row["updatedAt"]), changedBy: personOf(updatedBy) };
}

const conflictOf = (found: PlacedVersion): Error => new EntryConflictError({ ...found, version: tagOf(found.version) });

async function conflictAt(app: App, { place, precondition: { ifVersion } }: ExpectedPlace): Promise<Error> {
  const found = await statusAt(app, place);
  if (!found) return new NotFoundError({});
  // A write answers like this, too, where a rule leaves the document out.
  if (ifVersion === "*" || ifVersion?.includes(found.version)) return new ForbiddenError({});
  return conflictOf(found);
}

/** An entity tag that stands for a version with any body: If-Match takes the version out of it. */
const tagOf = (version: string): string => `"${version}-0"`;
