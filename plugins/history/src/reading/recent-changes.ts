import { type App, type ServiceRef, serviceRef } from "@plinth/core";
import type { RequestInfo } from "@plinth/core/http";
import type { KeptTypes } from "../kept-types.js";
import { TABLE } from "../table.js";
import type { KeptVersion } from "./kept-versions.js";

/** What documents and administrators are called. */
interface Names {
  documents(
    ability: RequestInfo["actor"]["ability"],
    places: readonly Place[],
  ): Promise<readonly (object | undefined)[]>;
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

/** Versions that are looked at, and documents that are enough. */
const VERSIONS = 1_000;
const ENOUGH = 50;

/** By the index of times; what was kept of a document is not read. */
const CHANGED = `select uid, document_id as "documentId", locale, at, origin from ${TABLE}
  where at >= $1 and uid = any($2::text[]) and action not in ('baseline', 'import', 'delete')
    and (origin #>> '{actor,id}') is distinct from $3 order by at desc limit ${VERSIONS}`;

/**
 * The documents that others changed last, of those that the caller sees today, with when and by whom; `by` is null for users,
 * tokens and code.
 */
export async function recentChanges(app: App, kept: KeptTypes, { actor }: RequestInfo): Promise<readonly object[]> {
  const uids = [...kept.keys()].filter((uid) => actor.ability.can(`${uid}.find`));
  const rows = await lastChanges(app, uids, actor.user?.documentId ?? null);
  const named = await app.service(names).documents(actor.ability, rows);
  const seen = rows.flatMap((row, index) => (named[index] ? [{ row, document: named[index] }] : [])).slice(0, MOST);
  const people = await app.service(names).people(seen.flatMap(({ row }) => administratorOf(row) ?? []));
  return seen.map(({ row, document }) => ({
    ...document,
    at: row.at.toISOString(),
    by: people.get(administratorOf(row) ?? "") ?? null,
  }));
}

const administratorOf = ({ origin }: Row): string | undefined =>
  origin?.actor?.kind === "admin" ? origin.actor.id : undefined;

/** The last change of each document and locale, the latest first. */
async function lastChanges({ db, clock }: App, uids: readonly string[], self: string | null): Promise<readonly Row[]> {
  const found = new Map<string, Row>();
  for (const window of uids.length === 0 ? [] : WINDOWS) {
    const since = new Date(clock.now() - window);
    const rows = await db.query<Row & object>({ text: CHANGED, values: [since, uids, self], isPlan: true });
    for (const row of rows) {
      const key = [row.uid, row.documentId, row.locale].join(" ");
      if (!found.has(key)) found.set(key, row);
    }
    if (found.size >= ENOUGH || rows.length === VERSIONS) break;
  }
  return [...found.values()].slice(0, ENOUGH);
}
