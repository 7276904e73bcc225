import type { Database, Document, WriteOrigin } from "@plinth/core";
import type { Event, EventFilter } from "./contract.js";
import { typePatterns } from "./event-types.js";
import { EVENTS } from "./tables.js";

const READ = `select e.id::text as place, type, at, uid, document_id, locales, origin, data, entries from ${EVENTS} e
  where e.id > $1 and e.id <= $2 and ($3::text[] is null or type like any($3::text[])) and ($4::text[] is null or uid = any($4::text[]))
  order by e.id limit $5`;

interface EventRow {
  /** Not `id`: the order would be that of its text. */
  readonly place: string;
  readonly type: string;
  readonly at: Date;
  readonly uid: string | null;
  readonly document_id: string | null;
  readonly locales: readonly string[];
  readonly origin: WriteOrigin;
  readonly data: unknown;
  readonly entries: readonly Document[] | null;
}

/** Which events of those that are settled. */
export interface EventRange {
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
}

/** Reads events in their order. @throws PLINTH_EVENTS_TYPE_INVALID (400) */
export async function readEvents(
  db: Database,
  { after, upTo, limit }: EventRange,
  { types, uids }: EventFilter,
): Promise<readonly Event[]> {
  const values = [after, upTo, typePatterns(types), uids ?? null, limit];
  if (after >= upTo) return [];
  return (await db.query<EventRow>({ text: READ, values, isPlan: true })).map(toEvent);
}

function toEvent({ place, document_id, at, data, entries, ...row }: EventRow): Event {
  return {
    ...row,
    id: Number(place),
    at: at.toISOString(),
    documentId: document_id,
    ...(data === null ? {} : { data }),
    ...(entries === null ? {} : { entries }),
  };
}
