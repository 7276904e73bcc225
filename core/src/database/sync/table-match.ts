import type { DatabaseState } from "./introspect.js";
import type { Snapshot, TableSnapshot } from "./snapshot.js";
import type { StoredAttribute, TableSpec } from "../layout/table-spec.js";

/** An attribute beside what it was at the last synchronisation. */
export interface AttributeMatch {
  readonly name: string;
  readonly form: StoredAttribute;
  /** Undefined: it is new. */
  readonly old: StoredAttribute | undefined;
  /** Another one than `name` when the attribute was renamed. */
  readonly oldName: string;
}

/** A content-type's table beside what it was at the last synchronisation. */
export interface TableMatch {
  readonly spec: TableSpec;
  readonly old: TableSnapshot | undefined;
  /** Another name than the spec's when the content-type was renamed. */
  readonly oldTable: string;
  /** Columns and their types as they are; undefined when there is no such table. */
  readonly columns: ReadonlyMap<string, string> | undefined;
  readonly attributes: readonly AttributeMatch[];
  /** Attributes that the model no longer has. */
  readonly removed: readonly { readonly name: string; readonly old: StoredAttribute }[];
}

/** Finds what became of each table: the same name, or the one that `renamedFrom` declares. */
export function matchTables(
  specs: readonly TableSpec[],
  snapshot: Snapshot,
  state: DatabaseState,
): readonly TableMatch[] {
  return specs.map((spec) => {
    const { renamedFrom } = spec.type;
    const isRenamed =
      renamedFrom !== undefined && snapshot.tables[renamedFrom] !== undefined && !state.tables.has(spec.table);
    const oldTable = isRenamed ? renamedFrom : spec.table;
    const old = snapshot.tables[oldTable];
    return { spec, old, oldTable, columns: state.tables.get(oldTable), ...matchAttributes(spec, old) };
  });
}

/** Tables of the snapshot that no content-type uses any more. */
export function droppedTables(
  matches: readonly TableMatch[],
  snapshot: Snapshot,
): readonly (TableSnapshot & { readonly table: string })[] {
  const kept = new Set(matches.map(({ oldTable }) => oldTable));
  return Object.entries(snapshot.tables).flatMap(([table, old]) => (kept.has(table) ? [] : [{ ...old, table }]));
}

function matchAttributes(spec: TableSpec, old: TableSnapshot | undefined): Pick<TableMatch, "attributes" | "removed"> {
  const attributes = [...spec.attributes].map(([name, form]): AttributeMatch => {
    // A table without a snapshot is taken as it is: its columns are compared, its attributes cannot be.
    if (!old) return { name, form, old: form, oldName: name };
    const oldName = formerName(spec, old.attributes, name);
    return { name, form, old: old.attributes[oldName], oldName };
  });
  const matched = new Set(attributes.map(({ oldName }) => oldName));
  const removed = Object.entries(old?.attributes ?? {}).flatMap(([name, form]) =>
    matched.has(name) ? [] : [{ name, old: form }],
  );
  return { attributes, removed };
}

function formerName(spec: TableSpec, old: TableSnapshot["attributes"], name: string): string {
  const renamedFrom = spec.type.attributes.get(name)?.renamedFrom;
  return old[name] === undefined && renamedFrom !== undefined && old[renamedFrom] !== undefined ? renamedFrom : name;
}

/** A component that became a list of the same component. */
export function isWrapped({ form, old }: AttributeMatch): boolean {
  return old !== undefined && old.form.replace(/^component /, "components ") === form.form && old.form !== form.form;
}

/** The first column of an attribute as it is now named, where its values stay; undefined for a new one, or one of another form. */
export function keptColumn({ attributes, columns }: TableMatch, name: string): string | undefined {
  const match = attributes.find((attribute) => attribute.name === name);
  if (!match?.old || (match.old.form !== match.form.form && !isWrapped(match))) return undefined;
  const column = match.old.columns[0]?.name;
  return column !== undefined && columns?.has(column) ? column : undefined;
}
