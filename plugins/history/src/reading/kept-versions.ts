import type { App, LoadedVersion } from "@plinth/core";
import type { VersionAction, VersionInfo } from "../contract.js";
import type { KeptType } from "../kept-types.js";
import { endsLive, TABLE } from "../table.js";

/** What was kept of a row. */
export interface Content extends Pick<LoadedVersion, "values"> {
  /** By relation, as components hold theirs. */
  readonly links: Readonly<Record<string, unknown>>;
}

/** A version as it is kept. */
export interface KeptVersion {
  /** The order of the writes. */
  readonly id: string;
  readonly key: string;
  readonly at: Date;
  readonly action: VersionAction;
  readonly status: "draft" | "published";
  readonly origin: NonNullable<VersionInfo["origin"]> | null;
  readonly restoredFrom: string | null;
  /** Bytes that what is in it takes in the database. */
  readonly size: number;
  /** Whether it is what was published of a document that was found or imported, and the next one its draft, which differs. */
  readonly isHalf: boolean;
  /** Whether it is kept because it is live, and versions between it and the next one are not. */
  readonly isApart: boolean;
}

/** A version with what is in it. */
export interface WholeVersion {
  readonly version: KeptVersion;
  readonly content: Content;
}

/** A document with its versions, before it is said who looks. */
export interface KeptDocument {
  readonly kept: KeptType;
  readonly documentId: string;
  /** `""` on types that are not localised. */
  readonly locale: string;
  /** Oldest first. */
  readonly versions: readonly KeptVersion[];
  /** What the row holds that is edited; undefined where there is none. */
  readonly now: Content | undefined;
}

/** A version without its place among the others. */
type Stored = Omit<KeptVersion, "isHalf" | "isApart">;

interface Row extends Omit<Stored, "key"> {
  /** Null for the row that is edited. */
  readonly key: string | null;
  /** Of that one alone. */
  readonly content: Content;
}

const OWN = "document_id = $1 and uid = $2 and locale = $3";
const NEWEST = `select id from ${TABLE} where ${OWN} order by id desc limit $4`;
/** The last one that published something, or took it back. */
const LIVE = `select id from ${TABLE} where ${OWN} and ${endsLive("status", "action")} order by id desc limit 1`;

/** Reads a document with the versions that are to be kept of it, without what is in them, in one statement. */
export async function readKept(
  app: App,
  kept: KeptType,
  { documentId, locale }: Pick<KeptDocument, "documentId" | "locale">,
): Promise<KeptDocument> {
  const { type, keep, days } = kept;
  const edited = type.hasDrafts ? "and t.published_at is null" : "";
  const text = `select * from (select id, key, at, action, status, origin, restored_from as "restoredFrom", pg_column_size(content) as size,
      null::jsonb as content from ${TABLE} where ${OWN} and id = any(array(${NEWEST}) || array(${LIVE}))) h
    union all select null, null, null, null, null, null, null, null, ${app.loader.contentSql(type.uid, kept.leavesOut)}
      from "${type.table}" t where t.document_id = $1 and t.locale = $3 ${edited} order by 1`;
  const rows = await app.db.query<Row>({ text, values: [documentId, type.uid, locale, keep], isPlan: true });
  const versions = rows.filter((row): row is Row & { readonly key: string } => row.key !== null);
  return {
    kept,
    documentId,
    locale,
    versions: toKeep(versions, { keep, oldest: app.clock.now() - days * DAY }),
    now: rows.find(({ key }) => key === null)?.content,
  };
}

/**
 * Bytes in the database of versions that are read at once: all of a document may be hundreds of megabytes. What is compressed
 * there is a third of what is read, and at best, as of a text of one letter, a 255th.
 */
const BATCH = 40_000;

/** Reads what is in the versions of a document, oldest first, some at a time. */
export async function* readContents(app: App, document: KeptDocument): AsyncGenerator<readonly WholeVersion[]> {
  for (let left = document.versions; left.length > 0; ) {
    const batch = firstOf(left);
    left = left.slice(batch.length);
    yield await readSome(app, document, batch);
  }
}

/** As many as may be read at once: one, and others while they are small. */
function firstOf(versions: readonly KeptVersion[]): readonly KeptVersion[] {
  let size = 0;
  const end = versions.findIndex((version, index) => {
    size += version.size;
    return index > 0 && size > BATCH;
  });
  return end < 0 ? versions : versions.slice(0, end);
}

/** What is in a version; undefined where it was deleted meanwhile. */
export async function readContent(
  app: App,
  document: KeptDocument,
  version: KeptVersion,
): Promise<Content | undefined> {
  return (await readSome(app, document, [version]))[0]?.content;
}

async function readSome(
  { db }: App,
  { kept, documentId, locale }: KeptDocument,
  versions: readonly KeptVersion[],
): Promise<readonly WholeVersion[]> {
  const text = `select id, content from ${TABLE} where document_id = $1 and uid = $2 and locale = $3 and id = any($4::bigint[])`;
  const values = [documentId, kept.type.uid, locale, versions.map(({ id }) => id)];
  const rows = await db.query<{ readonly id: string; readonly content: Content }>({ text, values, isPlan: true });
  const contents = new Map(rows.map(({ id, content }) => [id, content]));
  return versions.flatMap((version) => {
    const content = contents.get(version.id);
    return content ? [{ version, content }] : [];
  });
}

/** What the edited row of a document holds in another locale; undefined where there is none. */
export async function readElsewhere(
  { db, loader }: App,
  { kept, documentId }: KeptDocument,
): Promise<Content | undefined> {
  const { uid, table, hasDrafts } = kept.type;
  const edited = hasDrafts ? "and t.published_at is null" : "";
  const text = `select ${loader.contentSql(uid, kept.leavesOut)} as content from "${table}" t where t.document_id = $1 ${edited} limit 1`;
  const [row] = await db.query<{ readonly content: Content }>({ text, values: [documentId], isPlan: true });
  return row?.content;
}

const DAY = 86_400_000;

interface Limits {
  readonly keep: number;
  /** In milliseconds. */
  readonly oldest: number;
}

/**
 * Without versions that others have taken the place of before a time, or that are too many; the clock's job deletes them some
 * hours later. What is published is live until something else is, however many drafts there are since.
 */
function toKeep(versions: readonly Stored[], { keep, oldest }: Limits): readonly KeptVersion[] {
  const first = versions.length - keep;
  return versions.flatMap((version, index): readonly KeptVersion[] => {
    const { action, status, at } = version;
    const next = versions[index + 1];
    const end = status === "published" ? versions.slice(index + 1).find(isEndOfLive) : next;
    const isLive = status === "published" && action !== "delete" && end === undefined;
    const isOver = (until = action === "delete" ? at : undefined) => until !== undefined && until.getTime() < oldest;
    if (isOver(end?.at) || (index < first && !isLive)) return [];
    const isHalf = status === "published" && isFound(action) && next?.action === action && next.status === "draft";
    return [{ ...version, isHalf, isApart: index < first || isOver(next?.at) }];
  });
}

const isEndOfLive = ({ action, status }: Stored): boolean =>
  status === "published" || action === "unpublish" || action === "delete";

const isFound = (action: VersionAction): boolean => action === "baseline" || action === "import";
