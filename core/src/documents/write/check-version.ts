import { versionOfStamps } from "../document-version.js";
import type { Precondition } from "../documents.js";
import { VersionMismatchError } from "../errors.js";
import type { Version } from "../../database/writes/version.js";

/**
 * Rejects a write of a document in another version than the writer expects: every locale of the rows has to be in an
 * expected version and in none that is not expected; without rows there is no version. The answer is the same for a
 * changed, a missing and an invisible document.
 *
 * A caller who may not read all drafts knows the version of the published row from reads, and that of both rows from
 * the answers of writes.
 *
 * @param rows - all rows of the locales that are written, locked.
 * @param readsDrafts - whether the writer may read every draft.
 * @throws PLINTH_DOCUMENT_VERSION_MISMATCH (412)
 */
export function checkVersion(
  { ifVersion, unlessVersion }: Precondition,
  rows: readonly Version[],
  readsDrafts: boolean,
): void {
  if (ifVersion === undefined && unlessVersion === undefined) return;
  const found = versionsOf(rows, readsDrafts);
  const isExpected = (versions: Versions) =>
    ifVersion === "*" || versions.some((version) => ifVersion?.includes(version));
  if (ifVersion !== undefined && !(found.length > 0 && found.every(isExpected))) throw new VersionMismatchError({});
  const isUnwanted = (versions: Versions) =>
    unlessVersion === "*" || versions.some((version) => unlessVersion?.includes(version));
  if (found.some(isUnwanted)) throw new VersionMismatchError({});
}

/** The versions by which a client may know one locale. */
type Versions = readonly string[];

/** The versions of each locale. */
function versionsOf(rows: readonly Version[], readsDrafts: boolean): readonly Versions[] {
  const locales = [...new Set(rows.map((row) => row.locale))];
  const versionOf = (some: readonly Version[]) => versionOfStamps(some.map(({ stamp }) => stamp));
  return locales.map((locale) => {
    const all = rows.filter((row) => row.locale === locale);
    const published = readsDrafts ? [] : all.filter(({ isDraft }) => !isDraft);
    return [versionOf(all), ...(published.length > 0 ? [versionOf(published)] : [])];
  });
}
