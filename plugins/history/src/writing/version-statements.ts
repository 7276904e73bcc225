import type { App, Statement, StoredDocument } from "@plinth/core";
import type { ContentType } from "@plinth/core/schema";
import type { VersionAction } from "../contract.js";
import type { KeptType } from "../kept-types.js";
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
  const { uid, hasDrafts } = type;
  const table = `"${type.table}"`;
  const content = loader.contentSql(uid, leavesOut);
  const edited = hasDrafts ? " and t.published_at is null" : "";
  const status = hasDrafts ? "case when t.published_at is null then 'draft' else 'published' end" : "'published'";
  const rows = hasDrafts ? bothOnce(table) : "";
  const select = (of: string) => selectAs(uid, { action: "$1::text", status: of, content });
  return {
    ...textsOfLocales(type, { content, edited, rows }),
    written: `${select("$4::text")} from ${table} t where t.document_id = $5 and t.locale = any($6::text[])${edited}`,
    gone: `${select(status)} from ${table} t where t.document_id = $4 and t.locale = any($5::text[])${rows}`,
    loaded: [
      `${select(status)} from jsonb_to_recordset($4::jsonb) as v(document_id text, locale text, is_draft bool)`,
      `join ${table} t on t.document_id = v.document_id and t.locale = v.locale`,
      `where ${hasDrafts ? "(t.published_at is null) = v.is_draft" : "true"}${rows}`,
    ].join(" "),
    baseline: [
      `insert into ${TABLE} (uid, document_id, locale, at, action, status, content)`,
      `select '${uid}', t.document_id, t.locale, t.updated_at, 'baseline', ${status}, ${content} from ${table} t`,
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
}

/** Of writes that may change rows of other locales: those that differ from their last version. */
function textsOfLocales(
  { uid, table: name }: ContentType,
  { content, edited, rows }: Parts,
): Pick<Texts, "shared" | "both"> {
  const table = `"${name}"`;
  const last = (lane: string) =>
    `(select h.content from ${TABLE} h where ${isOf(uid)}${lane} order by h.id desc limit 1)`;
  // "offset 0": PostgreSQL would put the expression in each place where it is used.
  const from = `from ${table} t cross join lateral (select ${content} as content offset 0) c where t.document_id =`;
  // What creates one locale updates the others.
  const asked = (its: string, others: string) => `case when t.locale = any($6::text[]) then ${its} else ${others} end`;
  const shared = { action: asked("$1::text", "'update'"), status: asked("$4::text", "'draft'"), content: "c.content" };
  const isDraft = `t.published_at is null and not exists (${sameAs(table, "is not null")})`;
  const both = {
    action: "case when t.published_at is null then $1::text else 'publish' end",
    status: `case when ${isDraft} then 'draft' else 'published' end`,
    content: "c.content",
  };
  return {
    shared: [
      `${selectAs(uid, shared)} ${from} $5${edited}`,
      `and (t.locale = any($6::text[]) or c.content is distinct from ${last("")})`,
    ].join(" "),
    both: [
      `${selectAs(uid, both)} ${from} $4 and (t.locale = any($5::text[]) or $6::bool and c.content is distinct from`,
      `${last(" and (t.published_at is null or h.status = 'published')")})${rows}`,
    ].join(" "),
  };
}

/** The versions of the row `t`. */
const isOf = (uid: string): string => `h.document_id = t.document_id and h.uid = '${uid}' and h.locale = t.locale`;

const selectAs = (
  uid: string,
  { action, status, content }: Readonly<Record<"action" | "status" | "content", string>>,
) => `${INTO} select '${uid}', t.document_id, t.locale, ${action}, ${status}, $2::jsonb, $3::uuid, ${content}`;

const INTO = `insert into ${TABLE} (uid, document_id, locale, action, status, origin, restored_from, content)`;

/** What is published, then the draft; of two rows that are the same, the draft stands for both. */
const bothOnce = (table: string): string =>
  ` and (t.published_at is null or not exists (${sameAs(table, "is null")})) order by t.published_at is null`;

/** The draft or published row that a row is equal to. */
const sameAs = (table: string, published: "is null" | "is not null"): string =>
  [
    `select from ${table} d where d.document_id = t.document_id and d.locale = t.locale`,
    `and d.published_at ${published} and d.updated_at = t.updated_at`,
  ].join(" ");
