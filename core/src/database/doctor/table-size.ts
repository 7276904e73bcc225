/** Which tables are small enough to be read whole by an examination. */
import type { ContentModel, ContentType } from "../../schema/model.js";
import type { Database } from "../driver/database.js";
import { DELTAS } from "../layout/totals.js";
import { identifier, literal } from "../sql/sql.js";

/** Rows beyond which a table is read whole only when that is asked for. */
export const MANY_ROWS = 1_000_000;

/** The content-types by the size of their tables. */
export interface TypesBySize {
  readonly small: readonly ContentType[];
  /** Of more than `MANY_ROWS`. */
  readonly large: readonly ContentType[];
}

/** Sorts the content-types by what PostgreSQL and the kept totals say of their size, which costs nothing to ask. */
export async function typesBySize(db: Database, model: ContentModel): Promise<TypesBySize> {
  const small: ContentType[] = [];
  const large: ContentType[] = [];
  for (const type of model.contentTypes.values()) {
    const [about] = await db.query<{ rows: number }>({ text: size(type.table), values: [] });
    (about && about.rows > MANY_ROWS ? large : small).push(type);
  }
  return { small, large };
}

const size = (table: string): string => `select greatest(c.reltuples, pg_stat_get_live_tuples(c.oid),
  (select coalesce(sum(rows), 0) from ${DELTAS} where "table" = ${literal(table)}))::float8 as rows
  from pg_class c where c.oid = ${literal(identifier(table))}::regclass`;
