import { identifier } from "../sql/sql.js";
import { OF_BATCH, type SyncStep } from "./step.js";
import type { ColumnSpec } from "../layout/table-spec.js";
import { type AttributeMatch, isWrapped, keptColumn, type TableMatch } from "./table-match.js";

/** Conversions that keep every value, besides those to text. */
const WIDENINGS = new Set(["integer > bigint", "integer > double precision"]);

/** Steps that make the columns of an existing table those of its content-type. */
export function planColumns(match: TableMatch): readonly SyncStep[] {
  return [
    ...match.removed.flatMap(({ name, old }) =>
      discard(match, old.columns, name, `the attribute "${name}" is gone`).map((step) => ({
        ...step,
        isRemoval: true as const,
      })),
    ),
    ...match.attributes.flatMap((attribute) => planAttribute(match, attribute)),
  ];
}

function planAttribute(match: TableMatch, attribute: AttributeMatch): readonly SyncStep[] {
  const { name, form, old, oldName } = attribute;
  if (!old) return addMissing(match, form.columns, `the attribute "${name}" is new`);
  if (old.form !== form.form && !isWrapped(attribute)) {
    const why = `the attribute "${name}" was "${old.form}" and is "${form.form}"`;
    return [
      ...discard(match, old.columns, oldName, why),
      ...form.columns.map((column) => addColumn(match, column, why)),
    ];
  }
  const { renamed, columns } = renameColumns(match, attribute);
  const names = new Set(form.columns.map((column) => column.name));
  return [
    ...renamed,
    ...form.columns.flatMap((column) => reconcile(match, column, columns.get(column.name))),
    ...(isWrapped(attribute) ? wrap(match, attribute) : []),
    ...old.columns
      .slice(1)
      .filter((column) => columns.has(column.name) && !names.has(column.name))
      .map((column) => dropOrder(match, column)),
  ];
}

function wrap(match: TableMatch, { name, form }: AttributeMatch): readonly SyncStep[] {
  const { table } = match.spec;
  const before = keptColumn(match, name);
  return form.columns.map((column) => {
    const c = identifier(column.name);
    const batches = {
      table: match.oldTable,
      prepare: [],
      finish: [],
      sql: [`${wrapSql(match.oldTable, before ?? "")} and ${OF_BATCH}`],
    };
    return {
      kind: "change column",
      table,
      column: column.name,
      sql: [wrapSql(table, column.name)],
      ...(before === undefined ? {} : { batches }),
      undo: [`update ${identifier(table)} set ${c} = ${c} -> 0 where jsonb_typeof(${c}) = 'array'`],
      isDestructive: false,
      why: `the component "${name}" is now repeatable`,
    };
  });
}

function wrapSql(table: string, column: string): string {
  const c = identifier(column);
  return `update ${identifier(table)} set ${c} = '[]'::jsonb || ${c} where jsonb_typeof(${c}) = 'object'`;
}

/** Renames what has another name and is not there yet; `columns` are those of the table afterwards. */
function renameColumns({ spec: { table }, columns }: TableMatch, { name, form, old, oldName }: AttributeMatch) {
  const after = new Map(columns);
  const renamed = (old?.columns ?? []).flatMap((from, index): SyncStep[] => {
    const to = form.columns[index];
    const type = after.get(from.name);
    if (!to || to.name === from.name || type === undefined || after.has(to.name)) return [];
    after.delete(from.name);
    after.set(to.name, type);
    const rename = (one: string, other: string) => [
      `alter table ${identifier(table)} rename column ${identifier(one)} to ${identifier(other)}`,
    ];
    return [
      {
        kind: "rename column",
        table,
        column: to.name,
        sql: rename(from.name, to.name),
        undo: rename(to.name, from.name),
        isDestructive: false,
        why: `the attribute "${oldName}" is now "${name}"`,
      },
    ];
  });
  return { renamed, columns: after };
}

function reconcile(match: TableMatch, column: ColumnSpec, type: string | undefined): readonly SyncStep[] {
  if (type === undefined) return [addColumn(match, column, "the column is missing")];
  return type === column.type ? [] : [retype(match.spec.table, column, type)];
}

function retype(table: string, { name, type }: ColumnSpec, from: string): SyncStep {
  const column = identifier(name);
  const change = (using: string, to = type) =>
    `alter table ${identifier(table)} alter column ${column} type ${to} using ${using}`;
  const why = `the column holds ${from} and is to hold ${type}`;
  const step = { kind: "change column", table, column: name } as const;
  if (type === "text" || WIDENINGS.has(`${from} > ${type}`))
    return {
      ...step,
      sql: [change(`${column}::${type}`)],
      undo: [change(`${column}::${from}`, from)],
      isDestructive: false,
      why,
    };
  return {
    ...step,
    sql: [...castSql(type), change(`plinth_cast(${column}::text)`), DROP_CAST],
    isDestructive: true,
    why: `${why}; values that do not fit become null`,
  };
}

const DROP_CAST = "drop function if exists plinth_cast(text)";

/** A cast that answers null where PostgreSQL's own fails. Not a temporary function: workers of Citus have to find it. */
function castSql(type: string): readonly string[] {
  return [
    DROP_CAST,
    `create function plinth_cast(value text) returns ${type} language plpgsql as $body$ begin return value::${type}; exception when others then return null; end $body$`,
  ];
}

function addMissing(match: TableMatch, columns: readonly ColumnSpec[], why: string): readonly SyncStep[] {
  return columns.flatMap((column) =>
    match.columns?.has(column.name)
      ? reconcile(match, column, match.columns.get(column.name))
      : [addColumn(match, column, why)],
  );
}

function addColumn({ spec: { table } }: TableMatch, { name, type }: ColumnSpec, why: string): SyncStep {
  return {
    kind: "add column",
    table,
    column: name,
    sql: [`alter table ${identifier(table)} add column ${identifier(name)} ${type}`],
    undo: [`alter table ${identifier(table)} drop column ${identifier(name)}`],
    isDestructive: false,
    why,
  };
}

/** The order of an inverse list; the links themselves stay. */
function dropOrder(match: TableMatch, column: ColumnSpec): SyncStep {
  return {
    ...dropColumn(match, column, "the other side of the relation is gone, and with it its order"),
    isDestructive: false,
    isRemoval: true,
  };
}

function dropColumn({ spec: { table } }: TableMatch, { name }: ColumnSpec, why: string): SyncStep {
  return {
    kind: "drop column",
    table,
    column: name,
    sql: [`alter table ${identifier(table)} drop column ${identifier(name)}`],
    isDestructive: true,
    why,
  };
}

/** Drops what an attribute held: its columns, or its rows of the link table. */
function discard(match: TableMatch, columns: readonly ColumnSpec[], name: string, why: string): readonly SyncStep[] {
  const present = columns.filter((column) => match.columns?.has(column.name));
  const code = match.old?.codes[name];
  if (code === undefined || match.old?.links === undefined)
    return present.map((column) => dropColumn(match, column, why));
  // By now the link table has its new name; it is gone when nothing needs it any more.
  const links = match.spec.links ?? match.old.links;
  const sql = [`delete from ${identifier(links)} where attribute = ${code}`];
  return [{ kind: "delete links", table: links, column: name, attributeCode: code, sql, isDestructive: true, why }];
}
