import { type Ability, type App, type ServiceRef, serviceRef } from "@plinth/core";
import type { RequestInfo } from "@plinth/core/http";
import type { KeptTypes } from "../kept-types.js";
import { TABLE } from "../table.js";
import type { KeptVersion } from "./kept-versions.js";

/** What documents and administrators are called. */
interface Names {
  documents(ability: Ability, places: readonly Place[]): Promise<readonly (object | undefined)[]>;
  people(documentIds: readonly string[]): Promise<ReadonlyMap<string, object>>;
}

/** The service of the admin page, by its name alone: it need not be installed. */
const names: ServiceRef<Names> = serviceRef<Names>("plugin::admin.names");

interface Place {
  readonly uid: string;
  readonly documentId: string;
  readonly locale: string;
}

interface Row extends Place, Pick<KeptVersion, "at" | "origin"> {}

/** Documents of the answer. */
const MOST = 10;

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** How far back is looked, in milliseconds: farther only where the time before holds too little. */
const WINDOWS = [HOUR, DAY, 7 * DAY, 30 * DAY];

/** Versions that are looked at. */
const VERSIONS = 1_000;
/** Documents that are looked up first: who sees most of them needs no more. */
const FIRST = 50;

/** By the index of times; what was kept of a document is not read. */
const CHANGED = `select uid, document_id as "documentId", locale, at, origin from ${TABLE}
  where at >= $1 and uid = any($2::text[]) and action not in ('baseline', 'import', 'delete')
    and ($3::text is null or (origin #>> '{actor,id}') is distinct from $3) order by at desc limit ${VERSIONS}`;

/**
 * The documents that others changed last, of those that the caller sees today, with when and by whom; `by` is null for users,
 * tokens and code.
 */
export async function recentChanges(app: App, kept: KeptTypes, { actor }: RequestInfo): Promise<readonly object[]> {
  const uids = [...kept.keys()].filter((uid) => actor.ability.can(`${uid}.find`));
  const self = actor.user?.documentId ?? null;
  const known = new Set<string>();
  const seen: Seen[] = [];
  for (const window of uids.length === 0 ? [] : WINDOWS) {
    const since = new Date(app.clock.now() - window);
    const rows = await app.db.query<Row & object>({ text: CHANGED, values: [since, uids, self], isPlan: true });
    const fresh = rows.filter((row) => isFirst(known, row));
    for (const some of [fresh.slice(0, FIRST), fresh.slice(FIRST)])
      if (seen.length < MOST) seen.push(...(await whatIsSeen(app, actor.ability, some)));
    if (seen.length >= MOST || rows.length === VERSIONS) break;
  }
  return await withPeople(app, seen.slice(0, MOST));
}

/** The last change of a document, and what the caller sees of that. */
interface Seen {
  readonly row: Row;
  readonly document: object;
}

async function whatIsSeen(app: App, ability: Ability, rows: readonly Row[]): Promise<readonly Seen[]> {
  if (rows.length === 0) return [];
  const named = await app.service(names).documents(ability, rows);
  return rows.flatMap((row, index) => (named[index] ? [{ row, document: named[index] }] : []));
}

/** Whether a row is the first of its document and locale, and so the last change. */
function isFirst(known: Set<string>, { uid, documentId, locale }: Row): boolean {
  const key = [uid, documentId, locale].join(" ");
  if (known.has(key)) return false;
  known.add(key);
  return true;
}

async function withPeople(app: App, seen: readonly Seen[]): Promise<readonly object[]> {
  const people = await app.service(names).people(seen.flatMap(({ row }) => administratorOf(row) ?? []));
  return seen.map(({ row, document }) => ({
    ...document,
    at: row.at.toISOString(),
    by: people.get(administratorOf(row) ?? "") ?? null,
  }));
}

const administratorOf = ({ origin }: Row): string | undefined =>
  origin?.actor?.kind === "admin" ? origin.actor.id : undefined;
