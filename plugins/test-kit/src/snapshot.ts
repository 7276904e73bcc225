import type { Database, Statement } from "@plinth/core";

/** The content of a database at one moment. */
export interface Snapshot {
  /**
   * Restores the rows of every table, and the next ids. Only tables that were written
   * since are touched, and none that is append only, such as an audit log. Files in a storage stay as they are, and so do tables that were made since.
   */
  restore(): Promise<void>;
}

/** A table and its rows. */
interface Held {
  readonly table: Table;
  /** As PostgreSQL writes an array of rows; null for none. */
  readonly rows: string | null;
}

/** A value that differs after every write of a table. */
type Stamps = ReadonlyMap<string, string>;

/** Saves the content of a database. There may be no writes meanwhile. */
export async function takeSnapshot(db: Database): Promise<Snapshot> {
  const tables = await listTables(db);
  const held = await readRows(db, tables);
  const ids = await readLastIds(db, tables);
  let stamps = await readStamps(db, tables);
  return {
    restore: async () => {
      const now = await readStamps(db, tables);
      const written = withChildren(held, ({ name }) => now.get(name) !== stamps.get(name));
      if (written.length > 0) await db.transaction(() => db.queryAll(restoring(written)).then(() => undefined));
      if (ids.length > 0) await db.query(resetting(ids));
      db.messages.invalidateAll();
      if (written.length > 0) stamps = await readStamps(db, tables);
    },
  };
}

/** One statement over all tables, for one consistent view, and in one round trip. */
const overAll = (tables: readonly Table[], columnsOf: (table: Table) => string): Statement => ({
  text: tables
    .map((table, index) => `select ${index} as index, ${columnsOf(table)} from ${table.name} t`)
    .join(" union all "),
  values: [],
});

async function readRows(db: Database, tables: readonly Table[]): Promise<readonly Held[]> {
  const statement = overAll(tables, () => "array_agg(t)::text as rows");
  const read = await db.query<{ index: number; rows: string | null }>(statement);
  return read.toSorted((a, b) => a.index - b.index).map(({ index, rows }) => ({ table: tables[index] as Table, rows }));
}

/** A write adds rows of a younger transaction, or takes rows away. */
async function readStamps(db: Database, tables: readonly Table[]): Promise<Stamps> {
  const statement = overAll(tables, () => "count(*) || ' ' || coalesce(sum(t.xmin::text::bigint), 0) as stamp");
  const read = await db.query<{ index: number; stamp: string }>(statement);
  return new Map(read.map(({ index, stamp }) => [(tables[index] as Table).name, stamp]));
}

/** Rows that point to a deleted row are deleted as well. */
function withChildren(held: readonly Held[], isWritten: (table: Table) => boolean): readonly Held[] {
  const written = new Set<string>();
  // Parents come before their children.
  for (const { table } of held)
    if (isWritten(table) || table.parents.some((parent) => written.has(parent))) written.add(table.name);
  return held.filter(({ table }) => written.has(table.name));
}

function restoring(written: readonly Held[]): readonly Statement[] {
  const emptied = written.toReversed().map(({ table }) => ({ text: `delete from ${table.name}`, values: [] }));
  const filled = written.flatMap(({ table, rows }) => (rows === null ? [] : [filling(table, rows)]));
  return [...emptied, ...filled];
}

function filling({ name, columns }: Table, rows: string): Statement {
  const list = columns.join(", ");
  const text = `insert into ${name} (${list}) overriding system value select ${list} from unnest($1::text::${name}[])`;
  return { text, values: [rows] };
}

/** A sequence, and its last value; null: unused. */
interface LastId {
  readonly sequence: string;
  readonly last: string | null;
}

async function readLastIds(db: Database, tables: readonly Table[]): Promise<readonly LastId[]> {
  const sequences = tables.flatMap(({ sequence }) => (sequence === null ? [] : [sequence]));
  const text = "select s as sequence, pg_sequence_last_value(s::regclass)::text as last from unnest($1::text[]) s";
  return await db.query<LastId>({ text, values: [sequences] });
}

const resetting = (ids: readonly LastId[]): Statement => ({
  text: `select setval(q.seqrelid::regclass, coalesce(l, q.seqstart), l is not null)
    from unnest($1::text[], $2::int8[]) i (s, l) join pg_sequence q on q.seqrelid = s::regclass
    where pg_sequence_last_value(q.seqrelid) is distinct from l`,
  values: [ids.map(({ sequence }) => sequence), ids.map(({ last }) => last)],
});

/** A table of the app's schema. */
interface Table {
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
const COUNTED_BY_TRIGGERS = ["plinth_deltas", "plinth_bases"];

/** Without those that are append only: a trigger before each statement that deletes (10) refuses it. */
const LIST = `
  select t.oid::regclass::text as name,
    array(select quote_ident(a.attname) from pg_attribute a where a.attrelid = t.oid and a.attnum > 0
      and not a.attisdropped and a.attgenerated = '' order by a.attnum)::text[] as columns,
    array(select distinct c.confrelid::regclass::text from pg_constraint c
      where c.conrelid = t.oid and c.contype = 'f' and c.confrelid <> t.oid)::text[] as parents,
    (select pg_get_serial_sequence(t.oid::regclass::text, a.attname) from pg_attribute a
      where a.attrelid = t.oid and a.attnum > 0 and a.attidentity <> '' limit 1) as sequence
  from pg_class t
  where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r' and t.relname <> all($1)
    and not exists (select from pg_trigger g where g.tgrelid = t.oid and not g.tgisinternal and g.tgtype & 11 = 10)
  order by t.oid`;

/** The tables of an app, those that others point to before those. */
async function listTables(db: Database): Promise<readonly Table[]> {
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
