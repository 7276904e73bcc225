import { identifier } from "../sql/sql.js";

/**
 * The statements on one link table; each is one round trip for any number of links.
 *
 * - `current`: `$1` row id, `$2` attribute codes; the links of a row in order, one JSON text per link.
 * - `set`: `$1` row id, `$2` links to write, `$3` links to delete, both as JSON.
 * - `copy`: `$1` source row id, `$2` row ids that get the same links, and no others, `$3` attribute codes.
 * - `add`: the same, where they keep others that they have.
 * - `differ`: with the same parameters, whether one of the rows has other links than the source, or in other places, as `differ`.
 */
export interface LinkSql {
  readonly current: string;
  readonly set: string;
  readonly copy: string;
  readonly add: string;
  readonly differ: string;
}

/** The statements on a link table. */
export function planLinks(name: string): LinkSql {
  const links = identifier(name);
  return {
    current: currentText(links),
    set: setText(links),
    copy: copyText(links),
    add: addText(links),
    differ: differText(name),
  };
}

/**
 * Parts of the statement that writes a row, `w`, for the row's links.
 *
 * - `insert`: those of a new row, `$2` as JSON.
 * - `copy`: the row gets the links of another one, and loses what that has not.
 */
export function planRowLinks(name: string): {
  readonly insert: readonly string[];
  readonly copy: (source: string) => readonly string[];
} {
  const links = identifier(name);
  const columns = "attribute, target, target_type, position, inverse_position";
  const insert = [
    `insert into ${links} (source, ${columns}) select w.id, ${listOf("v", columns)}`,
    "from w cross join jsonb_to_recordset($2::jsonb) as v(attribute int2, target text, target_type text, position float8, inverse_position float8)",
  ].join(" ");
  const gone = [
    `delete from ${links} l using w where l.source = w.id`,
    `and not exists (select from kept k where ${isSame("k", "l")})`,
  ].join(" ");
  const added = [
    `insert into ${links} as l (source, ${columns}) select w.id, ${listOf("k", columns)} from w cross join kept k`,
    ON_CONFLICT_REPLACE,
  ].join(" ");
  return {
    insert: [`added as (${insert})`],
    copy: (source) => [
      `kept as materialized (select ${columns} from ${links} where source = (${source}))`,
      `gone as (${gone})`,
      `added as (${added})`,
    ],
  };
}

/** SQL of whether two rows, by the SQL of their ids, have different links, or in other places. @param test - for links that count. */
export function linksDiffer(name: string, one: string, other: string, test = ""): string {
  const of = (row: string) =>
    `select attribute, target, target_type, position, inverse_position from ${identifier(name)} where source = ${row}${test}`;
  return `exists (${of(one)} except ${of(other)}) or exists (${of(other)} except ${of(one)})`;
}

const listOf = (alias: string, columns: string): string =>
  columns
    .split(", ")
    .map((column) => `${alias}.${column}`)
    .join(", ");

const isSame = (a: string, b: string): string =>
  `${a}.attribute = ${b}.attribute and ${a}.target = ${b}.target and ${a}.target_type = ${b}.target_type`;

/** Unchanged links are not written. */
const ON_CONFLICT_REPLACE = [
  "on conflict (source, attribute, target_type, target) do update",
  "set position = excluded.position, inverse_position = excluded.inverse_position",
  "where (l.position, l.inverse_position) is distinct from (excluded.position, excluded.inverse_position)",
].join(" ");

function currentText(links: string): string {
  return [
    "select json_build_object('attribute', attribute, 'documentId', target, 'type', target_type, 'position', position)::text as link",
    `from ${links} where source = $1::int8 and attribute = any($2::int2[]) order by attribute, position, target`,
  ].join(" ");
}

function differText(name: string): string {
  const differ = linksDiffer(name, "$1::int8", "o.id", " and attribute = any($3::int2[])");
  return `select exists (select from unnest($2::int8[]) o(id) where ${differ}) as differ`;
}

function setText(links: string): string {
  return [
    `with gone as (delete from ${links} l using jsonb_to_recordset($3::jsonb) as g(attribute int2, target text, target_type text)`,
    "where l.source = $1::int8 and l.attribute = g.attribute and l.target = g.target and l.target_type = g.target_type)",
    `insert into ${links} (source, attribute, target, target_type, position, inverse_position)`,
    "select $1::int8, v.attribute, v.target, v.target_type, v.position, v.inverse_position",
    "from jsonb_to_recordset($2::jsonb) as v(attribute int2, target text, target_type text, position float8, inverse_position float8)",
    "on conflict (source, attribute, target_type, target) do update set position = excluded.position",
  ].join(" ");
}

function copyText(links: string): string {
  return [
    `with gone as (delete from ${links} l where l.source = any($2::int8[]) and l.attribute = any($3::int2[])`,
    `and not exists (select 1 from ${links} s where s.source = $1::int8 and ${isSame("s", "l")})),`,
    `added as (${addText(links)}) select 1`,
  ].join(" ");
}

function addText(links: string): string {
  return [
    `insert into ${links} as l (source, attribute, target, target_type, position, inverse_position)`,
    `select t.id, s.attribute, s.target, s.target_type, s.position, s.inverse_position`,
    `from ${links} s cross join unnest($2::int8[]) t(id) where s.source = $1::int8 and s.attribute = any($3::int2[])`,
    ON_CONFLICT_REPLACE,
  ].join(" ");
}
