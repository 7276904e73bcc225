import type { Database } from "../driver/database.js";
import { DELTAS } from "../layout/totals.js";
import type { Finding } from "./finding.js";

const MIB = 1024 ** 2;

/** Bytes of table and indexes from which on it is worth a word: some thousand rows take 1 MiB. */
const LARGE = 64 * MIB;

const SIZE = `select pg_total_relation_size(c.oid)::float8 as bytes, pg_stat_get_live_tuples(c.oid)::float8 as live,
  pg_stat_get_dead_tuples(c.oid)::float8 as dead from pg_class c where c.oid = to_regclass($1)`;

/** Whether the table that totals are summed from has grown: its rows come and go, and something keeps vacuum away. */
export async function examineDeltas(db: Database): Promise<readonly Finding[]> {
  const [size] = await db.query<{ bytes: number; live: number; dead: number }>({ text: SIZE, values: [DELTAS] });
  return size ? judgeDeltas(size) : [];
}

/** What is to be said of its size. */
export function judgeDeltas({ bytes, live, dead }: { bytes: number; live: number; dead: number }): readonly Finding[] {
  if (bytes < LARGE) return [];
  const what = `takes ${Math.round(bytes / MIB)} MiB for ${live} rows, beside ${dead} that are gone`;
  const advice = `End old transactions, slots and snapshots, then run VACUUM FULL ${DELTAS} (writes wait meanwhile).`;
  return [{ weight: "warning", kind: "bloat", where: DELTAS, what, advice }];
}
