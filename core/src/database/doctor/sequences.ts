import type { Database } from "../driver/database.js";
import type { Finding } from "./finding.js";

const MOST_USED = 0.8;
const ALMOST_ALL = 0.95;

const USED = `select sequencename as name, (last_value::float8 / max_value::float8) as used from pg_sequences
  where schemaname = current_schema() and increment_by > 0 and not cycle and last_value::float8 / max_value::float8 >= $1::float8 order by 2 desc`;

/** Sequences that come to their end: without one no row can be added. */
export async function examineSequences(db: Database): Promise<readonly Finding[]> {
  const found = await db.query<{ name: string; used: number }>({ text: USED, values: [MOST_USED] });
  return found.map(({ name, used }) => ({
    weight: used >= ALMOST_ALL ? "error" : "warning",
    kind: "sequence",
    where: name,
    what: `is used up to ${Math.floor(used * 100)} %; at its end no row can be added`,
    advice: "Find what set it so high; a column of a smaller type than bigint has to become one.",
  }));
}
