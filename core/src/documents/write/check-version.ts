import { type ExpectedVersions, versionOfStamps } from "../document-version.js";
import { VersionMismatchError } from "../errors.js";
import type { Version } from "./version.js";

/**
 * Refuses a write of a document that is not as its writer knows it: every locale of the rows has to be in an expected
 * version, and without rows there is none. One answer for what has changed, what is not there and what is out of reach.
 *
 * @param rows - all rows of the locales that are written, locked.
 * @throws PLINTH_DOCUMENT_VERSION_MISMATCH (412)
 */
export function checkVersion(expected: ExpectedVersions | undefined, rows: readonly Version[]): void {
  if (expected === undefined) return;
  if (rows.length === 0) throw new VersionMismatchError({});
  if (expected === "*") return;
  for (const locale of new Set(rows.map((row) => row.locale))) {
    const stamps = rows.filter((row) => row.locale === locale).map(({ stamp }) => stamp);
    if (!expected.includes(versionOfStamps(stamps))) throw new VersionMismatchError({});
  }
}
