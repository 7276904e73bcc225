import { type Database, lockStatement, type Statement } from "@plinth/core";
import type { Delivery, DeliveryFilter, DeliveryState } from "../contract.js";
import { DELIVERIES } from "../tables.js";

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

/** Which deliveries are listed or sent again; `endpoint` is an id. */
export type StoredFilter = Omit<DeliveryFilter, "state"> & { readonly states: readonly DeliveryState[] };

/** Rows deleted by a statement. */
const CHUNK = 5_000;

/** The first of a document may go at once where none of it waits already: so most rows are written once less. */
const ADD = `insert into ${DELIVERIES} (event, part, endpoint, key, type, uid, document_id, locales, at, format, body, trace, next_at)
  select event, part, endpoint, key, type, uid, document_id, locales, at, format, body, trace,
    case when row_number() over (partition by endpoint, key order by event, part) = 1
      and not exists (select from ${DELIVERIES} e where e.endpoint = v.endpoint and e.key = v.key and e.state = 'waiting') then now() end
  from json_to_recordset($1::json)
  as v(event bigint, part smallint, endpoint text, key text, type text, uid text, document_id text, locales text[], at timestamptz,
    format text, body text, trace text) order by event, part on conflict (endpoint, event, part) do nothing`;

/** The first of a document that waits may go. */
const PROMOTE = `update ${DELIVERIES} d set next_at = now()
  from (select distinct endpoint, key from unnest($1::text[], $2::text[]) k(endpoint, key)) k
  where d.id = (select e.id from ${DELIVERIES} e where e.endpoint = k.endpoint and e.key = k.key and e.state = 'waiting' order by e.event, e.part limit 1)
  and not exists (select from ${DELIVERIES} e where e.endpoint = k.endpoint and e.key = k.key and e.state = 'waiting' and e.next_at is not null)`;

const READY = `select d.* from unnest($1::text[]) k(endpoint) cross join lateral (
    select id::text, event::text, part, endpoint, key, type, format, body, trace, attempts from ${DELIVERIES} d
    where d.endpoint = k.endpoint and d.state = 'waiting' and d.next_at <= now() and d.id <> all($2::bigint[])
    order by d.next_at, d.event limit $3) d`;

const FOLLOWED = `select exists (select from ${DELIVERIES} d join ${DELIVERIES} own on own.id = $1
  where d.endpoint = own.endpoint and d.key = own.key and d.state = 'waiting' and d.event > own.event and d.type = own.type
  and d.locales @> own.locales) as is_followed`;

const NOTE = `update ${DELIVERIES} d set state = v.state, attempts = attempts + v.tries, next_at = now() + v.pause * interval '1 millisecond',
  status = v.status, error = v.error, answer = v.answer, tried_at = now(), ended_at = case when v.state = 'waiting' then null else now() end
  from json_to_recordset($1::json) as v(id bigint, state text, tries int, pause float8, status int, error text, answer text)
  where d.id = v.id and d.state = 'waiting'`;

const MATCHES = `($1::text is null or endpoint = $1) and ($2::bigint is null or event = $2) and ($3::timestamptz is null or at >= $3)
  and state = any($4::text[])`;

const LIST = `select id::text, event::float8, endpoint, type, uid, document_id as "documentId", at, state, attempts, next_at as "nextAt",
  tried_at as "triedAt", status, error, answer from ${DELIVERIES} where ${MATCHES} order by event desc, id desc limit $5`;

const AGAIN = `update ${DELIVERIES} set state = 'waiting', attempts = 0, next_at = null, ended_at = null
  where ${MATCHES} and state <> 'waiting' returning endpoint, key`;

/** The deliveries in the database. */
export class DeliveryStore {
  constructor(private readonly db: Database) {}

  /** Adds deliveries; those that are there stay as they are. */
  async add(deliveries: readonly NewDelivery[]): Promise<void> {
    const endpoints = deliveries.map(({ endpoint }) => endpoint);
    const keys = deliveries.map(({ key }) => key);
    await this.#locked(endpoints, [statement(ADD, JSON.stringify(deliveries)), statement(PROMOTE, endpoints, keys)]);
  }

  /** Those that may go now, of some endpoints. @param most - of each. @param except - ids of those that are on their way. */
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
  async list(filter: StoredFilter, limit: number): Promise<readonly Delivery[]> {
    const rows = await this.db.query<Delivery & object>(statement(LIST, ...valuesOf(filter), limit));
    return rows.map((row) => ({
      ...row,
      at: textOf(row.at),
      nextAt: textOf(row.nextAt),
      triedAt: textOf(row.triedAt),
    }));
  }

  /** Has deliveries that have ended wait again. @returns how many */
  async again(filter: StoredFilter, endpoints: readonly string[]): Promise<number> {
    return await this.db.transaction(async () => {
      await this.db.lock(...locksOf(endpoints));
      const rows = await this.db.query<{ endpoint: string; key: string }>(statement(AGAIN, ...valuesOf(filter)));
      const values = [rows.map(({ endpoint }) => endpoint), rows.map(({ key }) => key)] as const;
      await this.db.query(statement(PROMOTE, ...values));
      return rows.length;
    });
  }

  /**
   * Forgets those that ended so many days ago, and those that wait for endpoints that are not there any more. Another process
   * may run a version of the app whose configuration has an endpoint that this one has not: of these it waits as many days.
   */
  async forget(days: number, endpoints: readonly string[]): Promise<void> {
    await this.#delete("state <> 'waiting' and ended_at < now() - $1 * interval '1 day'", days);
    await this.#delete(
      "state = 'waiting' and endpoint <> all($1::text[]) and (endpoint not like 'config:%' or at < now() - $2 * interval '1 day')",
      ...[endpoints, days],
    );
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

  async #delete(condition: string, ...values: readonly unknown[]): Promise<void> {
    const text = `delete from ${DELIVERIES} where id in (select id from ${DELIVERIES} where ${condition} limit ${CHUNK}) returning 1`;
    while ((await this.db.query(statement(text, ...values))).length === CHUNK);
  }
}

const locksOf = (endpoints: readonly string[]): readonly string[] =>
  [...new Set(endpoints)].map((endpoint) => `webhooks deliveries ${endpoint}`);

const valuesOf = ({ endpoint, event, since, states }: StoredFilter): readonly unknown[] => [
  ...[endpoint ?? null, event ?? null, since ?? null, states],
];

const statement = (text: string, ...values: readonly unknown[]): Statement => ({ text, values, isPlan: true });

/** The driver gives dates. */
const textOf = <T extends string | null>(time: T): T => (time === null ? time : (new Date(time).toISOString() as T));
