// Knows which tables have so many rows that the form of a read says little about its cost.
import type { Database } from "../driver/database.js";

/** Rows from which on a table is large: five times what the cost of a form assumes. */
const MANY_ROWS = 10_000;

/** Milliseconds after which the sizes are read again. */
const MAX_AGE = 60_000;

/**
 * PostgreSQL estimates both: the first when a table is analyzed, also on a replica and after a crash; the second with every
 * write, also of a table that was never analyzed.
 */
const LARGE_TABLES = `select relname as "table", greatest(reltuples, pg_stat_get_live_tuples(oid))::float8 as rows
  from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
    and greatest(reltuples, pg_stat_get_live_tuples(oid)) > $1::float8`;

/** The large tables of one database, read at most once a minute. */
export class LargeTables {
  #rows: ReadonlyMap<string, number> = new Map();
  #askedAt = Number.NEGATIVE_INFINITY;
  #first: Promise<void> | undefined;

  constructor(private readonly db: Pick<Database, "query">) {}

  /** The rows of a table, about; 0 of one that is not large. */
  rowsOf(table: string): number {
    return this.#rows.get(table) ?? 0;
  }

  /** Whether one of these tables is large. Only the first reads wait for the answer; later ones take the last. */
  async includeAny(tables: readonly string[]): Promise<boolean> {
    if (performance.now() - this.#askedAt > MAX_AGE) {
      this.#askedAt = performance.now();
      const asked = this.#ask();
      this.#first ??= asked;
    }
    await this.#first;
    return this.#rows.size > 0 && tables.some((table) => this.#rows.has(table));
  }

  /** The reads themselves fail where the database does not answer: until it does, the sizes are those of before. */
  async #ask(): Promise<void> {
    const statement = { text: LARGE_TABLES, values: [MANY_ROWS], isRead: true, isUpkeep: true };
    const found = await this.db.query<{ table: string; rows: number }>(statement).catch(() => undefined);
    if (found) this.#rows = new Map(found.map(({ table, rows }) => [table, rows]));
  }
}
