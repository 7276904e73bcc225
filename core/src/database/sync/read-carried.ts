import type { ContentModel, Shape } from "../../schema/model.js";
import { isUnique } from "../../schema/attribute.js";
import type { Database, Statement } from "../driver/database.js";
import type { CarriedParts, CarriedUniques, UniqueHolder, UniquePlaces } from "../layout/carried.js";
import { buildTables, hasForm, holdsComponents, rowColumnsOf, type TableSpec } from "../layout/table-spec.js";
import { readSnapshot, type Snapshot, type TableSnapshot } from "./snapshot.js";

/**
 * Columns that a copy of a row may hold: not those that PostgreSQL computes, and none of which only one row may have a
 * value. Unique indexes of ours are on published rows, or on one version of each document.
 */
const COLUMNS = `
  select c.relname::text as "table", array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relname = any($1) and c.relkind in ('r', 'p')
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''
    and not exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and i.indpred is null
      and a.attnum = any(i.indkey::int2[]) and i.indkey::int2[] <@ array[a.attnum])
  group by c.relname`;

/**
 * Reads what the tables hold that a model lacks, for `Carried`. Costs a statement, and a second one where there is
 * something.
 *
 * @param statement - `isUpkeep` where nothing but the clock or a message asks for it.
 * @returns by table; those where model and table agree are left out.
 */
export async function readCarried(
  db: Database,
  model: ContentModel,
  { isUpkeep = false }: Pick<Statement, "isUpkeep"> = {},
): Promise<ReadonlyMap<string, CarriedParts>> {
  const specs = buildTables(model);
  const rows = await db.query<{ table: string; columns: readonly string[] }>({
    text: COLUMNS,
    values: [specs.map(({ table }) => table)],
    isUpkeep,
  });
  const columns = new Map(rows.map((row) => [row.table, row.columns]));
  const snapshot = (await readSnapshot(db, { isUpkeep }))?.snapshot;
  const found = new Map<string, CarriedParts>();
  for (const spec of specs) {
    const known = rowColumnsOf(spec);
    const unknown = (columns.get(spec.table) ?? []).filter((name) => !known.has(name));
    const parts = carriedParts({ model, spec, snapshot, unknown });
    if (parts) found.set(spec.table, parts);
  }
  return found;
}

interface TableDifference {
  readonly model: ContentModel;
  readonly spec: TableSpec;
  readonly snapshot: Snapshot | undefined;
  readonly unknown: readonly string[];
}

function carriedParts({ model, spec, snapshot, unknown }: TableDifference): CarriedParts | undefined {
  const newest = snapshot?.tables[spec.table];
  const uniques = newest && snapshot ? carriedUniques(model, spec, newest, snapshot) : undefined;
  const shared = Object.entries(newest?.attributes ?? {}).filter(
    ([name]) => (newest?.shared ?? []).includes(name) && !spec.type.attributes.has(name),
  );
  const sharedColumns = new Set(shared.flatMap(([, { columns }]) => columns.map(({ name }) => name)));
  const parts: CarriedParts = {
    columns: unknown,
    shared: unknown.filter((name) => sharedColumns.has(name)),
    links: spec.links === undefined ? newest?.links : undefined,
    sharedCodes: shared.flatMap(([name, { columns }]) => (columns.length === 0 ? (newest?.codes[name] ?? []) : [])),
    uniques,
    embedded: newest && snapshot && unknownEmbedded({ model, spec, snapshot }, newest),
  };
  const isNothing =
    unknown.length === 0 &&
    parts.links === undefined &&
    parts.sharedCodes.length === 0 &&
    uniques === undefined &&
    parts.embedded === undefined;
  return isNothing ? undefined : parts;
}

/**
 * The codes of what components hold in a table, where the newest version keeps components or links in attributes that the
 * model lacks or has in another form: of the type, or of a component that it can reach.
 */
function unknownEmbedded(
  { model, spec, snapshot }: Pick<TableDifference, "model" | "spec"> & { readonly snapshot: Snapshot },
  newest: TableSnapshot,
): readonly number[] | undefined {
  const isUnknown = (shape: Shape | undefined, attributes: Readonly<Record<string, { readonly form: string }>>) =>
    Object.entries(attributes).some(([name, { form }]) => isEmbedding(form) && !hasForm(shape, name, form));
  const holders = Object.entries(newest.attributes).filter(([, { form }]) => holdsComponents(form));
  const reached = reachedFrom(
    holders.map(([, { form }]) => componentOf(form)),
    snapshot,
  );
  const isMore =
    isUnknown(spec.type, Object.fromEntries(holders)) ||
    [...reached].some((uid) => isUnknown(model.components.get(uid), snapshot.components[uid] ?? {}));
  if (!isMore) return undefined;
  return Object.entries(newest.codes).flatMap(([key, code]) => (key.includes("#") ? [code] : []));
}

/** Whether an attribute of a component holds links, or components that may. */
const isEmbedding = (form: string): boolean => holdsComponents(form) || form.startsWith("relation");

/** The components that some hold at any depth, themselves included. @param from - uids; `""` for a zone, which may have any */
function reachedFrom(from: readonly string[], { components }: Snapshot): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (uid: string): void => {
    if (reached.has(uid)) return;
    reached.add(uid);
    for (const attribute of Object.values(components[uid] ?? {})) attribute.components.forEach(visit);
  };
  for (const uid of from.includes("") ? Object.keys(components) : from) visit(uid);
  return reached;
}

/** @returns undefined where the model knows of every unique attribute that components of the table can have */
function carriedUniques(
  model: ContentModel,
  spec: TableSpec,
  newest: TableSnapshot,
  snapshot: Snapshot,
): CarriedUniques | undefined {
  const holders = Object.entries(newest.attributes).flatMap(
    ([
      name,
      {
        form,
        columns: [column],
      },
    ]) => (column && holdsComponents(form) ? [{ name, component: componentOf(form), column: column.name }] : []),
  );
  const places = placesOf(snapshot);
  const isKnown = (uid: string, name: string): boolean => {
    const attribute = model.components.get(uid)?.attributes.get(name);
    return attribute !== undefined && isUnique(attribute);
  };
  const isWholeKnown = [...places].every(([uid, { uniques }]) => uniques.every((name) => isKnown(uid, name)));
  const hasUnknownHolder = holders.some(({ name }) => !spec.type.attributes.has(name));
  const hasUniques = [...places.values()].some(({ uniques }) => uniques.length > 0);
  return hasUniques && (!isWholeKnown || hasUnknownHolder) ? { holders, places } : undefined;
}

/** Where the unique attributes of components are, as the snapshot notes them. */
function placesOf({ components }: Snapshot): UniquePlaces {
  return new Map(
    Object.entries(components).map(([uid, attributes]) => {
      const entries = Object.entries(attributes);
      const uniques = entries.flatMap(([name, { isUnique: unique }]) => (unique ? [name] : []));
      const holders = entries.flatMap(([name, { form }]): UniqueHolder[] =>
        holdsComponents(form) ? [{ name, component: componentOf(form) }] : [],
      );
      return [uid, { uniques, holders }];
    }),
  );
}

const componentOf = (form: string): string => form.replace(/^(zone|components? )/, "");
