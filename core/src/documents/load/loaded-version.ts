import type { Database } from "../../database/driver/database.js";
import type { LeavesOut } from "../../database/reads/leave-out.js";

/** A link of a version, to a document. */
export interface LoadedLink {
  readonly documentId: string;
  /** Uid of the target on polymorphic relations, else `""`. */
  readonly type: string;
  /** Its place in the owner's list. */
  readonly position: number;
  /** Its place in the list that the other side shows; undefined where that has no order. */
  readonly inversePosition: number | undefined;
}

/** One version of a document as it is to be stored. */
export interface LoadedVersion {
  /** The wanted row id; another one is given where that is taken. */
  readonly id: number;
  readonly documentId: string;
  /** `""` on types that are not localised. */
  readonly locale: string;
  /** ISO 8601; null for a draft. */
  readonly publishedAt: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
  /** Document ids of the people who made it and changed it last; null where there is none. Undefined: not known. */
  readonly createdBy?: string | null;
  readonly updatedBy?: string | null;
  /** By attribute: scalars as `parseValue` makes them (passwords as hashes), components as their column keeps them. */
  readonly values: Readonly<Record<string, unknown>>;
  /** By attribute: what relations and media of the owning side lead to, in order. */
  readonly links: Readonly<Record<string, readonly LoadedLink[]>>;
}

/** A version that could not be stored, and the reason. */
export interface RefusedVersion {
  readonly version: LoadedVersion;
  /** Unique attributes, or one-to-one relations, that another document has taken. */
  readonly taken: readonly string[];
}

/** The result of storing some versions. */
export interface LoadResult {
  readonly written: number;
  /** How many were there before and stay as they are. */
  readonly present: number;
  readonly refused: readonly RefusedVersion[];
}

/**
 * What becomes of a version that is there already: it stays, or the given one takes its place, where that was changed
 * later (`newer`), or where it differs (`overwrite`).
 */
export type OnConflict = "skip" | "newer" | "overwrite";

/** Which stored versions to read. */
export interface StoredRange {
  /** The row id after which to begin; 0 for the first. */
  readonly after: number;
  /** Rows at most. */
  readonly limit: number;
  /** ISO 8601: only what was changed then or later. */
  readonly since?: string | undefined;
  /** A replica; default: the primary. */
  readonly from?: Database;
}

/** A version as it is stored. */
export interface StoredVersion {
  readonly id: number;
  /** A LoadedVersion as JSON on one line. */
  readonly text: string;
}

/**
 * Stores versions of documents as they are, ids and times included: for imports and restores. Only the database's own
 * checks apply, and no hook runs.
 */
export interface DocumentLoader {
  /** Stores versions of one content-type, all in one transaction. By default one that is there already stays untouched. */
  load(uid: string, versions: readonly LoadedVersion[], onConflict?: OnConflict): Promise<LoadResult>;
  /** Reads stored versions in the order of their row ids; drafts and published ones, all locales. */
  read(uid: string, range: StoredRange): Promise<readonly StoredVersion[]>;
  /**
   * SQL of what a version holds, for statements of one's own, as jsonb of a row `t` of the table of a content-type: `values` of
   * a LoadedVersion, and `links` as components hold theirs, document ids or `{ documentId, __type }`, one or a list.
   *
   * @param leavesOut - attributes that are not in it, those of components included: `({ kind }) => kind === "password"`.
   * @throws PLINTH_LAYOUT_MISSING (500)
   */
  contentSql(uid: string, leavesOut: LeavesOut): string;
  /** Those of some versions that `load` would write, as far as what is stored says it. */
  missing(uid: string, versions: readonly LoadedVersion[], onConflict?: OnConflict): Promise<readonly LoadedVersion[]>;
  /**
   * Gives documents that an app made itself, such as the role `public`, the document ids of versions that have the same
   * values of `key`, wherever they are named. Those that components name stay as they are.
   *
   * @param key - attributes that say together which document it is: `["type"]`.
   * @returns the versions whose document was found, and had not been changed since it was made
   */
  adopt(uid: string, key: readonly string[], versions: readonly LoadedVersion[]): Promise<readonly LoadedVersion[]>;
  /** Keeps rows that are made from now on from getting an id up to `highest`. */
  reserveIds(uid: string, highest: number): Promise<void>;
  /** Keeps components that are made from now on from getting an id up to `highest`. */
  reserveComponentIds(highest: number): Promise<void>;
  /** Gives published documents of a type with drafts the draft that they lack; how many got one. */
  completeDrafts(uid: string): Promise<number>;
}
