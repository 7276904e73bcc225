import type { Duplex } from "node:stream";
import pg from "pg";
import { reasonOf } from "../../base/error.js";
import { AnswerTooLargeError, BrokenAnswerError } from "../errors.js";
import { describeHost, type HostAddress, isSameHost } from "./host-list.js";
import { disposeConnection } from "./knex-internals.js";
import { cancelStatement } from "./cancel-statement.js";
import { activeQueryOf, cancelKeyOf, connectionOf, type Listenable } from "./pg-internals.js";

/** How long a server may take to close a connection, in milliseconds. */
const END_TIMEOUT = 500;

/**
 * A client of PostgreSQL whose faults do not end the process: an error while a message of the server is parsed or
 * delivered ends this connection and rejects its statement. Thrown in the handler of a socket, it would end the
 * process.
 */
export class GuardedClient extends pg.Client {
  /** Whether it is taken from the pool. */
  isInUse = false;
  /** Whether its statements may run for as long as they want, until it goes back to the pool. */
  isUnlimited = false;
  /** Whether it has to answer a check before it is used again. */
  isSuspect = false;

  constructor(config: pg.ClientConfig) {
    super(config);
    const connection = connectionOf(this);
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => attach(guard(stream as Duplex));
  }

  /** Where it is connected to, or about to be. */
  get address(): HostAddress {
    return { host: this.host, port: this.port };
  }

  /** Connects to another address than the one of its config. */
  connectTo({ host, port }: HostAddress): Promise<void> {
    Object.assign(this, { host, port });
    return new Promise((done, fail) => {
      pg.Client.prototype.connect.call(this, (error: Error | null) => (error ? fail(error) : done()));
    });
  }

  /** Whether a statement waits for its answer. */
  get pending(): object | null | undefined {
    return activeQueryOf(this);
  }

  /** Ends the connection, soon even if the server does not answer any more. */
  async leave(): Promise<void> {
    const limit = setTimeout(() => this.destroy(new Error("Connection terminated")), END_TIMEOUT).unref();
    await this.end();
    clearTimeout(limit);
  }

  /** Asks the server, over another connection, to end the statement that waits for its answer; does nothing without one. */
  async cancel(): Promise<void> {
    const key = this.pending ? cancelKeyOf(this) : undefined;
    if (key) await cancelStatement(this.address, key);
  }

  /** Ends the connection at once, whether or not the server still answers. Its statements are rejected with `reason`. */
  destroy(reason: Error): void {
    connectionOf(this).stream.destroy(reason);
  }
}

/** A stream whose listeners end it when they throw. */
function guard(stream: Duplex): Listenable {
  return {
    on: (event, listener) =>
      stream.on(event, (...args: unknown[]) => {
        try {
          listener(...args);
        } catch (error) {
          stream.destroy(toAnswerError(error));
        }
      }),
  };
}

function toAnswerError(cause: unknown): Error {
  const isTooLong = cause instanceof Error && "code" in cause && cause.code === "ERR_STRING_TOO_LONG";
  return isTooLong
    ? new AnswerTooLargeError({}, { cause })
    : new BrokenAnswerError({ reason: reasonOf(cause) }, { cause });
}

/** How long a connection may take to answer a check, in milliseconds. */
const PROOF_TIME = 2_000;

/** Most and least time between two looks at all connections, in milliseconds. */
const LONGEST_INTERVAL = 1_000;
const SHORTEST_INTERVAL = 20;
/** How often a connection is looked at before it is given up. */
const LOOKS = 5;

/** What is known of one connection. */
interface Watched {
  /** The statement that waited for its answer at the last look. */
  statement: object | null | undefined;
  /** How many looks ago it was first seen. */
  looks: number;
}

/**
 * read_only_sql_transaction, admin_shutdown, crash_shutdown, cannot_connect_now and faults of the connection: the server
 * has stopped, or is a primary no more.
 *
 * @source https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const HOST_FAULTS = /^(?:25006|57P0[123]|08...)$/;

const isHostFault = (error: Error): boolean => "code" in error && HOST_FAULTS.test(String(error.code));

/** How long a statement may go without an answer. */
export interface WatchOptions {
  /** In milliseconds; 0 for no limit. */
  readonly limit: number;
  /** Why a connection is given up. */
  readonly reason: () => Error;
  /** Called when a connection of a host broke, or said that it takes no writes. */
  readonly lost?: (host: HostAddress) => void;
}

/**
 * Ends connections that do not answer: a dead network reports no error, and a statement without
 * an answer would wait forever. It looks at all of them now and again, so that a statement costs nothing. It counts
 * looks, not time: a process that was paused finds the answers that arrived meanwhile.
 */
export class ConnectionWatch {
  readonly #options: WatchOptions;
  readonly #interval: number;
  readonly #watched = new Map<GuardedClient, Watched>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#interval = Math.min(LONGEST_INTERVAL, Math.max(SHORTEST_INTERVAL, options.limit / LOOKS));
  }

  /** Watches a connection, from before it is open until it is closed. */
  add(client: GuardedClient): void {
    this.#watched.set(client, { statement: undefined, looks: 0 });
    client.on("error", (error) => this.disposeHost(client.address, error));
    connectionOf(client).on("errorMessage", (message) => {
      if (isHostFault(message)) this.disposeHost(client.address, message);
    });
    client.on("end", () => this.#remove(client));
    if (this.#options.limit > 0) this.#timer ??= setInterval(() => this.#look(), this.#interval).unref();
  }

  /** Marks every connection as suspect: none is used again before it has answered. */
  suspectAll(): void {
    for (const client of this.#watched.keys()) client.isSuspect = true;
  }

  /** Has no connection of a host be used again: what happened to one happens to all of them. */
  disposeHost(host: HostAddress, reason: Error): void {
    this.#options.lost?.(host);
    for (const client of this.#watched.keys())
      if (isSameHost(client.address, host)) disposeConnection(client, `${describeHost(host)}: ${reason.message}`);
  }

  /** Whether a connection that is about to be used can be. */
  isUsable(client: GuardedClient): boolean | Promise<boolean> {
    return client.isSuspect ? this.#prove(client) : true;
  }

  /** Ends every connection soon, and has the server end their statements: it would go on although no client waits. */
  async endAll(reason: Error): Promise<void> {
    await Promise.all([...this.#watched.keys()].map((client) => client.cancel()));
    for (const client of this.#watched.keys()) client.destroy(reason);
  }

  async #prove(client: GuardedClient): Promise<boolean> {
    const limit = setTimeout(() => this.#giveUp(client), PROOF_TIME).unref();
    try {
      await client.query("select 1");
      client.isSuspect = false;
      return true;
    } catch {
      // The idle connections of the pool probably have the same fault: checking them one by one would take too long.
      for (const other of this.#watched.keys()) if (other.isSuspect && !other.isInUse) this.#giveUp(other);
      return false;
    } finally {
      clearTimeout(limit);
    }
  }

  #look(): void {
    for (const [client, watched] of this.#watched) {
      const statement = client.isUnlimited ? undefined : client.pending;
      const isSame = statement !== undefined && statement !== null && statement === watched.statement;
      watched.looks = isSame ? watched.looks + 1 : 0;
      watched.statement = statement;
      if (watched.looks * this.#interval >= this.#options.limit && isSame) this.#giveUp(client);
    }
  }

  #giveUp(client: GuardedClient): void {
    this.suspectAll();
    client.destroy(this.#options.reason());
  }

  #remove(client: GuardedClient): void {
    this.#watched.delete(client);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
