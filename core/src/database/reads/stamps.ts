import type { Database, Statement } from "../driver/database.js";
import { DELTAS, STAMP_MASK } from "../layout/totals.js";

/** `$1` names of tables. One text for all of them, so that its plan is there for every form of read. */
const STAMP = "select plinth_stamp($1::text[])::text as stamp";
const STAMPS = "select name, plinth_stamp(array[name])::text as stamp from unnest($1::text[]) name";

/** The same on an engine without horizons; see noted-changes.ts. */
const SUM = `(coalesce(sum(stamp), 0)::bigint & ${STAMP_MASK})::text as stamp from ${DELTAS} where "table" = any($1::text[])`;
const SUMMED = `select ${SUM}`;
const ALL_SUMMED = `select "table" as name, ${SUM} group by "table"`;

/** The statement that returns the `stamp` of some tables together: the same again means that none of them has changed. */
export const stampStatement = ({ engine }: Pick<Database, "engine">, tables: readonly string[]): Statement => ({
  text: engine === "citus" ? SUMMED : STAMP,
  values: [tables],
  isPlan: true,
  isRead: true,
});

/** The stamps of some tables by their names, each by itself; of the primary. A table that was never written may be missing. */
export async function readStamps(
  db: Pick<Database, "engine" | "query">,
  tables: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const text = db.engine === "citus" ? ALL_SUMMED : STAMPS;
  const statement = { text, values: [tables], isPlan: true, isRead: true };
  const rows = await db.query<{ name: string; stamp: string }>(statement);
  return new Map(rows.map(({ name, stamp }) => [name, stamp]));
}

/** The stamp of tables together, of the stamps of each: as the database adds them up. */
export const sumOfStamps = (stamps: readonly string[]): string =>
  String(stamps.reduce((sum, stamp) => (sum + Number(stamp)) % (STAMP_MASK + 1), 0));
