import type { Database } from "../driver/database.js";
import type { Finding } from "./finding.js";

/** Rows from which on repeated sequential scans are reported. */
const MANY_ROWS = 10_000;
const MANY_SCANS = 20;
/** Bytes from which on an unused index is reported. */
const LARGE_INDEX = 10 * 1024 * 1024;
/** Pages read from which on the hit rate of the cache is meaningful. */
const MANY_PAGES = 100_000;
const GOOD_HIT_RATE = 0.95;

interface TableUse {
  readonly name: string;
  readonly scans: number;
  /** Rows a scan. */
  readonly scanned: number;
  readonly live: number;
  readonly dead: number;
}

const TABLES = `select relname as name, seq_scan::float8 as scans, (seq_tup_read / greatest(seq_scan, 1))::float8 as scanned,
  n_live_tup::float8 as live, n_dead_tup::float8 as dead
  from pg_stat_user_tables where schemaname = current_schema() order by seq_tup_read desc`;

/** Tables that are read whole, or hold many dead rows. */
export async function examineTables(db: Database): Promise<readonly Finding[]> {
  const tables = await db.query<TableUse & object>({ text: TABLES, values: [] });
  return tables.flatMap(({ name, scans, scanned, live, dead }): Finding[] => {
    const findings: Finding[] = [];
    if (scans >= MANY_SCANS && scanned >= MANY_ROWS)
      findings.push({
        weight: "hint",
        kind: "full scans",
        where: name,
        what: `was read from end to end ${scans} times, ${Math.round(scanned)} rows each time`,
        advice: `Look for what filters, sorts or searches it without an index ("index": true in the content-type).`,
      });
    if (dead >= MANY_ROWS && dead > live / 2)
      findings.push({
        weight: "warning",
        kind: "dead rows",
        where: name,
        what: `holds ${dead} rows that are gone, beside ${live}`,
        advice: "Let autovacuum run more often (autovacuum_vacuum_scale_factor), or run VACUUM now.",
      });
    return findings;
  });
}

const UNUSED = `select s.indexrelname as name, s.relname as table, pg_relation_size(s.indexrelid)::float8 as bytes
  from pg_stat_user_indexes s join pg_index i on i.indexrelid = s.indexrelid
  where s.schemaname = current_schema() and s.idx_scan = 0 and not i.indisunique and pg_relation_size(s.indexrelid) > $1::int8
  and exists (select from pg_stat_user_tables t where t.relid = s.relid and t.idx_scan > 1000) order by 3 desc`;

/** Large indexes that nothing has used, on tables that are used. */
export async function examineIndexes(db: Database): Promise<readonly Finding[]> {
  const unused = await db.query<{ name: string; table: string; bytes: number }>({
    text: UNUSED,
    values: [LARGE_INDEX],
  });
  return unused.map(({ name, table, bytes }) => ({
    weight: "hint",
    kind: "unused index",
    where: `${table} ${name}`,
    what: `was never used since the statistics began, and takes ${Math.round(bytes / 1024 / 1024)} MB and a part of every write`,
    advice: `Take "index" from the attribute, if nothing is filtered or sorted by it.`,
  }));
}

const CACHE = `select blks_hit::float8 as hit, blks_read::float8 as read, current_setting('shared_buffers') as size
  from pg_stat_database where datname = current_database()`;

/** Whether the cache of PostgreSQL is large enough. */
export async function examineCache(db: Database): Promise<readonly Finding[]> {
  const [cache] = await db.query<{ hit: number; read: number; size: string }>({ text: CACHE, values: [] });
  if (!cache || cache.hit + cache.read < MANY_PAGES) return [];
  const rate = cache.hit / (cache.hit + cache.read);
  if (rate >= GOOD_HIT_RATE) return [];
  const what = `is ${cache.size}; ${(rate * 100).toFixed(0)} % of what is read was there`;
  const advice = "Raise it to about a quarter of the machine's memory.";
  return [{ weight: "hint", kind: "small cache", where: "shared_buffers", what, advice }];
}
