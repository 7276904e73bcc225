import type { Database } from "../driver/database.js";
import { identifier, literal } from "../sql/sql.js";
import { holdsComponents } from "../layout/table-spec.js";
import { OF_BATCH, type SyncStep } from "./step.js";
import { type AttributeMatch, keptColumn, type TableMatch } from "./table-match.js";

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

/** An attribute and what holds it, by the names of before the other steps or after them. */
interface SharedPlace {
  readonly table: string;
  readonly links: string | undefined;
  /** None where the attribute is in the link table. */
  readonly columns: readonly string[];
  readonly code: number;
  /** Codes of what components link to, where the attribute holds such. Surplus rows are found by `plinth doctor`. */
  readonly derived: readonly number[];
  readonly defaultLocale: string;
  /** A condition on the documents. */
  readonly only?: string;
}

async function share(
  db: Database,
  match: TableMatch,
  attribute: AttributeMatch,
  defaultLocale: string,
): Promise<SyncStep> {
  const { spec, old, oldTable } = match;
  const { form, old: stored, oldName } = attribute;
  const embedded = Object.entries(old?.codes ?? {}).flatMap(([key, code]) => (key.includes("#") ? [code] : []));
  const derived = holdsComponents(form.form) ? embedded : [];
  const columns = form.columns.map(({ name }) => name);
  const fixed = { code: old?.codes[oldName] ?? 0, derived, defaultLocale };
  const after = { ...fixed, table: spec.table, links: spec.links, columns };
  const before = { ...fixed, table: oldTable, links: old?.links, columns: (stored?.columns ?? []).map((c) => c.name) };
  return {
    kind: "share attribute",
    table: spec.table,
    column: attribute.name,
    sql: shareSql(after),
    ...(hasBatches(match, attribute)
      ? { batches: { table: oldTable, prepare: [], finish: [], sql: shareSql({ ...before, only: OF_BATCH }) } }
      : {}),
    isDestructive: (await db.query({ text: `${losesSql(before)} limit 1`, values: [] })).length > 0,
    why: `all locales share "${attribute.name}" now; the value of "${defaultLocale}", or of a document's first locale, stays`,
  };
}

/** Unique values may pass from one document to another, which only the whole of them shows; an index that goes may be in the way. */
function hasBatches(match: TableMatch, { name, form, old }: AttributeMatch): boolean {
  if (form.columns.length === 0) return match.old?.links !== undefined;
  const isKept = keptColumn(match, name) !== undefined && old?.columns.length === form.columns.length;
  const isUnique = Object.values(match.old?.indexes ?? {}).some(
    (on) => on.startsWith("unique ") && old?.columns.some((column) => on.includes(identifier(column.name))),
  );
  return isKept && !isUnique;
}

/** Copies a value to the other locales, where they have another one. */
function shareSql(place: SharedPlace): readonly string[] {
  const { table, links, columns, code, derived } = place;
  const pairs = pairsOf(place);
  const follows = derived.length > 0 && links !== undefined ? [copyLinks(links, pairs, derived)] : [];
  if (columns.length > 0) {
    const given = columns.map((name) => `${identifier(name)} = s.${identifier(name)}`).join(", ");
    const t = identifier(table);
    return [
      `update ${t} t set ${given} from (${pairs}) k, ${t} s where s.id = k.source and t.id = k.id and ${rowsDiffer(columns)}`,
      ...follows,
    ];
  }
  const held = links ?? "";
  return [
    `delete from ${identifier(held)} where attribute = ${code} and source in (select k.id from (${pairs}) k where ${linksDiffer(held, code)})`,
    copyLinks(held, pairs, [code]),
    ...follows,
  ];
}

/** Finds a row that would lose what it has. */
function losesSql(place: SharedPlace): string {
  const { table, links = "", columns, code } = place;
  const pairs = pairsOf(place);
  if (columns.length === 0) return `select 1 from (${pairs}) k where ${linksDiffer(links, code)}`;
  const t = identifier(table);
  return `select 1 from (${pairs}) k join ${t} t on t.id = k.id join ${t} s on s.id = k.source where ${rowsDiffer(columns)}`;
}

function rowsDiffer(columns: readonly string[]): string {
  const row = (alias: string) => `row(${columns.map((name) => `${alias}.${identifier(name)}`).join(", ")})`;
  return `${row("t")} is distinct from ${row("s")}`;
}

function linksDiffer(links: string, code: number): string {
  const held = (id: string) =>
    `select l.target_type, l.target, l.position from ${identifier(links)} l where l.attribute = ${code} and l.source = k.${id}`;
  const lacks = (one: string, other: string) => `exists (${held(one)} except ${held(other)})`;
  return `(${lacks("id", "source")} or ${lacks("source", "id")})`;
}

/** The rows `id` that get what the row `source` of the same document and status has. */
function pairsOf({ table, defaultLocale, only }: SharedPlace): string {
  const version = "document_id, published_at is null";
  const order = `partition by ${version} order by (locale = ${literal(defaultLocale)}) desc, locale`;
  const condition = only === undefined ? "" : ` where ${only}`;
  return `select v.id, v.source from (select id, first_value(id) over (${order}) as source from ${identifier(table)}${condition}) v where v.id <> v.source`;
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
