import { versionOfStamps } from "../document-version.js";
import type { Precondition } from "../documents.js";
import { VersionMismatchError } from "../errors.js";
import type { Version } from "./version.js";

/**
 * Refuses a write of a document that is not as its writer knows it: every locale of the rows has to be in an expected
 * version and in none that is not expected; without rows there is no version. One answer for what has changed, what is not there and what is out of reach.
 *
 * @param rows - all rows of the locales that are written, locked.
 * @throws PLINTH_DOCUMENT_VERSION_MISMATCH (412)
 */
export function checkVersion({ ifVersion, unlessVersion }: Precondition, rows: readonly Version[]): void {
  if (ifVersion === undefined && unlessVersion === undefined) return;
  const found = versionsOf(rows);
  const isExpected = (version: string) => ifVersion === "*" || ifVersion?.includes(version);
  if (ifVersion !== undefined && !(found.length > 0 && found.every(isExpected))) throw new VersionMismatchError({});
  const isUnwanted = (version: string) => unlessVersion === "*" || unlessVersion?.includes(version);
  if (found.some(isUnwanted)) throw new VersionMismatchError({});
}

/** The version of each locale. */
function versionsOf(rows: readonly Version[]): readonly string[] {
  const locales = [...new Set(rows.map((row) => row.locale))];
  const stampsOf = (locale: string) => rows.filter((row) => row.locale === locale).map(({ stamp }) => stamp);
  return locales.map((locale) => versionOfStamps(stampsOf(locale)));
}
