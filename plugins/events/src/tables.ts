import type { Database } from "@plinth/core";
import { nextIdOf } from "@plinth/core/reads";

/** Table of events, for reading: what is in it is in the tables that inherit from it, one for some day each. */
export const EVENTS = "plinth_events";
/** Where they are written. A plain table: in a partitioned one every statement would look for its partition first. */
export const NEWEST = "plinth_events_newest";
/** Table of the places of consumers. */
export const CONSUMERS = "plinth_event_consumers";
/** The greatest id that was deleted. */
export const FLOOR = "plinth_events_floor";
/** Table of the key that places in streams are sealed with, one row. */
export const STREAM = "plinth_events_stream";
/** Sequence of ids. */
export const SEQUENCE = "plinth_events_id";

/** Makes the table that events are written to from now on. */
export const MAKE_NEWEST = `create table if not exists ${NEWEST} (primary key (id)) inherits (${EVENTS})`;

const TABLES: readonly string[] = [
  `create sequence if not exists ${SEQUENCE}`,
  `create table if not exists ${EVENTS} (id bigint not null default ${nextIdOf(SEQUENCE)}, at timestamptz not null default clock_timestamp(),
    type text not null, uid text, document_id text, locales text[] not null, origin jsonb not null, data jsonb, entries jsonb,
    primary key (id))`,
  MAKE_NEWEST,
  `create table if not exists ${CONSUMERS} (name text primary key, place bigint not null, at timestamptz not null default now())`,
  `create table if not exists ${FLOOR} (id bigint primary key)`,
  `create table if not exists ${STREAM} (is_only boolean primary key default true check (is_only),
    key text not null default gen_random_uuid()::text || gen_random_uuid()::text)`,
];

/** Whether the tables are there, the last of them. */
export async function hasTables(db: Database): Promise<boolean> {
  const [row] = await db.query<{ name: string | null }>({
    text: `select to_regclass('${STREAM}')::text as name`,
    values: [],
  });
  return (row?.name ?? null) !== null;
}

/** Makes the tables where they are missing; several processes may start at once. */
export async function makeTables(db: Database): Promise<void> {
  await db.transaction(async () => {
    await db.lock(EVENTS);
    for (const text of TABLES) await db.query({ text, values: [] });
  });
}
