import type { App, Statement, StoredDocument } from "@plinth/core";
import type { ContentType } from "@plinth/core/schema";
import type { VersionAction } from "../contract.js";
import { type KeptType, sharedIn } from "../kept-types.js";
import { TABLE } from "../table.js";

/** What all statements of one write say. */
export interface Noted {
  readonly action: VersionAction;
  readonly status: "draft" | "published";
  /** JSON, or null. */
  readonly origin: string | null;
  readonly restoredFrom: string | null;
}

/** A row that was loaded. */
type LoadedRow = Pick<StoredDocument, "documentId" | "locale" | "isDraft">;

/** The statements that keep versions of one content-type: each copies rows inside the database. */
export interface VersionStatements {
  /** The rows that are edited, of some locales. */
  written(documentId: string, locales: readonly string[], noted: Noted): Statement;
  /** The same, and those of other locales that differ from their last version. */
  shared(documentId: string, locales: readonly string[], noted: Noted): Statement;
  /**
   * The rows that are edited, of some locales, as published; and of other locales what differs from their last versions: what is
   * edited, what is published, or the draft alone, as published, where they hold the same.
   */
  published(documentId: string, locales: readonly string[], noted: Noted): Statement;
  /**
   * The rows that are edited and those that are published, which a write changed both: the draft alone, as published, where
   * they are the same. With `isShared`, of other locales what differs from their last versions as well.
   */
  both(documentId: string, locales: readonly string[], noted: Noted, isShared: boolean): Statement;
  /** All rows of some locales, as they go. */
  gone(documentId: string, locales: readonly string[], noted: Noted): Statement;
  /** Rows that were loaded. */
  loaded(rows: readonly LoadedRow[], noted: Noted): Statement;
  /** The rows of a document as they are, where no version of their locale is kept yet. */
  baseline(documentId: string): Statement;
}

/** Puts the statements of a content-type together, once. */
export function versionStatements(app: App, kept: KeptType): VersionStatements {
  const texts = textsOf(app, kept);
  const statement = (text: string, values: readonly unknown[]): Statement => ({ text, values, isPlan: true });
  const given = ({ action, origin, restoredFrom }: Noted) => [action, origin, restoredFrom];
  return {
    written: (id, locales, noted) => statement(texts.written, [...given(noted), noted.status, id, locales]),
    shared: (id, locales, noted) => statement(texts.shared, [...given(noted), noted.status, id, locales]),
    published: (id, locales, noted) => statement(texts.published, [...given(noted), noted.status, id, locales]),
    both: (id, locales, noted, isShared) => statement(texts.both, [...given(noted), id, locales, isShared]),
    gone: (id, locales, noted) => statement(texts.gone, [...given(noted), id, locales]),
    loaded: (rows, noted) => statement(texts.loaded, [...given(noted), keysOf(rows)]),
    baseline: (id) => statement(texts.baseline, [id]),
  };
}

const keysOf = (rows: readonly LoadedRow[]): string =>
  JSON.stringify(
    rows.map(({ documentId, locale, isDraft }) => ({ document_id: documentId, locale, is_draft: isDraft })),
  );

type Texts = Readonly<Record<keyof VersionStatements, string>>;

/** The row is `t`. `$1` action, `$2` origin, `$3` the version that is restored; then what each of them is about. */
function textsOf({ loader }: App, { type, leavesOut }: KeptType): Texts {
  const texts = selectionsOf(loader.contentSql(type.uid, leavesOut), type);
  // "offset 0": Citus plans that subquery as a select. Without it, it refuses correlated subqueries in an insert.
  const inserted = Object.entries(texts).map(([name, text]) => [name, `${INTO} select v.* from (${text} offset 0) v`]);
  return Object.fromEntries(inserted) as Texts;
}

/** What each of them keeps, in the order of the columns. */
function selectionsOf(content: string, type: ContentType): Texts {
  const { uid, hasDrafts } = type;
  const table = `"${type.table}"`;
  const edited = hasDrafts ? " and t.published_at is null" : "";
  const same = samenessOf(type, content);
  const found = hasDrafts ? `case when ${isDraftAlone(same)} then 'draft' else 'published' end` : "'published'";
  const gone = hasDrafts ? "case when t.published_at is null then 'draft' else 'published' end" : "'published'";
  const rows = hasDrafts ? bothOnce(same) : "";
  const select = (of: string) => selectAs(uid, { action: "$1::text", status: of, content });
  return {
    ...textsOfLocales(type, { content, edited, rows, same }),
    written: `${select("$4::text")} from ${table} t where t.document_id = $5 and t.locale = any($6::text[])${edited}`,
    gone: `${select(gone)} from ${table} t where t.document_id = $4 and t.locale = any($5::text[])${rows}`,
    loaded: [
      `${select(found)} from jsonb_to_recordset($4::jsonb) as v(document_id text, locale text, is_draft bool)`,
      `join ${table} t on t.document_id = v.document_id and t.locale = v.locale`,
      `where ${hasDrafts ? "(t.published_at is null) = v.is_draft" : "true"}${rows}`,
    ].join(" "),
    // Its time is now: until now it was live, or what was edited.
    baseline: [
      `select '${uid}', t.document_id, t.locale, 'baseline', ${found}, null::jsonb, null::uuid, ${content} from ${table} t`,
      `where t.document_id = $1 and not exists (select from ${TABLE} h where ${isOf(uid)})${rows}`,
    ].join(" "),
  };
}

