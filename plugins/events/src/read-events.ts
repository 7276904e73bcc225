import type { Database, Document, WriteOrigin } from "@plinth/core";
import type { Event, EventFilter, EventPage } from "./contract.js";
import { typePatterns } from "./event-types.js";
import { EVENTS, FLOOR } from "./tables.js";

/** Bytes of what is in events, as they are stored, that are read at once; one that is longer comes alone. */
const MOST_BYTES = 8_000_000;

/*
 * What was deleted by then is read in the same statement: between two, a day may be dropped. Sizes are known without a look at what is
 * in an event.
 */
const READ = `select f.floor, e.* from (select coalesce(max(id), 0)::text as floor from ${FLOOR}) f left join (
    select e.*, e.id::text as place, lead(e.id) over all_before is not null as has_next, sum(e.size) over all_before as bytes from (
      select e.*, coalesce(pg_column_size(data), 0) + coalesce(pg_column_size(entries), 0) as size from ${EVENTS} e
        where e.id > $1 and e.id <= $2 and ($3::text[] is null or type like any($3::text[])) and ($4::text[] is null or uid = any($4::text[]))
        order by e.id limit $5) e
    window all_before as (order by e.id rows unbounded preceding)) e on e.bytes - e.size < ${MOST_BYTES} order by e.id`;

interface EventRow {
  /** The greatest id that was deleted. */
  readonly floor: string;
  /** Whether there is one behind it that was to be read, too. */
  readonly has_next: boolean;
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

/** A row where there is no event. */
type NoEvent = Pick<EventRow, "floor"> & { readonly place: null };

/** Events, and how far they were looked at. */
export interface ReadEvents extends EventPage {
  /** The greatest id that had been deleted. */
  readonly floor: number;
}

/** Which events of those that are settled. */
export interface EventRange {
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
}

/** Reads events in their order, fewer than the limit where they are long. @throws PLINTH_EVENTS_TYPE_INVALID (400) */
export async function readEvents(
  db: Database,
  { after, upTo, limit }: EventRange,
  { types, uids }: EventFilter,
): Promise<ReadEvents> {
  const values = [after, upTo, typePatterns(types), uids ?? null, limit];
  if (after >= upTo) return { events: [], place: after, floor: 0 };
  const rows = await db.query<EventRow | NoEvent>({ text: READ, values, isPlan: true });
  const found = rows.filter((row): row is EventRow => row.place !== null);
  const last = found.at(-1);
  const isCut = last !== undefined && (last.has_next || found.length === limit);
  return { events: found.map(toEvent), place: isCut ? Number(last.place) : upTo, floor: Number(rows[0]?.floor) };
}

const toEvent = ({ place, type, at, uid, document_id, locales, origin, data, entries }: EventRow): Event => ({
  ...{ id: Number(place), type, at: at.toISOString(), uid, documentId: document_id, locales, origin },
  ...(data === null ? {} : { data }),
  ...(entries === null ? {} : { entries }),
});
