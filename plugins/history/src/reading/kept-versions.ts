import type { App, LoadedVersion } from "@plinth/core";
import type { VersionAction, VersionInfo } from "../contract.js";
import type { KeptType } from "../kept-types.js";
import { TABLE } from "../table.js";

/** What was kept of a row. */
export interface Content extends Pick<LoadedVersion, "values"> {
  /** By relation, as components hold theirs. */
  readonly links: Readonly<Record<string, unknown>>;
}

/** A version as it is kept. */
export interface KeptVersion {
  readonly key: string;
  readonly at: Date;
  readonly action: VersionAction;
  readonly status: "draft" | "published";
  readonly origin: NonNullable<VersionInfo["origin"]> | null;
  readonly restoredFrom: string | null;
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

interface Row extends Omit<KeptVersion, "key"> {
  /** Null for the row that is edited. */
  readonly key: string | null;
}

/** Reads a document with the versions that are to be kept of it, in one statement. */
export async function readKept(
  app: App,
  kept: KeptType,
  { documentId, locale }: Pick<KeptDocument, "documentId" | "locale">,
): Promise<KeptDocument> {
  const { type, keep, days } = kept;
  const edited = type.hasDrafts ? "and t.published_at is null" : "";
  const text = `select * from (select id, key, at, action, status, origin, restored_from as "restoredFrom", content from ${TABLE}
      where document_id = $1 and uid = $2 and locale = $3 order by id desc limit $4) h
    union all select null, null, null, null, null, null, null, ${app.loader.contentSql(type.uid, kept.leavesOut)}
      from "${type.table}" t where t.document_id = $1 and t.locale = $3 ${edited} order by 1`;
  const rows = await app.db.query<Row>({ text, values: [documentId, type.uid, locale, keep], isPlan: true });
  const versions = rows.filter((row): row is KeptVersion => row.key !== null);
  return {
    kept,
    documentId,
    locale,
    versions: inTime(versions, app.clock.now() - days * DAY),
    now: rows.find(({ key }) => key === null)?.content,
  };
}

const DAY = 86_400_000;

/** Without versions that others have taken the place of before a time; the clock's job deletes them some hours later. */
function inTime(versions: readonly KeptVersion[], oldest: number): readonly KeptVersion[] {
  return versions.filter(({ at, action }, index) => {
    const until = versions[index + 1]?.at ?? (action === "delete" ? at : undefined);
    return until === undefined || until.getTime() >= oldest;
  });
}
