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
 * Stores versions of documents as they are, ids and times included: for imports and restores. Only the database's own
 * checks apply, and no hook runs.
 */
export interface DocumentLoader {
  /** Stores versions of one content-type, all in one transaction. One that is there already stays untouched. */
  load(uid: string, versions: readonly LoadedVersion[]): Promise<LoadResult>;
  /** Keeps rows that are made from now on from getting an id up to `highest`. */
  reserveIds(uid: string, highest: number): Promise<void>;
  /** Keeps components that are made from now on from getting an id up to `highest`. */
  reserveComponentIds(highest: number): Promise<void>;
  /** Gives published documents of a type with drafts the draft that they lack; how many got one. */
  completeDrafts(uid: string): Promise<number>;
}
