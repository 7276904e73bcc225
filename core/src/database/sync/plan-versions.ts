import { identifier, literal } from "../compiler/sql.js";
import type { Database } from "../database.js";
import type { SyncStep } from "./step.js";
import type { TableMatch } from "./table-match.js";

/** Steps for a content-type whose draft & publish or localisation was turned on or off. Asks the table what would be lost. */
export async function planVersions(
  db: Database,
  match: TableMatch,
  defaultLocale: string,
): Promise<readonly SyncStep[]> {
  const {
    spec: { type },
    old,
    columns,
  } = match;
  if (!old || !columns) return [];
  const steps: SyncStep[] = [];
  if (type.isLocalized && !old.isLocalized) steps.push(addLocales(match, defaultLocale));
  if (!type.isLocalized && old.isLocalized) steps.push(await removeLocales(db, match, defaultLocale));
  if (type.hasDrafts && !old.hasDrafts) steps.push(addDrafts(match));
  if (!type.hasDrafts && old.hasDrafts) steps.push(await removeDrafts(db, match));
  return steps;
}

function addLocales({ spec: { table } }: TableMatch, defaultLocale: string): SyncStep {
  const sql = `update ${identifier(table)} set locale = ${literal(defaultLocale)} where locale = ''`;
  return {
    kind: "add locales",
    table,
    sql,
    isDestructive: false,
    why: `the type is localised now; what it holds becomes "${defaultLocale}"`,
  };
}

/** Keeps the default locale of each document, or its first one, and drops the others. */
async function removeLocales(
  db: Database,
  { spec: { table }, oldTable }: TableMatch,
  defaultLocale: string,
): Promise<SyncStep> {
  const t = identifier(table);
  const better = `o.document_id = t.document_id and o.locale <> t.locale and t.locale <> ${literal(defaultLocale)} and (o.locale = ${literal(defaultLocale)} or o.locale < t.locale)`;
  const sql = [
    `delete from ${t} t where exists (select 1 from ${t} o where ${better})`,
    `update ${t} set locale = '' where locale <> ''`,
  ].join("; ");
  const loses = `select 1 from ${identifier(oldTable)} where locale not in ('', ${literal(defaultLocale)}) limit 1`;
  const why = "the type is not localised any more; one locale of each document stays";
  return { kind: "remove locales", table, sql, isDestructive: await hasRow(db, loses), why };
}

/** Every document, published until now by being there, gets a draft that equals it, links included. */
function addDrafts({ spec }: TableMatch): SyncStep {
  const table = identifier(spec.table);
  const system = ["document_id", "locale", "created_at", "updated_at", "created_by_id", "updated_by_id"];
  const columns = [...system, ...[...spec.attributes.values()].flatMap((form) => form.columns.map(({ name }) => name))]
    .map(identifier)
    .join(", ");
  const sql = [
    `insert into ${table} (published_at, ${columns}) select null, ${columns} from ${table} where published_at is not null`,
  ];
  if (spec.links !== undefined) {
    const links = identifier(spec.links);
    sql.push(
      `insert into ${links} (source, attribute, target, target_type, position, inverse_position) ` +
        `select d.id, l.attribute, l.target, l.target_type, l.position, l.inverse_position from ${links} l join ${table} p on p.id = l.source ` +
        `join ${table} d on d.document_id = p.document_id and d.locale = p.locale and d.published_at is null`,
    );
  }
  return {
    kind: "add drafts",
    table: spec.table,
    sql: sql.join("; "),
    isDestructive: false,
    why: "draft & publish is on now; each document gets a draft like it",
  };
}

/** Keeps the newer version of each document: its draft when that was changed since it was published. */
async function removeDrafts(db: Database, { spec, oldTable }: TableMatch): Promise<SyncStep> {
  const table = identifier(spec.table);
  const pair =
    "p.document_id = d.document_id and p.locale = d.locale and p.published_at is not null and d.published_at is null";
  const sql = [
    `delete from ${table} p using ${table} d where ${pair} and d.updated_at > p.updated_at`,
    `delete from ${table} d using ${table} p where ${pair}`,
    `update ${table} set published_at = updated_at where published_at is null`,
  ].join("; ");
  const old = identifier(oldTable);
  const loses = `select 1 from ${old} d where d.published_at is null and not exists (select 1 from ${old} p where ${pair} and d.updated_at <= p.updated_at) limit 1`;
  const why = "draft & publish is off now; the newer version of each document stays and counts as published";
  return { kind: "remove drafts", table: spec.table, sql, isDestructive: await hasRow(db, loses), why };
}

async function hasRow(db: Database, text: string): Promise<boolean> {
  return (await db.query({ text, values: [] })).length > 0;
}
