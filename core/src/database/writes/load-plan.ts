import { identifier, literal } from "../sql/sql.js";
import { columnList, columnsOf, type Layout, tableOf } from "../layout/layout.js";
import { notedDelete, notedRows, WRITTEN_ROWS } from "../layout/noted-changes.js";
import { planWrites, type WritePlan } from "./write-plan.js";

/** What loading one content-type needs: the plan of its writes, and statements on many rows at once. */
export interface LoadPlan {
  readonly writes: WritePlan;
  readonly sql: {
    /** `$1` rows as JSON with `document_id`, `locale`, `is_draft`: those that exist. */
    readonly present: string;
    /** `$1` row ids: those that are taken. */
    readonly takenIds: string;
    /** `$1` rows as JSON by column; a row whose `id` is null gets the next one. Gives the stored ones back. */
    readonly insert: string;
    /** `$1` document ids: those of people who are authors, with their row ids. Undefined in an app without authors. */
    readonly people: string | undefined;
    /** `$1` JSON with `id`, `created_by`, `updated_by`: authors of people by their document ids. */
    readonly credit: string | undefined;
    /** `$1` links as JSON. Undefined without a link table. */
    readonly links: string | undefined;
    /** `$1` row id: deletes it, with its links. */
    readonly remove: string;
    /** `$1` id: moves the sequence of row ids beyond it. */
    readonly reserve: string;
    /** Documents and locales of published rows without a draft. */
    readonly withoutDraft: string;
  };
}

const SYSTEM_COLUMNS = ["document_id", "locale", "published_at", "created_at", "updated_at"];
const AUTHOR_COLUMNS = ["created_by_id", "updated_by_id"];

/** Builds the plan of one content-type. @throws PLINTH_LAYOUT_MISSING (500) */
export function planLoad(layout: Layout, uid: string): LoadPlan {
  const { type, links } = tableOf(layout, uid);
  const { authorType } = layout.model;
  const table = identifier(type.table);
  const columns = [...SYSTEM_COLUMNS, ...AUTHOR_COLUMNS, ...[...type.attributes.values()].flatMap(columnsOf)];
  const version = "t.document_id, t.locale, t.published_at is null as is_draft";
  const sequence = sequenceOf(table);
  const countsAlong = layout.countsAlong === true;
  const removed = "id = $1::int8";
  const insert = [
    `insert into ${table} as t (id, ${columnList(columns)}) overriding system value`,
    `select coalesce(r.id, nextval(${sequence})), ${columnList(columns, "r")}`,
    `from jsonb_populate_recordset(null::${table}, $1::jsonb) r on conflict do nothing returning t.id::text as id, t.document_id,`,
  ].join(" ");
  return {
    writes: planWrites(layout, type),
    sql: {
      present: [
        `select ${version} from ${table} t join jsonb_to_recordset($1::jsonb) as v(document_id text, locale text, is_draft bool)`,
        "on t.document_id = v.document_id and t.locale = v.locale and (t.published_at is null) = v.is_draft",
      ].join(" "),
      takenIds: `select id::text as id from ${table} where id = any($1::int8[])`,
      insert: countsAlong
        ? `with w as (${insert} ${WRITTEN_ROWS}), noted as (${notedRows(type.table)}) select id, document_id, locale, is_draft from w`
        : `${insert} t.locale, t.published_at is null as is_draft`,
      people:
        authorType === undefined
          ? undefined
          : `select id::text as id, document_id from ${tableNameOf(layout, authorType)} where document_id = any($1::text[])`,
      credit: authorType === uid ? creditText(table) : undefined,
      links: links === undefined ? undefined : linksText(links),
      remove: countsAlong ? notedDelete(type.table, removed) : `delete from ${table} where ${removed}`,
      reserve: `select setval(s, $1::int8) from (select ${sequence} as s) q where coalesce(pg_sequence_last_value(s::regclass), 0) < $1::int8`,
      withoutDraft: [
        `select t.document_id, t.locale from ${table} t where t.published_at is not null and not exists`,
        `(select from ${table} d where d.document_id = t.document_id and d.locale = t.locale and d.published_at is null)`,
      ].join(" "),
    },
  };
}

const tableNameOf = (layout: Layout, uid: string): string => identifier(tableOf(layout, uid).type.table);

function creditText(people: string): string {
  const idOf = (author: string) => `(select id from ${people} where document_id = v.${author})`;
  return [
    `update ${people} t set created_by_id = ${idOf("created_by")}, updated_by_id = ${idOf("updated_by")}`,
    "from jsonb_to_recordset($1::jsonb) as v(id int8, created_by text, updated_by text) where t.id = v.id",
  ].join(" ");
}

/** SQL of the name of the sequence of row ids. */
const sequenceOf = (table: string): string => `pg_get_serial_sequence(${literal(table)}, 'id')`;

function linksText(links: string): string {
  const columns = "source, attribute, target, target_type, position, inverse_position";
  return [
    `insert into ${identifier(links)} (${columns}) select ${columns} from jsonb_to_recordset($1::jsonb)`,
    "as v(source int8, attribute int2, target text, target_type text, position float8, inverse_position float8)",
    "on conflict do nothing",
  ].join(" ");
}
