import { hash } from "node:crypto";

/** The versions that a write may find; `*`: any, as long as there is one. */
export type ExpectedVersions = "*" | readonly string[];

const LENGTH = 16;
const versions = new WeakMap<object, string>();

/**
 * The version of a document in one locale: 16 hexadecimal digits, different after every write of its draft or its
 * published row.
 *
 * @param stamps - of the rows, in the order of their ids.
 */
export function versionOfStamps(stamps: readonly string[]): string {
  return hash("sha256", stamps.join(",")).slice(0, LENGTH);
}

/** Notes the version that a document was read in. */
export function noteVersion(document: object, version: string): void {
  versions.set(document, version);
}

/**
 * The version that a document was read in, by its own read or as the answer of a create or update; undefined for rows
 * of lists and for copies of documents. What `ifVersion` of a write takes.
 */
export function documentVersion(document: object): string | undefined {
  return versions.get(document);
}
