import { createHash } from "node:crypto";
import type { Database, Statement } from "../driver/database.js";
import type { ContentModel } from "../../schema/model.js";
import { buildTables } from "../layout/table-spec.js";
import { buildSnapshot, type Snapshot, type TableSnapshot } from "./snapshot.js";

/** Table of every model that was ever applied, by hash. */
export const MODELS_TABLE = "plinth_models";

/** The statement that makes it. */
export const MODELS_SQL = `create table ${MODELS_TABLE} (hash text primary key, applied_at timestamptz not null)`;

/**
 * A short name for a model: equal for equal models, with any history of the database. So codes of links do not
 * count.
 */
export function hashModel({ tables, components }: Snapshot): string {
  const plain = Object.entries(tables).map(([table, { codes: _codes, ...stored }]) => [table, stored]);
  return createHash("sha256")
    .update(JSON.stringify({ tables: plain, components }))
    .digest("hex");
}

/** Notes that a model was applied, as the newest. */
export const noteModel = (hash: string): Statement => ({
  text: `insert into ${MODELS_TABLE} values ($1, clock_timestamp()) on conflict (hash) do update set applied_at = excluded.applied_at`,
  values: [hash],
});

/**
 * Whether a model was ever applied, and whether it was the last one. The table has to exist.
 *
 * @param isUpkeep - see `Statement`.
 */
export async function findModel(
  db: Database,
  hash: string,
  { isUpkeep = false }: Pick<Statement, "isUpkeep"> = {},
): Promise<{ readonly isKnown: boolean; readonly isNewest: boolean }> {
  const newest = `select hash from ${MODELS_TABLE} order by applied_at desc limit 1`;
  const [row] = await db.query<{ is_known: boolean; is_newest: boolean | null }>({
    text: `select exists (select from ${MODELS_TABLE} where hash = $1) as is_known, (${newest}) = $1 as is_newest`,
    values: [hash],
    isUpkeep,
  });
  return { isKnown: row?.is_known ?? false, isNewest: row?.is_newest ?? false };
}

/** The hash of a model that is not compared with a database. */
export const hashOfModel = (model: ContentModel): string =>
  hashModel(buildSnapshot(model, buildTables(model), new Map()));

/** Whether a model was applied once, and a newer one since; asked for by the clock. Any database may be asked, a new one too. */
export async function isEarlierModel(db: Database, model: ContentModel): Promise<boolean> {
  const text = "select to_regclass($1) is not null as is_there";
  const [row] = await db.query<{ is_there: boolean }>({ text, values: [MODELS_TABLE], isUpkeep: true });
  if (!row?.is_there) return false;
  const { isKnown, isNewest } = await findModel(db, hashOfModel(model), { isUpkeep: true });
  return isKnown && !isNewest;
}

/** Whether a database made for one snapshot holds all of another, in the same form. */
export function contains(holder: Snapshot, { tables, components }: Snapshot): boolean {
  const hasTables = Object.entries(tables).every(([name, table]) => containsTable(holder.tables[name], table));
  return (
    hasTables &&
    Object.entries(components).every(([uid, attributes]) =>
      Object.entries(attributes).every(([name, { form }]) => holder.components[uid]?.[name]?.form === form),
    )
  );
}

function containsTable(holder: TableSnapshot | undefined, table: TableSnapshot): boolean {
  if (!holder || holder.uid !== table.uid) return false;
  if (holder.hasDrafts !== table.hasDrafts || holder.isLocalized !== table.isLocalized) return false;
  if (table.links !== undefined && holder.links !== table.links) return false;
  const isShared = ({ shared = [] }: TableSnapshot, name: string) => shared.includes(name);
  return Object.entries(table.attributes).every(([name, { form, columns }]) => {
    const held = holder.attributes[name];
    const isSame = held?.form === form && JSON.stringify(held.columns) === JSON.stringify(columns);
    return isSame && (!table.isLocalized || isShared(holder, name) === isShared(table, name));
  });
}

/** A snapshot with what an older one holds besides, for steps that wait: the next plan finds them again. */
export function withOlder(snapshot: Snapshot, older: Snapshot): Snapshot {
  const tables = Object.entries(older.tables).map(([name, table]): [string, TableSnapshot] => {
    const own = snapshot.tables[name];
    return [name, own ? mergeTables(own, table) : table];
  });
  const components = Object.entries(older.components).map(([uid, attributes]) => [
    uid,
    { ...attributes, ...snapshot.components[uid] },
  ]);
  return {
    tables: { ...snapshot.tables, ...Object.fromEntries(tables) },
    components: { ...snapshot.components, ...Object.fromEntries(components) },
  };
}

function mergeTables(own: TableSnapshot, older: TableSnapshot): TableSnapshot {
  const gone = (older.shared ?? []).filter((name) => own.attributes[name] === undefined);
  return {
    ...own,
    shared: [...(own.shared ?? []), ...gone.filter((name) => !own.shared?.includes(name))],
    attributes: { ...older.attributes, ...own.attributes },
    links: own.links ?? older.links,
    indexes: { ...older.indexes, ...own.indexes },
  };
}
