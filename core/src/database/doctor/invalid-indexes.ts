import type { Database } from "../driver/database.js";
import type { Finding } from "./finding.js";

const INVALID = `select i.relname as name, t.relname as table, x.indisunique as unique from pg_index x
  join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid join pg_namespace n on n.oid = t.relnamespace
  where n.nspname = current_schema() and not x.indisvalid
  and not exists (select from pg_stat_progress_create_index p where p.index_relid = x.indexrelid) order by 2, 1`;

/** Indexes that were left when building them failed: every write keeps them up, and no read uses them. */
export async function examineValidity(db: Database): Promise<readonly Finding[]> {
  const found = await db.query<{ name: string; table: string; unique: boolean }>({ text: INVALID, values: [] });
  return found.map(({ name, table, unique }) => ({
    weight: unique ? "error" : "warning",
    kind: "invalid index",
    where: `${table} ${name}`,
    what: unique
      ? "was not built to its end: values may be there twice"
      : "was not built to its end, and is used by no read",
    advice: "Start the app, which builds it again, or run REINDEX INDEX CONCURRENTLY.",
  }));
}
