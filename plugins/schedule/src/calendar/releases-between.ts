import type { App } from "@plinth/core";
import type { Caller } from "../contract.js";
import type { StoredPlace } from "../places.js";
import type { StoredRelease } from "../releases/release-store.js";
import { seenReleases } from "../releases/seen-releases.js";
import { seesAll } from "../sight.js";
import type { Span } from "./past-and-planned.js";

/** A release as a calendar has it: without its documents, of which there may be 1,000. */
export interface CalendarRelease
  extends Pick<StoredRelease, "id" | "name" | "state" | "at" | "endedAt" | "creator" | "actor"> {
  /** How many it holds. */
  readonly documents: number;
  /** Of which types these are. */
  readonly uids: readonly string[];
}

/** Releases whose documents are held at once. */
const BATCH = 25;

const BETWEEN = `select r.id::float8 as id, name, state, at, ended_at as "endedAt", creator, actor, documents, uids from plinth_release r
  cross join lateral (select count(*)::int as documents, coalesce(json_agg(distinct uid), '[]') as uids
    from plinth_release_action where release = r.id) held
  where at >= $1 and at < $2 order by at, id limit $3 offset $4`;
const PLACES = `select release::float8 as release, uid, document_id as "documentId", locale from plinth_release_action
  where release = any($1::bigint[])`;

/** Those that are run in a span of time, or were: by that time. */
export async function releasesBetween(
  { db }: App,
  { from, to }: Span,
  limit: number,
  offset: number,
): Promise<readonly CalendarRelease[]> {
  return await db.query<CalendarRelease & object>({ text: BETWEEN, values: [from, to, limit, offset] });
}

/** Those of which a caller sees every document; documents are read of those alone of whose types they do not see all. */
export async function seenOfCalendar(
  app: App,
  found: readonly CalendarRelease[],
  caller: Caller,
): Promise<readonly CalendarRelease[]> {
  const asked = found.filter(({ uids }) => !uids.every((uid) => seesAll(app, caller.actor?.ability, uid)));
  const hidden = new Set(asked.map(({ id }) => id));
  for (let start = 0; start < asked.length; start += BATCH) {
    const held = await withPlaces(app, asked.slice(start, start + BATCH));
    for (const { id } of await seenReleases(app, held, caller)) hidden.delete(id);
  }
  return found.filter(({ id }) => !hidden.has(id));
}

async function withPlaces({ db }: App, found: readonly CalendarRelease[]) {
  const text = PLACES;
  const rows = await db.query<StoredPlace & { release: number }>({ text, values: [found.map(({ id }) => id)] });
  const places = new Map(found.map(({ id }) => [id, [] as StoredPlace[]]));
  for (const { release, ...place } of rows) places.get(release)?.push(place);
  return found.map((release) => ({ ...release, actions: places.get(release.id) ?? [] }));
}
