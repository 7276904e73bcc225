import { createHash } from "node:crypto";
import type { Component, ContentModel } from "../../schema/model.js";
import { isUnique } from "../../schema/attribute.js";
import type { Database, Statement } from "../driver/database.js";
import { componentUids, type TableLayout } from "../layout/layout.js";
import { describeIndex } from "../layout/index-spec.js";
import { embeddedForm, type StoredAttribute, type TableSpec } from "../layout/table-spec.js";

/** A content-type as it was last synchronised; its table's name is the key. */
export interface TableSnapshot {
  readonly uid: string;
  readonly hasDrafts: boolean;
  readonly isLocalized: boolean;
  /** Names of the attributes that all locales share; undefined in snapshots of before they were noted. */
  readonly shared?: readonly string[];
  readonly attributes: Readonly<Record<string, StoredAttribute>>;
  readonly links: string | undefined;
  /** By link key; those of attributes that are gone stay, so that no code is ever given twice. */
  readonly codes: Readonly<Record<string, number>>;
  /** What each index is on, by name. */
  readonly indexes: Readonly<Record<string, string>>;
}

/** An attribute of a component as it was last synchronised. */
export interface EmbeddedSnapshot {
  readonly form: string;
  /** Uids of the components that it can hold. */
  readonly components: readonly string[];
  /** Left out where it is not. */
  readonly isUnique?: true;
}

/** The content model at the last synchronisation: what introspection cannot see. One row of `plinth_schema`. */
export interface Snapshot {
  readonly tables: Readonly<Record<string, TableSnapshot>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, EmbeddedSnapshot>>>>;
}

/** Table that holds the snapshot, one row. */
export const SNAPSHOT_TABLE = "plinth_schema";

/** The snapshot of a model whose tables have these layouts. */
export function buildSnapshot(
  model: ContentModel,
  specs: readonly TableSpec[],
  layouts: ReadonlyMap<string, TableLayout>,
): Snapshot {
  const tables = specs.map((spec): [string, TableSnapshot] => [
    spec.table,
    {
      uid: spec.type.uid,
      hasDrafts: spec.type.hasDrafts,
      isLocalized: spec.type.isLocalized,
      shared: [...spec.type.attributes.values()].filter((a) => !a.isLocalized).map(({ name }) => name),
      attributes: Object.fromEntries(spec.attributes),
      links: spec.links,
      codes: Object.fromEntries(layouts.get(spec.type.uid)?.codes ?? []),
      indexes: Object.fromEntries(spec.indexes.map((index) => [index.name, describeIndex(index)])),
    },
  ]);
  const components = [...model.components.values()].map((component) => [component.uid, embeddedSnapshots(component)]);
  return { tables: Object.fromEntries(tables), components: Object.fromEntries(components) };
}

function embeddedSnapshots(component: Component): Record<string, EmbeddedSnapshot> {
  const attributes = [...component.attributes.values()];
  return Object.fromEntries(
    attributes.map((a) => [
      a.name,
      { form: embeddedForm(a), components: componentUids(a), ...(isUnique(a) ? { isUnique: true as const } : {}) },
    ]),
  );
}

/** A short name for a snapshot's content; equal for equal ones. */
export function hashSnapshot(snapshot: Snapshot): string {
  return createHash("sha256").update(JSON.stringify(snapshot)).digest("hex");
}

/**
 * The stored snapshot and its hash. The table has to exist.
 *
 * @param isUpkeep - see `Statement`.
 */
export async function readSnapshot(
  db: Database,
  { isUpkeep = false }: Pick<Statement, "isUpkeep"> = {},
): Promise<{ snapshot: Snapshot; hash: string } | undefined> {
  const [row] = await db.query<{ snapshot: Snapshot; hash: string }>({
    text: `select snapshot, hash from ${SNAPSHOT_TABLE}`,
    values: [],
    isUpkeep,
  });
  return row;
}

/** Replaces the stored snapshot. */
export const snapshotStatement = (snapshot: Snapshot): Statement => ({
  text: [
    `insert into ${SNAPSHOT_TABLE} (only_row, snapshot, hash, applied_at) values (true, $1::json, $2, now())`,
    "on conflict (only_row) do update set snapshot = excluded.snapshot, hash = excluded.hash, applied_at = excluded.applied_at",
  ].join(" "),
  values: [JSON.stringify(snapshot), hashSnapshot(snapshot)],
});
