import type { App } from "@plinth/core";
import type { KeptTypes } from "./kept-types.js";
import { endsLive, TABLE } from "./table.js";
import { tellForgotten } from "./writing/known-documents.js";

/** What is deleted by one statement: each holds its locks, and leaves its dead rows, no longer than that takes. */
const BATCH = 5_000;

/** The rule of each type; types without history any more have that of the plugin. */
const RULES = "rules as (select uid, keep, days from jsonb_to_recordset($1::jsonb) as r(uid text, keep int, days int))";

const KEY = "n.document_id = h.document_id and n.uid = h.uid and n.locale = h.locale";

/** Of a version `o`: whether it is what is live, with which nothing later has published anything or taken it back. */
const IS_LIVE = "o.status = 'published' and o.action <> 'delete' and o.id = h.ended";

/** The versions `o` of a document that are too many: the newest stay, and what is live. */
const OLD = `from ${TABLE} o where o.document_id = h.document_id and o.uid = h.uid and o.locale = h.locale and o.id <= h.cut and not (${IS_LIVE})`;

/** Versions beyond the number that is kept, of documents that were written after a time, or of all. */
const TOO_MANY = `with ${RULES}, written as (select distinct document_id, uid, locale from ${TABLE} where at > $3::timestamptz),
  long as (select h.document_id, h.uid, h.locale, coalesce(max(r.keep), $2::int) as keep,
      max(h.id) filter (where ${endsLive("h.status", "h.action")}) as ended
    from ${TABLE} h left join rules r on r.uid = h.uid
    where $3::timestamptz is null or (h.document_id, h.uid, h.locale) in (select document_id, uid, locale from written)
    group by h.document_id, h.uid, h.locale having count(*) > coalesce(max(r.keep), $2::int)),
  cut as materialized (select h.*, (select n.id from ${TABLE} n where ${KEY} order by n.id desc offset h.keep limit 1) as cut from long h),
  longer as (select * from cut h where exists (select ${OLD}) limit 1000)
  delete from ${TABLE} n using longer h where ${KEY} and n.id = any(array(select o.id ${OLD}))
  returning n.id`;

/** What takes the place of `h`: the next version, and of what was published the next one that is, or that takes it back. */
const TAKES_PLACE = `(h.status <> 'published' or ${endsLive("n.status", "n.action")})`;

/** Versions that a later one took the place of before the time, and documents that were deleted before it. */
const TOO_OLD = `with ${RULES} delete from ${TABLE} where ctid = any(array(select h.ctid from ${TABLE} h
  left join rules r on r.uid = h.uid
  cross join lateral (select now() - coalesce(r.days, $2::int) * interval '1 day' as time) oldest
  where h.at < now() - $3::int * interval '1 day' and h.at < oldest.time
    and (h.action = 'delete' or exists (select from ${TABLE} n where ${KEY} and n.id > h.id and n.at < oldest.time and ${TAKES_PLACE}))
  limit ${BATCH})) returning id`;

interface Limits {
  readonly keep: number;
  readonly days: number;
}

/**
 * Deletes what is not to be kept any more.
 *
 * @param since - looks at documents alone that were written after it, and at no ages; default: at all.
 * @returns how many versions
 */
export async function prune(app: App, kept: KeptTypes, byDefault: Limits, since?: Date): Promise<number> {
  const rules = JSON.stringify([...kept].map(([uid, { keep, days }]) => ({ uid, keep, days })));
  const many = await untilNone(app, TOO_MANY, [rules, byDefault.keep, since ?? null]);
  if (since) return many;
  const shortest = Math.min(byDefault.days, ...[...kept.values()].map(({ days }) => days));
  return many + (await untilNone(app, TOO_OLD, [rules, byDefault.days, shortest]));
}

async function untilNone({ db }: App, text: string, values: readonly unknown[]): Promise<number> {
  for (let total = 0; ; ) {
    const { length } = await db.query({ text, values });
    if (length === 0) return total;
    total += length;
  }
}

/** Deletes all versions of a document. @returns how many */
export async function forget(app: App, uid: string, documentId: string): Promise<number> {
  const text = `delete from ${TABLE} where document_id = $1 and uid = $2 returning id`;
  return await app.db.transaction(async () => {
    const { length } = await app.db.query({ text, values: [documentId, uid] });
    await tellForgotten(app, uid, documentId);
    return length;
  });
}
