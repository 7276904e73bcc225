import type { Database } from "../driver/database.js";
import { BASES, FOREIGN_BASES } from "../layout/totals.js";
import { FOLD_COLLATION } from "../sql/sql.js";

/** What the current schema of the database holds. */
export interface DatabaseState {
  /** Tables, and in each the type of each column as PostgreSQL prints it. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Those that are whole: one that is being made concurrently, or could not be finished, is missing. */
  readonly indexes: ReadonlySet<string>;
  readonly sequences: ReadonlySet<string>;
  /** Tables whose content a crash of the server empties. */
  readonly unlogged: ReadonlySet<string>;
  /** Those whose names begin with our prefix. */
  readonly functions: ReadonlySet<string>;
  /** `articles.plinth_count_insert`: those of tables, whose names begin like ours. */
  readonly triggers: ReadonlySet<string>;
  /** Indexes by which publications name the rows of a table that has no primary key. */
  readonly identities: ReadonlySet<string>;
  /** Tables whose totals come from another cluster, by a dump, and have to be added up. */
  readonly foreignTotals: readonly string[];
  readonly hasFoldCollation: boolean;
  /** Collations that fold every script and that this server has. */
  readonly foldSources: readonly string[];
}

/** Collations that lower-case every script, best first. The last one folds final sigmas by context. */
const FOLD_SOURCES = ["pg_c_utf8", "C.utf8", "C.UTF-8", "und-x-icu"];

const COLUMNS = `
  select c.relname as table, json_object_agg(a.attname, format_type(a.atttypid, a.atttypmod)) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
  group by c.relname`;

const OBJECTS = `
  select relname::text as name, relkind::text as kind from pg_class c
  where relnamespace = current_schema()::regnamespace and relkind in ('i', 'I', 'S')
    and not exists (select from pg_index i where i.indexrelid = c.oid and not i.indisvalid)
  union all
  select proname, 'function' from pg_proc where pronamespace = current_schema()::regnamespace and proname like 'plinth\\_%'
  union all
  select c.relname || '.' || t.tgname, 'trigger' from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = current_schema()::regnamespace and t.tgname like 'plinth\\_%'
  union all
  select c.relname, 'identity' from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = current_schema()::regnamespace and i.indisreplident
  union all
  select relname, 'unlogged' from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' and relpersistence = 'u'
  union all
  select collname, case when collnamespace = current_schema()::regnamespace then 'own collation' else 'collation' end
  from pg_collation where collname = any($1)
  and collencoding in (-1, (select encoding from pg_database where datname = current_database()))`;

/** Reads the state of the database, in three statements for any size. */
export async function introspect(db: Database): Promise<DatabaseState> {
  const columns = await db.query<{ table: string; columns: Record<string, string> }>({ text: COLUMNS, values: [] });
  const objects = await db.query<{ name: string; kind: string }>({
    text: OBJECTS,
    values: [[...FOLD_SOURCES, FOLD_COLLATION]],
  });
  const tables = new Map(columns.map(({ table, columns }) => [table, new Map(Object.entries(columns))]));
  const foreign = tables.has(BASES) ? await db.query<{ table: string }>({ text: FOREIGN_BASES, values: [] }) : [];
  const named = (...kinds: string[]) =>
    new Set(objects.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name));
  const collations = named("collation", "own collation");
  return {
    tables,
    indexes: named("i", "I"),
    sequences: named("S"),
    unlogged: named("unlogged"),
    functions: named("function"),
    triggers: named("trigger"),
    identities: named("identity"),
    foreignTotals: foreign.map(({ table }) => table),
    hasFoldCollation: named("own collation").has(FOLD_COLLATION),
    foldSources: FOLD_SOURCES.filter((name) => collations.has(name)),
  };
}
