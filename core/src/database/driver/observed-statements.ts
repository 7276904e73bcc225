import type { Knex } from "knex";
import { LRUCache } from "lru-cache";
import type { Client } from "pg";
import { channels, type DatabaseMessage, type StatementKind } from "../../base/telemetry.js";
import type { ClientStatement } from "./pg-internals.js";
import type { SlowStatements } from "./slow-statements.js";

const { db, pool: pools } = channels;

/** Whose a connection is, and how long its user waited for it. */
interface Lease {
  readonly pool: object;
  readonly slow: SlowStatements | undefined;
  waited: number;
}

const leases = new WeakMap<Client, Lease>();
const slowOf = new WeakMap<object, SlowStatements>();

/** Has the slow statements of a pool logged. */
export function logSlow(pool: Knex, slow: SlowStatements): void {
  slowOf.set(pool, slow);
}

/** What went to the database at once, described. */
type Described = Pick<DatabaseMessage, "kind" | "text" | "statements">;

/** The message of a trip. A class: an object that is put together by spreading others takes 4 us. */
class Trip implements DatabaseMessage {
  readonly kind: StatementKind;
  readonly text: string;
  readonly statements: number;
  readonly startedAt = performance.now();
  duration = 0;
  rows = 0;
  error: unknown;

  constructor(
    readonly pool: object,
    readonly waited: number,
    { kind, text, statements }: Described,
  ) {
    this.kind = kind;
    this.text = text;
    this.statements = statements;
  }
}

/** Takes a connection, notes how long that took, and reports it where somebody listens. */
export async function observeAcquire(pool: Knex, acquire: () => Promise<Client>): Promise<Client> {
  const since = performance.now();
  try {
    const client = await acquire();
    const waited = performance.now() - since;
    const lease = leases.get(client);
    if (lease) lease.waited = waited;
    else leases.set(client, { pool, waited, slow: slowOf.get(pool) });
    if (pools.hasSubscribers) pools.publish({ pool, waited });
    return client;
  } catch (error) {
    if (pools.hasSubscribers) pools.publish({ pool, waited: performance.now() - since, error });
    throw error;
  }
}

/** Sends what goes to the database at once, and reports it. @returns what `send` does: rows, or those of each statement */
export async function observeStatements<Rows extends readonly object[]>(
  client: Client,
  statements: readonly ClientStatement[],
  send: () => Promise<Rows>,
): Promise<Rows> {
  const lease = leases.get(client);
  if (!lease) return send();
  const { pool, waited } = lease;
  lease.waited = 0;
  const trip = begin(new Trip(pool, waited, describe(statements)));
  try {
    const rows = await send();
    trip.rows = statements.length === 1 ? rows.length : countRows(rows);
    return rows;
  } catch (error) {
    trip.error = error;
    throw error;
  } finally {
    end(trip);
  }
}

/**
 * Logs what went to the database at once, if it was slow. Every statement passes here while no channel has a listener.
 *
 * @param startedAt - as of `performance.now()`.
 */
export function noteTime(
  client: Client,
  sent: ClientStatement | readonly ClientStatement[],
  startedAt: number,
  rows: number,
): void {
  const lease = leases.get(client);
  if (!lease?.slow) return;
  const { waited, slow } = lease;
  lease.waited = 0;
  const duration = performance.now() - startedAt;
  if (waited + duration < slow.limit) return;
  slow.note({ ...describe(Array.isArray(sent) ? sent : [sent]), waited, duration, rows });
}

/** Reports the statements that knex sends by itself: those of its builder, of migrations and of schema steps. */
export function observeKnex(knex: Knex): void {
  // Of a stream, knex does not say when it ends.
  const running = new LRUCache<string, Trip>({ max: 1000 });
  knex.on("query", ({ sql, __knexQueryUid: id }: KnexQuery) => {
    if (!db.hasListeners && !slowOf.has(knex)) return;
    const kind = kindOf([{ text: sql }]);
    running.set(id, begin(new Trip(knex, 0, { kind, text: sql, statements: 1 })));
  });
  const ended = ({ __knexQueryUid: id }: KnexQuery, rows: unknown, error?: unknown): void => {
    const trip = running.get(id);
    if (!trip) return;
    running.delete(id);
    trip.rows = Array.isArray(rows) ? rows.length : 0;
    trip.error = error;
    end(trip);
  };
  knex.on("query-response", (rows: unknown, query: KnexQuery) => ended(query, rows));
  knex.on("query-error", (error: unknown, query: KnexQuery) => ended(query, undefined, error));
}

/** What knex says of a statement. @source https://knexjs.org/guide/interfaces.html#query */
interface KnexQuery {
  readonly sql: string;
  readonly __knexQueryUid: string;
}

function begin(trip: Trip): Trip {
  db.start.publish(trip);
  return trip;
}

function end(trip: Trip): void {
  trip.duration = performance.now() - trip.startedAt;
  db.end.publish(trip);
  slowOf.get(trip.pool)?.note(trip);
}

/** How many rows came back of several statements. */
export const countRows = (results: readonly object[]): number =>
  results.reduce((sum, rows) => sum + (rows as readonly object[]).length, 0);

function describe(statements: readonly ClientStatement[]): Described {
  const { text } = statements.find((statement) => !CONTROL.test(statement.text)) ?? (statements[0] as ClientStatement);
  return { kind: kindOf(statements), text, statements: statements.length };
}

/** What begins, ends and limits a transaction. */
const CONTROL = /^(?:begin|commit|rollback|savepoint|release|select set_config)\b/;
const READ = /^\s*(?:select|show|explain|values|table)\b/i;
const SCHEMA = /^\s*(?:create|alter|drop|comment|grant|revoke|truncate|reindex|vacuum|analyze|cluster)\b/i;

function kindOf(statements: readonly ClientStatement[]): StatementKind {
  const [{ text, isRead }] = statements as readonly [ClientStatement];
  if (statements.length === 1) {
    if (isRead || READ.test(text)) return "read";
    return SCHEMA.test(text) ? "schema" : "write";
  }
  return statements.every((each) => each.isRead || CONTROL.test(each.text)) ? "read" : "batch";
}
