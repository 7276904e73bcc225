import { type Database, lockStatement, type Statement } from "@plinth/core";
import type { Delivery, DeliveryState } from "../contract.js";
import { DELIVERIES, STATES } from "../tables.js";
import { conditionsOf, type StoredFilter } from "./stored-filter.js";

/** A delivery that is to be kept. */
export interface NewDelivery {
  readonly event: number;
  /** 1, or more where an event has several bodies. */
  readonly part: number;
  readonly endpoint: string;
  /** What keeps its order: the document. */
  readonly key: string;
  readonly type: string;
  readonly uid: string | null;
  readonly document_id: string | null;
  readonly locales: readonly string[];
  readonly at: string;
  readonly format: string;
  readonly body: string;
  readonly trace: string | null;
}

/** A delivery that may go. */
export interface ReadyDelivery
  extends Pick<NewDelivery, "part" | "endpoint" | "key" | "type" | "format" | "body" | "trace"> {
  readonly id: string;
  readonly event: string;
  readonly attempts: number;
}

/** What a try came to. */
export interface TryResult {
  readonly state: DeliveryState;
  /** Milliseconds until the next try; of one that waits. */
  readonly pause?: number;
  readonly status?: number | undefined;
  readonly error?: string | undefined;
  readonly answer?: string | undefined;
}

/** What a try came to, of which delivery. */
export interface Note {
  readonly delivery: ReadyDelivery;
  readonly result: TryResult;
}

/** A delivery as it is listed, before it has the id of its message. */
export type StoredDelivery = Omit<Delivery, "message"> & Pick<NewDelivery, "part">;

/** What somebody does with many deliveries: has them wait again, go at once where they wait, or forgets them. */
export type ChangeVerb = keyof typeof CHANGES;

/** Where it is known which endpoints there are. */
export interface ThereEndpoints {
  /** The table of those that administrators made. */
  readonly table: string;
  /** Ids of those of the configuration. */
  readonly ofConfig: readonly string[];
}

/** Rows deleted by a statement. */
const CHUNK = 5_000;
/** Deliveries that one statement changes: it holds their locks for a moment, and ends long before it would time out. */
const BATCH = 10_000;
/** Characters of bodies that are written by a statement, and bytes that are read for an endpoint; one that is longer goes alone. */
const MOST_TEXT = 4_000_000;

/** The first of a document may go at once where none of it waits already: so most rows are written once less. */
const ADD = `insert into ${DELIVERIES} (event, part, endpoint, key, type, uid, document_id, locales, at, format, body, trace, next_at)
  select event, part, endpoint, key, type, uid, document_id, locales, at, format, body, trace,
    case when row_number() over (partition by endpoint, key order by event, part) = 1
      and not exists (select from ${DELIVERIES} e where e.endpoint = v.endpoint and e.key = v.key and e.state = 'waiting') then now() end
  from json_to_recordset($1::json)
  as v(event bigint, part smallint, endpoint text, key text, type text, uid text, document_id text, locales text[], at timestamptz,
    format text, body text, trace text) order by event, part on conflict (endpoint, event, part) do nothing`;

/**
 * The first of a document that waits may go, where none may. They are counted, because of `not exists` a database that has no
 * statistics makes a join: many documents times all that wait.
 */
const PROMOTE = `update ${DELIVERIES} d set next_at = now()
  from (select distinct endpoint, key from unnest($1::text[], $2::text[]) k(endpoint, key)) k
  where d.id = (select e.id from ${DELIVERIES} e where e.endpoint = k.endpoint and e.key = k.key and e.state = 'waiting' order by e.event, e.part limit 1)
  and (select count(e.next_at) from ${DELIVERIES} e where e.endpoint = k.endpoint and e.key = k.key and e.state = 'waiting') = 0`;

/** The length of a body is known without a look at it. */
const READY = `select d.* from unnest($1::text[]) k(endpoint) cross join lateral (
    select id::text, event::text, part, endpoint, key, type, format, body, trace, attempts from (
      select d.*, sum(octet_length(d.body)) over (order by d.next_at, d.event, d.part rows unbounded preceding) as bytes from (
        select * from ${DELIVERIES} d where d.endpoint = k.endpoint and d.state = 'waiting' and d.next_at <= now() and d.id <> all($2::bigint[])
          order by d.next_at, d.event limit $3) d) d
    where d.bytes - octet_length(d.body) < ${MOST_TEXT} order by d.next_at, d.event) d`;