/** Parts of the statements of a content-type. */
interface Parts {
  readonly content: string;
  /** Which rows are edited. */
  readonly edited: string;
  /** Which rows of a draft and a published one, and their order. */
  readonly rows: string;
  readonly same: SamenessOf;
}

/** The draft, or the published row, that a row is the same as. */
type SamenessOf = (published: "is null" | "is not null") => string;

/** Of writes that may change rows of other locales: those that differ from their last version. */
function textsOfLocales(type: ContentType, parts: Parts): Pick<Texts, "shared" | "both" | "published"> {
  const { uid, hasDrafts } = type;
  const { edited, rows, same } = parts;
  const from = fromWith(type, parts.content);
  const shared = {
    action: asked("$1::text", "'update'"),
    status: asked("$4::text", hasDrafts ? "'draft'" : "'published'"),
    content: "c.content",
  };
  const both = {
    action: "case when t.published_at is null then $1::text else 'publish' end",
    status: `case when ${isDraftAlone(same)} then 'draft' else 'published' end`,
    content: "c.content",
  };
  return {
    published: publishedText(type, parts),
    shared: [
      `${selectAs(uid, shared)} ${from} $5${edited}`,
      `and (t.locale = any($6::text[]) or c.content is distinct from ${lastOf(uid, "")})`,
    ].join(" "),
    both: [
      `${selectAs(uid, both)} ${from} $4 and (t.locale = any($5::text[]) or $6::bool and c.content is distinct from`,
      `${lastOf(uid, " and (t.published_at is null or h.status = 'published')")})${rows}`,
    ].join(" "),
  };
}

/** See VersionStatements.published. What is shared moves rows and not their times, so contents are compared. */
function publishedText(type: ContentType, { content }: Parts): string {
  const { uid, table } = type;
  const same = (published: string) =>
    `exists (select from "${table}" d where ${isBeside(published)} and ${contentOf(table, content)} is not distinct from c.content)`;
  const noted = {
    action: asked("$1::text", "case when t.published_at is null then 'update' else 'publish' end"),
    status: asked(
      "$4::text",
      `case when t.published_at is null and not ${same("is not null")} then 'draft' else 'published' end`,
    ),
    content: "c.content",
  };
  const hasChanged = `c.content is distinct from ${lastOf(uid, "")}`;
  const isLive = `c.content is distinct from ${lastOf(uid, " and h.status = 'published'")}`;
  const ofDraft = `t.locale = any($6::text[]) or ${hasChanged} or (${isLive} and ${same("is not null")})`;
  const ofPublished = `t.locale <> all($6::text[]) and ${isLive} and not ${same("is null")}`;
  return [
    `${selectAs(uid, noted)} ${fromWith(type, content)} $5`,
    `and case when t.published_at is null then ${ofDraft} else ${ofPublished} end order by t.published_at is null`,
  ].join(" ");
}

/** What creates or publishes one locale may change the others. */
const asked = (its: string, others: string) => `case when t.locale = any($6::text[]) then ${its} else ${others} end`;

/** What the last version of the row `t` holds, of those that a condition is true of. */
const lastOf = (uid: string, condition: string) =>
  `(select h.content from ${TABLE} h where ${isOf(uid)}${condition} order by h.id desc limit 1)`;

/** "offset 0": PostgreSQL would put the expression in each place where it is used. */
const fromWith = ({ table }: ContentType, content: string) =>
  `from "${table}" t cross join lateral (select ${content} as content offset 0) c where t.document_id =`;

/** The versions of the row `t`. */
const isOf = (uid: string): string => `h.document_id = t.document_id and h.uid = '${uid}' and h.locale = t.locale`;

const selectAs = (
  uid: string,
  { action, status, content }: Readonly<Record<"action" | "status" | "content", string>>,
) => `select '${uid}', t.document_id, t.locale, ${action}, ${status}, $2::jsonb, $3::uuid, ${content}`;

const INTO = `insert into ${TABLE} (uid, document_id, locale, action, status, origin, restored_from, content)`;

/** What is published, then the draft; of two rows that are the same, the draft stands for both. */
const bothOnce = (same: SamenessOf): string =>
  ` and (t.published_at is null or not exists (${same("is null")})) order by t.published_at is null`;

/** Whether the row is a draft, and no published row is the same. */
const isDraftAlone = (same: SamenessOf): string => `t.published_at is null and not exists (${same("is not null")})`;

/** Two rows of one time are the same, unless another locale gave what all share to one of them, which moves no time. */
function samenessOf(type: ContentType, content: string): SamenessOf {
  const { table } = type;
  const isSame = sharedIn(type).size > 0 ? ` and ${contentOf(table, content)} is not distinct from ${content}` : "";
  return (published) =>
    `select from "${table}" d where ${isBeside(published)} and d.updated_at = t.updated_at${isSame}`;
}

/** Whether the row `d` is the draft or published row beside the row `t`. */
const isBeside = (published: string): string =>
  `d.document_id = t.document_id and d.locale = t.locale and d.published_at ${published}`;

/** What the row `d` holds; the expression is about a row `t`, which is another one inside of this. */
const contentOf = (table: string, content: string): string => `(select ${content} from "${table}" t where t.id = d.id)`;
