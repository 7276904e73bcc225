import { traitsOf } from "../../schema/attribute.js";
import type { Attribute, ContentModel, RelationAttribute, ScalarAttribute } from "../../schema/model.js";
import { leaveOut, type LeavesOut } from "./leave-out.js";
import { identifier, literal } from "../sql/sql.js";
import {
  isRelation,
  type Layout,
  linkCode,
  positionColumn,
  type TableLayout,
  tableOf,
  typeColumn,
} from "../layout/layout.js";

/** Types whose JSON in PostgreSQL loses digits in a JavaScript number, or has no `Z`. */
const AS_TEXT: ReadonlySet<string> = new Set(["int8", "numeric(10,2)"]);

/** Statements that read stored versions, each a row `{ id, version }`: a row id, and a LoadedVersion as JSON text. */
export interface VersionStatements {
  /** `$1` row id after which to begin, `$2` rows at most, `$3` ISO 8601 time of the last change at the earliest, or null. */
  readonly page: string;
  /** `$1` versions as JSON with `document_id`, `locale`, `is_draft`. */
  readonly byKey: string;
}

/** What reads the versions of a content-type as `DocumentLoader.load` takes them. @throws PLINTH_LAYOUT_MISSING (500) */
export function compileVersions(layout: Layout, uid: string): VersionStatements {
  const table = tableOf(layout, uid);
  const name = identifier(table.type.table);
  const select = `select t.id::text as id, ${versionOf(layout, table)}::text as version from ${name} t`;
  return {
    page: [
      select,
      "where t.id > $1::int8 and ($3::timestamptz is null or t.updated_at >= $3::timestamptz) order by t.id limit $2::int4",
    ].join(" "),
    byKey: [
      `${select} join jsonb_to_recordset($1::jsonb) as v(document_id text, locale text, is_draft bool)`,
      "on t.document_id = v.document_id and t.locale = v.locale and (t.published_at is null) = v.is_draft",
    ].join(" "),
  };
}

/** Who wrote a row, as document ids: row ids differ from app to app. */
function authorsOf(layout: Layout, { type }: TableLayout): readonly string[] {
  const { authorType } = layout.model;
  if (authorType === undefined) return [];
  const people = identifier(tableOf(layout, authorType).type.table);
  return [...type.authors.values()].map(
    ({ name, column }) =>
      `(select a.document_id from ${people} a where a.id = t.${identifier(column ?? "")}) as ${identifier(name)}`,
  );
}

/**
 * SQL of what a row `t` of the table of a content-type holds, as jsonb: `values` and `links` of a LoadedVersion.
 *
 * @throws PLINTH_LAYOUT_MISSING (500)
 */
export function compileContent(layout: Layout, uid: string, leavesOut: LeavesOut): string {
  return objectOf(contentOf(layout.model, tableOf(layout, uid), leavesOut));
}

/** jsonb keeps a version on one line and its keys in one order, so that equal versions are equal texts. */
function versionOf(layout: Layout, table: TableLayout): string {
  const iso = traitsOf({ kind: "datetime" }).output;
  const fields = [
    `t.id as "id", t.document_id as "documentId", t.locale as "locale"`,
    `${iso("t.published_at")} as "publishedAt", ${iso("t.created_at")} as "createdAt", ${iso("t.updated_at")} as "updatedAt"`,
    ...authorsOf(layout, table),
    ...contentOf(layout.model, table, () => false),
  ];
  return objectOf(fields);
}

function contentOf(model: ContentModel, table: TableLayout, leavesOut: LeavesOut): readonly string[] {
  const attributes = [...table.type.attributes.values()].filter((attribute) => !leavesOut(attribute));
  const values = attributes
    .filter((attribute) => !isRelation(attribute))
    .map((attribute) => `${storedValue(model, attribute, leavesOut)} as ${identifier(attribute.name)}`);
  const links = attributes.filter(isRelation).flatMap((attribute) => linksOf(table, attribute));
  return [`${objectOf(values)} as "values"`, `${objectOf(links)} as "links"`];
}

/** A row rather than a list of arguments, of which a function takes a hundred. */
const objectOf = (fields: readonly string[]): string =>
  fields.length === 0 ? "'{}'::jsonb" : `(select to_jsonb(o) from (select ${fields.join(", ")}) o)`;

function storedValue(
  model: ContentModel,
  attribute: Exclude<Attribute, RelationAttribute>,
  leavesOut: LeavesOut,
): string {
  const value = `t.${identifier(attribute.column)}`;
  if (attribute.kind === "component" || attribute.kind === "dynamiczone")
    return leaveOut(model, attribute, value, leavesOut);
  return textOf(attribute, value);
}

function textOf(attribute: ScalarAttribute, value: string): string {
  const { columnType, output } = traitsOf(attribute);
  if (AS_TEXT.has(columnType)) return `${value}::text`;
  return columnType === "timestamptz(3)" ? output(value) : value;
}

/** What an attribute leads to, where this type holds it; nothing for other sides. */
function linksOf(table: TableLayout, attribute: RelationAttribute): readonly string[] {
  const links = attribute.storage === "links" ? farLinks(table, attribute) : ownLink(attribute);
  return links === undefined ? [] : [`${links} as ${identifier(attribute.name)}`];
}

function ownLink(attribute: RelationAttribute): string | undefined {
  if (attribute.storage !== "column" || attribute.column === undefined) return undefined;
  const [type] = typeColumn(attribute).map((column) => `t.${identifier(column)}`);
  const [position] = positionColumn(attribute).map((column) => `t.${identifier(column)}`);
  const target = `t.${identifier(attribute.column)}`;
  return `case when ${target} is null then '[]'::jsonb else jsonb_build_array(${linkOf({ target, type, place: "1", position })}) end`;
}

function farLinks(table: TableLayout, { name }: RelationAttribute): string {
  const link = linkOf({
    target: "l.target",
    type: "l.target_type",
    place: "l.position",
    position: "l.inverse_position",
  });
  return [
    `coalesce((select jsonb_agg(${link} order by l.position, l.target) from ${identifier(table.links ?? "")} l`,
    `where l.source = t.id and l.attribute = ${linkCode(table, name)}), '[]'::jsonb)`,
  ].join(" ");
}

/** SQL of the parts of a LoadedLink. */
interface LinkParts {
  readonly target: string;
  readonly type: string | undefined;
  readonly place: string;
  readonly position: string | undefined;
}

function linkOf({ target, type = literal(""), place, position = "null::float8" }: LinkParts): string {
  return `jsonb_strip_nulls(jsonb_build_object('documentId', ${target}, 'type', ${type}, 'position', ${place}, 'inversePosition', ${position}))`;
}