const FOLLOWED = `select exists (select from ${DELIVERIES} d join ${DELIVERIES} own on own.id = $1
  where d.endpoint = own.endpoint and d.key = own.key and d.state = 'waiting' and d.event > own.event and d.type = own.type
  and d.locales @> own.locales) as is_followed`;

const NOTE = `update ${DELIVERIES} d set state = v.state, attempts = attempts + v.tries, next_at = now() + v.pause * interval '1 millisecond',
  status = v.status, error = v.error, answer = v.answer, tried_at = now(), ended_at = case when v.state = 'waiting' then null else now() end
  from json_to_recordset($1::json) as v(id bigint, state text, tries int, pause float8, status int, error text, answer text)
  where d.id = v.id and d.state = 'waiting'`;

const LIST = `select d.id::text, d.event::float8, d.part, d.endpoint, d.type, d.uid, d.document_id as "documentId", d.at, d.state, d.attempts,
  d.next_at as "nextAt", d.tried_at as "triedAt", d.status, d.error, d.answer from ${DELIVERIES} d`;

const CHANGES = {
  again: {
    only: "d.state <> 'waiting'",
    sql: `update ${DELIVERIES} d set state = 'waiting', attempts = 0, next_at = null, ended_at = null from due`,
  },
  soon: {
    only: "d.state = 'waiting' and d.next_at > now()",
    sql: `update ${DELIVERIES} d set next_at = now() from due`,
  },
  drop: { only: "true", sql: `delete from ${DELIVERIES} d using due` },
} as const;

/** The deliveries behind an id, the last value: each is met once, also where it has ended again meanwhile. */
const changeSome = (verb: ChangeVerb, conditions: string, after: number): string => `with due as materialized (
    select d.id from ${DELIVERIES} d where ${conditions} and ${CHANGES[verb].only} and d.id > $${after}::bigint
    order by d.id limit ${BATCH} for update),
  changed as (${CHANGES[verb].sql} where d.id = due.id returning d.id, d.endpoint, d.key)
  select max(id)::text as last, count(*)::int as count, coalesce(array_agg(endpoint), '{}') as endpoints,
    coalesce(array_agg(key), '{}') as keys from changed`;

const IN_BODIES = `select distinct uid from ${DELIVERIES} where endpoint = $1 and uid is not null
  and (format = 'strapi' or body like '%"entry":%' or body like '%"entries":%')`;

interface Changed {
  /** The highest id; null: there was none. */
  readonly last: string | null;
  readonly count: number;
  readonly endpoints: readonly string[];
  readonly keys: readonly string[];
}

/** The deliveries in the database. */
export class DeliveryStore {
  constructor(private readonly db: Database) {}

  /** Adds deliveries; those that are there stay as they are. @returns how many there were */
  async add(deliveries: Iterable<NewDelivery>): Promise<number> {
    let count = 0;
    for (const some of chunksOf(deliveries)) {
      const endpoints = some.map(({ endpoint }) => endpoint);
      const keys = some.map(({ key }) => key);
      await this.#locked(endpoints, [statement(ADD, JSON.stringify(some)), statement(PROMOTE, endpoints, keys)]);
      count += some.length;
    }
    return count;
  }

  /** Those that may go now, of some endpoints: of long ones not all. @param most - of each. @param except - ids of those that are on their way. */
  async ready(
    endpoints: readonly string[],
    except: readonly string[],
    most: number,
  ): Promise<readonly ReadyDelivery[]> {
    return await this.db.query<ReadyDelivery & object>(statement(READY, endpoints, except, most));
  }

  /** Whether a newer event of the same type, and of at least the same locales, waits behind it. */
  async isFollowed(id: string): Promise<boolean> {
    const [row] = await this.db.query<{ is_followed: boolean }>(statement(FOLLOWED, id));
    return row?.is_followed === true;
  }

  /** Notes what tries came to; where one has ended, the next one of the document may go. */
  async noteAll(notes: readonly Note[]): Promise<void> {
    const rows = notes.map(({ delivery: { id }, result: { error, ...result } }) => {
      // PostgreSQL has no place for the character.
      return { id, tries: result.state === "dropped" ? 0 : 1, error: error?.replaceAll("\0", ""), ...result };
    });
    const ended = notes.filter(({ result }) => result.state !== "waiting").map(({ delivery }) => delivery);
    const endpoints = ended.map(({ endpoint }) => endpoint);
    const keys = ended.map(({ key }) => key);
    await this.#locked(endpoints, [statement(NOTE, JSON.stringify(rows)), statement(PROMOTE, endpoints, keys)]);
  }

