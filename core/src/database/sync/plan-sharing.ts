import { identifier, literal } from "../sql/sql.js";
import type { Database } from "../driver/database.js";
import type { SyncStep } from "./step.js";
import type { AttributeMatch, TableMatch } from "./table-match.js";

/**
 * Steps for the attributes of a localised content-type that all locales share now and did not before: the value of the
 * default locale, or of a document's first one, becomes that of all of them. Asks the table what would be lost.
 */
export async function planSharing(
  db: Database,
  match: TableMatch,
  defaultLocale: string,
): Promise<readonly SyncStep[]> {
  const steps: SyncStep[] = [];
  for (const attribute of newlyShared(match)) steps.push(await share(db, match, attribute, defaultLocale));
  return steps;
}

/** Older snapshots do not list shared attributes; they count as unchanged. */
function newlyShared({ spec: { type }, old, attributes }: TableMatch): readonly AttributeMatch[] {
  if (old?.shared === undefined) return [];
  const before = new Set(old.shared);
  return attributes.filter(
    ({ name, oldName, old: stored }) =>
      stored !== undefined && type.attributes.get(name)?.isLocalized === false && !before.has(oldName),
  );
}

/** How to copy a value to the other locales, and how to find a row that would lose another one. */
interface Sharing {
  readonly sql: readonly string[];
  readonly loses: string;
}

async function share(
  db: Database,
  match: TableMatch,
  attribute: AttributeMatch,
  defaultLocale: string,
): Promise<SyncStep> {
  const { spec, old } = match;
  const isLinks = attribute.form.columns.length === 0;
  const { sql, loses } = isLinks
    ? shareLinks(match, attribute, defaultLocale)
    : shareColumns(match, attribute, defaultLocale);
  // What components link to follows the components; a surplus derived link is never shown.
  const derived = Object.entries(old?.codes ?? {}).flatMap(([key, code]) => (key.includes("#") ? [code] : []));
  const pairs = pairsOf(spec.table, defaultLocale);
  const follows = derived.length > 0 && spec.links !== undefined ? [copyLinks(spec.links, pairs, derived)] : [];
  return {
    kind: "share attribute",
    table: spec.table,
    column: attribute.name,
    sql: [...sql, ...follows].join("; "),
    isDestructive: (await db.query({ text: `${loses} limit 1`, values: [] })).length > 0,
    why: `all locales share "${attribute.name}" now; the value of "${defaultLocale}", or of a document's first locale, stays`,
  };
}

function shareColumns({ spec, oldTable }: TableMatch, { form, old }: AttributeMatch, defaultLocale: string): Sharing {
  const [table, before] = [identifier(spec.table), identifier(oldTable)];
  const given = form.columns.map(({ name }) => `${identifier(name)} = s.${identifier(name)}`).join(", ");
  const row = (alias: string) =>
    `row(${(old?.columns ?? []).map(({ name }) => `${alias}.${identifier(name)}`).join(", ")})`;
  const pairs = pairsOf(spec.table, defaultLocale);
  const rows = `(${pairsOf(oldTable, defaultLocale)}) k join ${before} t on t.id = k.id join ${before} s on s.id = k.source`;
  return {
    sql: [`update ${table} t set ${given} from (${pairs}) k, ${table} s where s.id = k.source and t.id = k.id`],
    loses: `select 1 from ${rows} where ${row("t")} is distinct from ${row("s")}`,
  };
}

function shareLinks({ spec, old, oldTable }: TableMatch, { oldName }: AttributeMatch, defaultLocale: string): Sharing {
  const code = old?.codes[oldName] ?? 0;
  const links = spec.links ?? "";
  const pairs = pairsOf(spec.table, defaultLocale);
  const held = (id: string) =>
    `select l.target_type, l.target, l.position from ${identifier(old?.links ?? "")} l where l.attribute = ${code} and l.source = k.${id}`;
  const lacks = (one: string, other: string) => `exists (${held(one)} except ${held(other)})`;
  return {
    sql: [
      `delete from ${identifier(links)} where attribute = ${code} and source in (select k.id from (${pairs}) k)`,
      copyLinks(links, pairs, [code]),
    ],
    loses: `select 1 from (${pairsOf(oldTable, defaultLocale)}) k where ${lacks("id", "source")} or ${lacks("source", "id")}`,
  };
}

/** The rows `id` that get what the row `source` of the same document and status has. */
function pairsOf(table: string, defaultLocale: string): string {
  const version = "document_id, published_at is null";
  const order = `partition by ${version} order by (locale = ${literal(defaultLocale)}) desc, locale`;
  return `select v.id, v.source from (select id, first_value(id) over (${order}) as source from ${identifier(table)}) v where v.id <> v.source`;
}

function copyLinks(table: string, pairs: string, codes: readonly number[]): string {
  const links = identifier(table);
  return [
    `insert into ${links} (source, attribute, target, target_type, position, inverse_position)`,
    `select k.id, l.attribute, l.target, l.target_type, l.position, l.inverse_position from (${pairs}) k`,
    `join ${links} l on l.source = k.source where l.attribute in (${codes.join(", ")})`,
    "on conflict (source, attribute, target_type, target) do nothing",
  ].join(" ");
}
