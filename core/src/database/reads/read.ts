import type { ReadPoint } from "../driver/position.js";
import type { Statement } from "../driver/database.js";
import type { Extent } from "./extents.js";
import type { PreparedQuery, RowsQuery } from "./query.js";

/** What one read gave: JSON text as PostgreSQL built it, and the count if the Query asked for it. */
export interface ReadText {
  /** A JSON array for lists; a JSON object, or `null`, for one document. */
  readonly text: string;
  readonly total: number | undefined;
  /** JSON of the place of a page's last row, to go on from there; undefined at the end, and without a cursor. */
  readonly place: string | undefined;
  /** The row stamps of the document's versions in its locale, with commas; undefined for lists and for no document. */
  readonly stamps: string | undefined;
  /** What the text was read from; undefined where it was put together from several reads. */
  readonly source: ReadSource | undefined;
  /** The stamp of its tables just before it was read, where that was asked for. */
  readonly stamp: string | undefined;
}

/** What the answer to a Query is read from. */
export interface ReadSource {
  /** Whether nothing but the tables decides the answer, together with the Query and its values: no hook takes part. */
  readonly decides: boolean;
  /** Names of the tables that are read, in order. */
  readonly tables: readonly string[];
  /** Uids of the content-types whose tables they are. */
  readonly types: readonly string[];
  /**
   * A text that is another one after every change of these tables, whether it changes the answer or not: so it says that
   * something was written which the reader may not see, and never leaves the server.
   */
  stampNow(from?: ReadPoint): Promise<string>;
  /** The same, of what `readStamps` says of each table. */
  stampOf(stamps: ReadonlyMap<string, string>): string;
}

/** A RowsQuery with the values its slots point to. */
export interface PreparedRows {
  readonly query: RowsQuery;
  readonly values: readonly unknown[];
}

/** `decisive`: only where the tables decide the answer, and no hook takes part. */
export type StampWish = "always" | "decisive";

/** How a read is sent. */
export interface ReadOptions {
  /** Whether the transaction ends with it, in the same round trip; where a read takes several statements, it does not. */
  readonly ends?: boolean;
  /** What it has to see where a replica may answer; undefined: the primary answers. */
  readonly from?: ReadPoint | undefined;
  /** Whether the stamp of its tables is wanted as well, in a statement of its own before it; default: no. */
  readonly withStamp?: StampWish | undefined;
}

/** Runs reads: compiles each form of Query once, then only moves values. */
export interface Reader {
  read(prepared: PreparedQuery, options?: ReadOptions): Promise<ReadText>;
  /** The statement of a read. @returns its row has the text as `data` */
  statementOf(prepared: PreparedQuery): Statement;
  /** What a read with limits will cost, in points; 0 without limits. */
  pointsOf(prepared: PreparedQuery, options?: Pick<ReadOptions, "from">): Promise<number>;
  /** How many rows a content-type has, or links a to-many attribute of it; Infinity for more than 50,000. */
  extentOf(extent: Extent): Promise<number>;
  /** Number of rows that a Query's conditions match, on all pages. */
  count(prepared: PreparedQuery): Promise<number>;
  /** The ids of the rows that are visible to the caller; int8 as text. */
  rows(prepared: PreparedRows): Promise<ReadonlySet<string>>;
}