  /** The latest first. */
  async list(filter: StoredFilter, limit: number): Promise<readonly StoredDelivery[]> {
    const { text, values } = conditionsOf(filter);
    // The names of the table: those of the answer are texts, and no index has them.
    const order = `order by d.event desc, d.part desc, d.id desc limit $${values.length + 1}`;
    const rows = await this.db.query<StoredDelivery & object>(
      statement(`${LIST} where ${text} ${order}`, ...values, limit),
    );
    return rows.map((row) => ({
      ...row,
      at: textOf(row.at),
      nextAt: textOf(row.nextAt),
      triedAt: textOf(row.triedAt),
    }));
  }

  /** Changes deliveries, however many they are. @param endpoints - ids of those that may have some. @returns how many */
  async change(verb: ChangeVerb, filter: StoredFilter, endpoints: readonly string[]): Promise<number> {
    const { text, values } = conditionsOf(filter);
    const change = changeSome(verb, text, values.length + 1);
    let total = 0;
    for (let after: string | null = "0"; after !== null; ) {
      const changed: Changed = await this.#changeSome(statement(change, ...values, after), endpoints);
      total += changed.count;
      after = changed.last;
    }
    return total;
  }

  /**
   * Forgets those that ended so many days ago, and what there is of endpoints that are not there any more. Another process
   * may run a version of the app whose configuration has an endpoint that this one has not: of these it waits as many days.
   */
  async forget(days: number, { table, ofConfig }: ThereEndpoints): Promise<void> {
    await this.#delete("state <> 'waiting' and ended_at < now() - $1 * interval '1 day'", days);
    // In one statement with the endpoints: one that is made meanwhile is there before any delivery to it.
    const isGone = `case when endpoint like 'config:%' then endpoint <> all($1::text[]) and at < now() - $2 * interval '1 day'
      else not exists (select from "${table}" e where e.document_id = endpoint) end`;
    await this.#delete(`state = 'waiting' and ${isGone}`, ofConfig, days);
    // A try may have failed while its endpoint was deleted.
    const states = `delete from ${STATES} where endpoint not like 'config:%'
      and not exists (select from "${table}" e where e.document_id = endpoint)`;
    await this.db.query(statement(states));
  }

  /** The content-types of which bodies for an endpoint have content; one that only looks so counts. */
  async typesInBodies(endpoint: string): Promise<ReadonlySet<string>> {
    const rows = await this.db.query<{ uid: string }>({ text: IN_BODIES, values: [endpoint], isPlan: true });
    return new Set(rows.map(({ uid }) => uid));
  }

  /** Forgets all of an endpoint. */
  async forgetOf(endpoint: string): Promise<void> {
    await this.#delete("endpoint = $1", endpoint);
  }

  /**
   * What has just ended and what has just come must see each other: else a delivery could wait for ever. In one round trip, so
   * that a lock is not held while a process is busy with something else.
   */
  async #locked(endpoints: readonly string[], statements: readonly Statement[]): Promise<void> {
    await this.db.queryAll([lockStatement(locksOf(endpoints)), ...statements]);
  }

  async #changeSome(change: Statement, endpoints: readonly string[]): Promise<Changed> {
    return await this.db.transaction(async () => {
      await this.db.lock(...locksOf(endpoints));
      const [changed] = await this.db.query<Changed & object>(change);
      if (changed && changed.count > 0) await this.db.query(statement(PROMOTE, changed.endpoints, changed.keys));
      return changed as Changed;
    });
  }

  async #delete(condition: string, ...values: readonly unknown[]): Promise<void> {
    const text = `delete from ${DELIVERIES} where id in (select id from ${DELIVERIES} where ${condition} limit ${CHUNK}) returning 1`;
    while ((await this.db.query(statement(text, ...values))).length === CHUNK);
  }
}

const locksOf = (endpoints: readonly string[]): readonly string[] =>
  [...new Set(endpoints)].map((endpoint) => `webhooks deliveries ${endpoint}`);

const statement = (text: string, ...values: readonly unknown[]): Statement => ({ text, values, isPlan: true });

/** The driver gives dates. */
const textOf = <T extends string | null>(time: T): T => (time === null ? time : (new Date(time).toISOString() as T));

/** As many at once as make a statement of some length. */
function* chunksOf(deliveries: Iterable<NewDelivery>): Generator<readonly NewDelivery[]> {
  let chunk: NewDelivery[] = [];
  let length = 0;
  for (const delivery of deliveries) {
    if (chunk.length > 0 && length + delivery.body.length > MOST_TEXT) {
      yield chunk;
      chunk = [];
      length = 0;
    }
    chunk.push(delivery);
    length += delivery.body.length;
  }
  if (chunk.length > 0) yield chunk;
}
