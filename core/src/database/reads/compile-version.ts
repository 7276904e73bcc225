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
 * SQL of what a row `t` of the table of a content-type holds, as jsonb: `values` of a LoadedVersion, and `links` as components
 * hold theirs. Places are in the order of a list alone: objects with numbers take PostgreSQL three times as long.
 *
 * @throws PLINTH_LAYOUT_MISSING (500)
 */
export function compileContent(layout: Layout, uid: string, leavesOut: LeavesOut): string {
  return objectOf(contentOf(layout.model, tableOf(layout, uid), { leavesOut, linkSql: TARGETS }));
}

/** jsonb keeps a version on one line and its keys in one order, so that equal versions are equal texts. */
function versionOf(layout: Layout, table: TableLayout): string {
  const iso = traitsOf({ kind: "datetime" }).output;
  const fields = [
    `t.id as "id", t.document_id as "documentId", t.locale as "locale"`,
    `${iso("t.published_at")} as "publishedAt", ${iso("t.created_at")} as "createdAt", ${iso("t.updated_at")} as "updatedAt"`,
    ...authorsOf(layout, table),
    ...contentOf(layout.model, table, { leavesOut: () => false, linkSql: LOADED_LINKS }),
  ];
  return objectOf(fields);
}

/** What of a row is in a version, and how its links are. */
interface ContentParts {
  readonly leavesOut: LeavesOut;
  readonly linkSql: LinkSql;
}

function contentOf(model: ContentModel, table: TableLayout, { leavesOut, linkSql }: ContentParts): readonly string[] {
  const attributes = [...table.type.attributes.values()].filter((attribute) => !leavesOut(attribute));
  const values = attributes
    .filter((attribute) => !isRelation(attribute))
    .map((attribute) => `${storedValue(model, attribute, leavesOut)} as ${identifier(attribute.name)}`);
  const links = attributes.filter(isRelation).flatMap((attribute) => linksOf(table, attribute, linkSql));
  return [`${rowOf(values)} as "values"`, `${rowOf(links)} as "links"`];
}

const objectOf = (fields: readonly string[]): string => `to_jsonb(${rowOf(fields)})`;

/**
 * A row rather than a list of arguments, of which a function takes a hundred. Rows in rows become JSON together: one that is
 * made of JSON is read and written again.
 */
const rowOf = (fields: readonly string[]): string =>
  fields.length === 0 ? "'{}'::jsonb" : `(select o from (select ${fields.join(", ")}) o)`;

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
function linksOf(table: TableLayout, attribute: RelationAttribute, { own, far }: LinkSql): readonly string[] {
  const links = attribute.storage === "links" ? far(attribute, farLinks(table, attribute)) : own(attribute);
  return links === undefined ? [] : [`${links} as ${identifier(attribute.name)}`];
}

/** How links are written down. */
interface LinkSql {
  /** A link that is in the row; undefined for the other side of one. */
  own(attribute: RelationAttribute): string | undefined;
  /** @param rows - the rows `l` of the table of links. */
  far(attribute: RelationAttribute, rows: string): string;
}

const farLinks = (table: TableLayout, { name }: RelationAttribute): string =>
  `from ${identifier(table.links ?? "")} l where l.source = t.id and l.attribute = ${linkCode(table, name)}`;

/** Lists of a LoadedLink. */
const LOADED_LINKS: LinkSql = {
  own(attribute) {
    const parts = ownParts(attribute);
    if (!parts) return undefined;
    return `case when ${parts.target} is null then '[]'::jsonb else jsonb_build_array(${linkOf(parts)}) end`;
  },
  far: (_attribute, rows) =>
    `coalesce((select jsonb_agg(${linkOf(FAR_PARTS)} order by l.position, l.target) ${rows}), '[]'::jsonb)`,
};

/** Document ids, with the type beside it where there are several. */
const TARGETS: LinkSql = {
  own(attribute) {
    const parts = ownParts(attribute);
    return (
      parts &&
      (attribute.isPolymorphic ? `case when ${parts.target} is not null then ${targetOf(parts)} end` : parts.target)
    );
  },
  far: ({ isPolymorphic }, rows) =>
    `array(select ${isPolymorphic ? targetOf(FAR_PARTS) : FAR_PARTS.target} ${rows} order by l.position, l.target)`,
};

const targetOf = ({ target, type }: LinkParts): string =>
  `jsonb_build_object('documentId', ${target}, '__type', ${type})`;

/** SQL of the parts of a LoadedLink. */
interface LinkParts {
  readonly target: string;
  readonly type: string;
  readonly place: string;
  readonly position: string;
}

const FAR_PARTS: LinkParts = {
  target: "l.target",
  type: "l.target_type",
  place: "l.position",
  position: "l.inverse_position",
};

function ownParts(attribute: RelationAttribute): LinkParts | undefined {
  if (attribute.storage !== "column" || attribute.column === undefined) return undefined;
  const [type = literal("")] = typeColumn(attribute).map((column) => `t.${identifier(column)}`);
  const [position = "null::float8"] = positionColumn(attribute).map((column) => `t.${identifier(column)}`);
  return { target: `t.${identifier(attribute.column)}`, type, place: "1", position };
}

const linkOf = ({ target, type, place, position }: LinkParts): string =>
  `jsonb_strip_nulls(jsonb_build_object('documentId', ${target}, 'type', ${type}, 'position', ${place}, 'inversePosition', ${position}))`;
