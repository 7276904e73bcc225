import type { Knex } from "knex";
import type pg from "pg";
import type { Client } from "pg";
import { observeAcquire } from "./observed-statements.js";
import { WaitingLine } from "./waiting-line.js";

/*
 * Everything of knex that its documentation does not name is reached here and nowhere else. Written against knex 3.3;
 * test/core/database/driver/knex-internals.test.ts fails when a version of knex has it no more.
 */

/** What is asked of the pool. */
interface TarnPool
  extends Readonly<Record<"numUsed" | "numFree" | "numPendingAcquires" | "numPendingCreates", () => number>> {
  readonly max: number;
  /** Callers that wait, the first first; one that is rejected leaves. */
  readonly pendingAcquires: { reject(reason: Error): void }[];
}

/** What knex calls of its client: for its pool, and for the statements of a builder. */
interface KnexClient<Connection extends Client = Client> {
  driver: { readonly Client: new (config: pg.ClientConfig) => Connection };
  transacting: boolean;
  readonly pool?: TarnPool;
  acquireConnection: () => Promise<Connection>;
  releaseConnection: (connection: Connection) => Promise<void>;
  validateConnection: (connection: Connection) => boolean | Promise<boolean>;
  destroyRawConnection: (connection: Connection) => Promise<void>;
}

/** How the connections of a pool are made, and what is done with them. */
export interface ConnectionHooks<Connection extends Client> {
  readonly Client: new (config: pg.ClientConfig) => Connection;
  /** A connection is about to be used. @returns whether it can be; one that cannot is closed */
  taken(connection: Connection): boolean | Promise<boolean>;
  /** It goes back to the pool. */
  released(connection: Connection): void;
  /** Closes it. */
  close(connection: Connection): Promise<void>;
}

/** Has the pool of `knex`, which has no connection yet, be one of other connections. */
export function hookConnections<Connection extends Client>(knex: Knex, hooks: ConnectionHooks<Connection>): void {
  const client = knex.client as KnexClient<Connection>;
  const release = client.releaseConnection.bind(client);
  client.driver = { Client: hooks.Client };
  client.validateConnection = (connection) => hooks.taken(connection);
  client.releaseConnection = (connection) => {
    hooks.released(connection);
    return release(connection);
  };
  client.destroyRawConnection = (connection) => hooks.close(connection);
}

/** Takes a connection from the pool, which `releaseConnection` has to give back. */
export function acquireConnection(knex: Knex): Promise<Client> {
  return observeAcquire(knex, () => (knex.client as KnexClient).acquireConnection());
}

/** How pools that are watched give connections without being watched. */
const unwatched = new WeakMap<object, () => Promise<Client>>();

/**
 * Takes a connection before all others that wait: for what looks at the database, which may have too much to do and must not
 * be called dead for it.
 */
export function acquireFirst(knex: Knex): Promise<Client> {
  const client = knex.client as KnexClient;
  const waiting = client.pool?.pendingAcquires ?? [];
  const before = waiting.length;
  const acquired = (unwatched.get(client) ?? client.acquireConnection).call(client);
  const own = before > 0 && waiting.length > before ? waiting.pop() : undefined;
  if (own) waiting.unshift(own);
  return acquired;
}

/** Rejects callers that wait for a connection of `knex`, all but the first `room`. */
export function turnAway(knex: Knex, room: number, reason: Error): void {
  for (const each of (knex.client as KnexClient).pool?.pendingAcquires.slice(room) ?? []) each.reject(reason);
}

/**
 * Watches who waits for a connection of `knex`.
 *
 * @param refusal - what the newest get when too many wait for too long; only `admits` turns somebody away.
 */
export function watchWaiting(knex: Knex, refusal: Error): WaitingLine {
  const client = knex.client as Required<KnexClient>;
  const { pool } = client;
  const waiting = {
    get length() {
      return pool.numPendingAcquires();
    },
    cut: (room: number) => turnAway(knex, room, refusal),
  };
  const line = new WaitingLine(waiting, pool.max);
  const acquire = client.acquireConnection.bind(client);
  unwatched.set(client, acquire);
  const wait = async (): Promise<Client> => {
    const since = performance.now();
    line.join(since);
    const connection = await acquire();
    const now = performance.now();
    line.serve(now - since, now);
    return connection;
  };
  client.acquireConnection = () => {
    const hasRoom = pool.numFree() > 0 || pool.numUsed() + pool.numPendingCreates() < pool.max;
    if (!hasRoom || pool.numPendingAcquires() > 0) return wait();
    line.pass();
    return acquire();
  };
  return line;
}

/** The connections of a pool. */
export interface PoolState {
  readonly used: number;
  readonly idle: number;
  /** Callers that wait for one. */
  readonly waiting: number;
}

/** The connections of the pool of `knex` at the moment. */
export function poolState(knex: Knex): PoolState {
  const { pool } = knex.client as KnexClient;
  return { used: pool?.numUsed() ?? 0, idle: pool?.numFree() ?? 0, waiting: pool?.numPendingAcquires() ?? 0 };
}

/** Gives a connection back to the pool. */
export const releaseConnection = (knex: Knex, connection: Client): Promise<void> =>
  (knex.client as KnexClient).releaseConnection(connection);

/** Has the pool close a connection, once it is back, where it would hand it out again. */
export function disposeConnection(connection: Client, reason: unknown): void {
  Object.assign(connection, { __knex__disposed: reason });
}

/**
 * Knex on one connection, in the transaction that is open there; a transaction inside is a savepoint.
 *
 * @param connection - gives it once the transaction has begun.
 */
export function bindKnex(knex: Knex, connection: () => Promise<Client>): Knex {
  const bound = knex.withUserParams({});
  const client = bound.client as KnexClient;
  client.transacting = true;
  client.acquireConnection = connection;
  client.releaseConnection = () => Promise.resolve();
  return Object.assign(bound, { isTransaction: true });
}
