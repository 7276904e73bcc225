import type { Database } from "../driver/database.js";
import type { StoredAttribute } from "../layout/table-spec.js";
import { COMPONENT_UNIQUES } from "../layout/counters.js";
import { identifier, literal } from "../sql/sql.js";
import { planSharing } from "./plan-sharing.js";
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
  if (type.isLocalized && old.isLocalized) steps.push(...(await planSharing(db, match, defaultLocale)));
  if (type.hasDrafts && !old.hasDrafts) steps.push(addDrafts(match));
  if (!type.hasDrafts && old.hasDrafts) steps.push(await removeDrafts(db, match));
  return steps;
}

function addLocales({ spec: { table }, old }: TableMatch, defaultLocale: string): SyncStep {
  const locale = literal(defaultLocale);
  const sql = [
    `update ${identifier(table)} set locale = ${locale} where locale = ''`,
    `update ${COMPONENT_UNIQUES} set locale = ${locale} where locale = '' and ${isClaimOf(old)}`,
  ];
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
  { spec: { table }, old, oldTable }: TableMatch,
  defaultLocale: string,
): Promise<SyncStep> {
  const t = identifier(table);
  const better = `o.document_id = t.document_id and o.locale <> t.locale and t.locale <> ${literal(defaultLocale)} and (o.locale = ${literal(defaultLocale)} or o.locale < t.locale)`;
  const sql = [
    `delete from ${t} t where exists (select 1 from ${t} o where ${better})`,
    `delete from ${COMPONENT_UNIQUES} u where ${isClaimOf(old)} and not exists (select 1 from ${t} t where t.document_id = u.document_id and t.locale = u.locale)`,
    `update ${COMPONENT_UNIQUES} set locale = '' where ${isClaimOf(old)}`,
    `update ${t} set locale = '' where locale <> ''`,
  ];
  const loses = `select 1 from ${identifier(oldTable)} where locale not in ('', ${literal(defaultLocale)}) limit 1`;
  const why = "the type is not localised any more; one locale of each document stays";
  return { kind: "remove locales", table, sql, isDestructive: await hasRow(db, loses), why };
}

/** The values that a content-type's components have claimed; under the uid of before, which changes later. */
const isClaimOf = (old: TableMatch["old"]): string => `type = ${literal(old?.uid ?? "")}`;

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
    sql,
    isDestructive: false,
    why: "draft & publish is on now; each document gets a draft like it",
  };
}

/**
 * Keeps the newest content of each document: its draft where that differs from what is published. Time does not tell:
 * links from the other side and what locales share change a draft and not its `updated_at`.
 */
async function removeDrafts(db: Database, { spec, old, oldTable }: TableMatch): Promise<SyncStep> {
  const table = identifier(spec.table);
  const pair =
    "p.document_id = d.document_id and p.locale = d.locale and p.published_at is not null and d.published_at is null";
  const links = listedLinks(old);
  const differs = versionsDiffer(spec.attributes.values(), { table: spec.links, codes: links });
  const replaced = `from ${table} p join ${table} d on ${pair} where ${differs}`;
  const sql = [
    `delete from ${COMPONENT_UNIQUES} u where ${isClaimOf(old)} and (u.document_id, u.locale) in (select p.document_id, p.locale ${replaced})`,
    `delete from ${table} where id in (select p.id ${replaced})`,
    `delete from ${table} d using ${table} p where ${pair}`,
    `update ${table} set published_at = updated_at where published_at is null`,
  ];
  const before = identifier(oldTable);
  const differed = versionsDiffer(Object.values(old?.attributes ?? {}), { table: old?.links, codes: links });
  const loses = `select 1 from ${before} d left join ${before} p on ${pair} where d.published_at is null and (p.id is null or ${differed}) limit 1`;
  const why = "draft & publish is off now; the newest content of each document stays and counts as published";
  return { kind: "remove drafts", table: spec.table, sql, isDestructive: await hasRow(db, loses), why };
}

/** Codes of the links that are content: those derived from components follow from the components. */
function listedLinks(old: TableMatch["old"]): readonly number[] {
  return Object.entries(old?.codes ?? {}).flatMap(([key, code]) => (key.includes("#") ? [] : [code]));
}

/** Whether the rows `d` and `p` hold different content; their places in lists of other documents do not count. */
function versionsDiffer(
  attributes: Iterable<StoredAttribute>,
  { table, codes }: { readonly table: string | undefined; readonly codes: readonly number[] },
): string {
  const columns = [...attributes].flatMap(contentColumns);
  const row = (alias: string) => `row(${columns.map((column) => `${alias}.${identifier(column)}`).join(", ")})`;
  const ofRow = columns.length === 0 ? [] : [`${row("d")} is distinct from ${row("p")}`];
  if (table === undefined || codes.length === 0) return `(${ofRow[0] ?? "false"})`;
  const held = (alias: string) =>
    `select l.attribute, l.target_type, l.target, l.position from ${identifier(table)} l where l.source = ${alias}.id and l.attribute in (${codes.join(", ")})`;
  const lacks = (one: string, other: string) => `exists (${held(one)} except ${held(other)})`;
  return `(${[...ofRow, lacks("d", "p"), lacks("p", "d")].join(" or ")})`;
}

/** The columns of an attribute without its place in the list of the other side. */
function contentColumns({ columns: [first, ...others] }: StoredAttribute): readonly string[] {
  return [...(first ? [first] : []), ...others.filter(({ type }) => type === "text")].map(({ name }) => name);
}

/** Whether a query finds anything. */
async function hasRow(db: Database, text: string): Promise<boolean> {
  return (await db.query({ text, values: [] })).length > 0;
}
