import type { Database } from "@plinth/core";

/** A table of the app's schema. */
export interface Table {
  /** Quoted, with its schema. */
  readonly name: string;
  /** Quoted, those that are not computed. */
  readonly columns: readonly string[];
  /** Names of the tables that its foreign keys point to. */
  readonly parents: readonly string[];
  /** Sequence of its ids; null where there is none. */
  readonly sequence: string | null;
}

/**
 * Kept by triggers, which see a restore like any other write. Its old rows must not come back: what they count by must
 * never be the same for two states of a table.
 */
const COUNTED_BY_TRIGGERS = "plinth_counts";

const LIST = `
  select t.oid::regclass::text as name,
    array(select quote_ident(a.attname) from pg_attribute a where a.attrelid = t.oid and a.attnum > 0
      and not a.attisdropped and a.attgenerated = '' order by a.attnum)::text[] as columns,
    array(select distinct c.confrelid::regclass::text from pg_constraint c
      where c.conrelid = t.oid and c.contype = 'f' and c.confrelid <> t.oid)::text[] as parents,
    (select pg_get_serial_sequence(t.oid::regclass::text, a.attname) from pg_attribute a
      where a.attrelid = t.oid and a.attnum > 0 and a.attidentity <> '' limit 1) as sequence
  from pg_class t
  where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r' and t.relname <> $1
  order by t.oid`;

/** The tables of an app, those that others point to before those. */
export async function listTables(db: Database): Promise<readonly Table[]> {
  const tables = await db.query<Table & object>({ text: LIST, values: [COUNTED_BY_TRIGGERS] });
  const ordered: Table[] = [];
  const visit = (table: Table, path: ReadonlySet<Table>): void => {
    if (ordered.includes(table) || path.has(table)) return;
    const parents = tables.filter(({ name }) => table.parents.includes(name));
    for (const parent of parents) visit(parent, new Set([...path, table]));
    ordered.push(table);
  };
  for (const table of tables) visit(table, new Set());
  return ordered;
}
