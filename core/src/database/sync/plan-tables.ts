import { identifier, literal } from "../sql/sql.js";
import { COMPONENT_UNIQUES } from "../layout/counters.js";
import { forgetCounts, renameCounts } from "../layout/totals.js";
import type { DatabaseState } from "./introspect.js";
import type { Snapshot } from "./snapshot.js";
import type { SyncStep } from "./step.js";
import { droppedTables, type TableMatch } from "./table-match.js";
import { describeIndex, identitySql } from "../layout/index-spec.js";
import { createIndexSql, createLinksSql, createTableSql } from "../layout/table-spec.js";

/** Steps that rename the tables of renamed content-types, link tables included. */
export function planRenames({ spec, old, oldTable }: TableMatch, state: DatabaseState): readonly SyncStep[] {
  if (oldTable === spec.table) return [];
  const names: [string, string][] = [[oldTable, spec.table]];
  if (old?.links !== undefined && spec.links !== undefined) names.push([old.links, spec.links]);
  return names
    .filter(([from]) => state.tables.has(from))
    .map(([from, to]) => ({
      kind: "rename table",
      table: to,
      sql: renameSql(from, to),
      undo: renameSql(to, from),
      isDestructive: false,
      why: `${spec.type.uid} is renamed from "${oldTable}"`,
    }));
}

function renameSql(from: string, to: string): readonly string[] {
  return [`alter table ${identifier(from)} rename to ${identifier(to)}`, ...renameCounts(from, to)];
}

/** Steps that make the tables that are missing. */
export function planCreations({ spec, old, columns }: TableMatch, state: DatabaseState): readonly SyncStep[] {
  const { type, table, links } = spec;
  const create = (name: string, sql: string): SyncStep => ({
    kind: "create table",
    table: name,
    sql: [sql],
    undo: [`drop table ${identifier(name)}`, ...forgetCounts(name)],
    isDestructive: false,
    why: `${type.uid} is stored in it`,
  });
  const hasLinks =
    links !== undefined && (state.tables.has(links) || (old?.links !== undefined && state.tables.has(old.links)));
  return [
    ...(columns ? [] : [create(table, createTableSql(spec))]),
    ...(links === undefined || hasLinks ? [] : [create(links, createLinksSql(links, table))]),
  ];
}

/** Steps that drop the tables of removed content-types, and link tables that nothing needs any more. */
export function planDrops(
  matches: readonly TableMatch[],
  snapshot: Snapshot,
  state: DatabaseState,
): readonly SyncStep[] {
  const drop = (table: string, isDestructive: boolean, why: string): SyncStep[] =>
    state.tables.has(table)
      ? [
          {
            kind: "drop table",
            table,
            sql: [`drop table ${identifier(table)}`, ...forgetCounts(table)],
            isDestructive,
            isRemoval: true,
            why,
          },
        ]
      : [];
  const unused = matches.flatMap(({ spec, old }) =>
    old?.links !== undefined && spec.links === undefined
      ? drop(old.links, false, `${spec.type.uid} has no links any more`)
      : [],
  );
  const gone = droppedTables(matches, snapshot).flatMap(({ table, links, uid }) => [
    ...(links === undefined ? [] : drop(links, true, `the content-type ${uid} is gone`)),
    ...drop(table, true, `the content-type ${uid} is gone`),
  ]);
  return [...unused, ...gone];
}

/**
 * Steps that drop indexes which the model no longer asks for, or asks for on something else, and those on columns that
 * `columns` steps drop: PostgreSQL would drop them silently, and they would be missing when the column comes again.
 */
export function planIndexDrops(
  { spec, old }: TableMatch,
  state: DatabaseState,
  columns: readonly SyncStep[],
): readonly SyncStep[] {
  const wanted = new Map(spec.indexes.map((index) => [index.name, describeIndex(index)]));
  const lost = columns.filter(({ kind, table }) => kind === "drop column" && table === spec.table);
  return Object.entries(old?.indexes ?? {}).flatMap(([name, on]): SyncStep[] => {
    const isOnLost = lost.some(({ column }) => on.includes(identifier(column ?? "")));
    if (!state.indexes.has(name) || (wanted.get(name) === on && !isOnLost)) return [];
    const why = "the attribute it is on has changed";
    return [
      {
        kind: "drop index",
        table: spec.table,
        column: name,
        sql: [`drop index ${identifier(name)}`],
        isDestructive: false,
        ...(wanted.has(name) ? {} : { isRemoval: true as const }),
        why,
      },
    ];
  });
}

/** Steps that make the indexes that are missing once `dropped` are dropped. */
export function planIndexes(
  { spec }: TableMatch,
  state: DatabaseState,
  dropped: ReadonlySet<string>,
): readonly SyncStep[] {
  return spec.indexes
    .filter(({ name }) => !state.indexes.has(name) || dropped.has(name))
    .map((index) => {
      const table = spec.links !== undefined && index.name.startsWith(spec.links) ? spec.links : spec.table;
      return {
        kind: "create index",
        table,
        column: index.name,
        sql: [createIndexSql(table, index)],
        undo: [`drop index if exists ${identifier(index.name)}`],
        ...(index.isUnique ? { isUnique: true as const } : {}),
        isDestructive: false,
        why: `${spec.type.uid} asks for it`,
      };
    });
}

/** Steps that let publications name the rows of link tables, which have no primary key. */
export function planIdentities(
  { spec }: TableMatch,
  state: DatabaseState,
  dropped: ReadonlySet<string>,
): readonly SyncStep[] {
  const { links } = spec;
  if (links === undefined) return [];
  return spec.indexes
    .filter(({ name, isIdentity }) => isIdentity && (!state.identities.has(name) || dropped.has(name)))
    .map(({ name }) => ({
      kind: "set identity",
      table: links,
      column: name,
      sql: [identitySql(links, name)],
      undo: [],
      isDestructive: false,
      why: "publications name its rows by it",
    }));
}

/** Steps that follow a content-type whose uid changed: polymorphic links name their target's type. */
export function planReferences({ spec, old }: TableMatch, matches: readonly TableMatch[]): readonly SyncStep[] {
  if (!old || old.uid === spec.type.uid) return [];
  const updateSql = (table: string, column: string, from: string, to: string) => [
    `update ${identifier(table)} set ${identifier(column)} = ${literal(to)} where ${identifier(column)} = ${literal(from)}`,
  ];
  const change = (table: string, column: string): SyncStep => ({
    kind: "change references",
    table,
    column,
    sql: updateSql(table, column, old.uid, spec.type.uid),
    undo: updateSql(table, column, spec.type.uid, old.uid),
    isDestructive: false,
    why: `${old.uid} is now ${spec.type.uid}`,
  });
  return [
    change(COMPONENT_UNIQUES, "type"),
    ...matches.flatMap(({ spec: holder }) => [
      ...(holder.links === undefined ? [] : [change(holder.links, "target_type")]),
      ...[...holder.attributes.values()]
        .filter(({ form }) => form === "relation *")
        .flatMap(({ columns }) => columns.slice(1).map(({ name }) => change(holder.table, name))),
    ]),
  ];
}
