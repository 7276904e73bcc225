import { setTimeout as sleep } from "node:timers/promises";
import createKnex, { type Knex } from "knex";
import pg from "pg";
import type { PlinthError } from "../../base/error.js";
import * as v from "@plinth/core/valibot";
import { DatabaseUnreachableError } from "../errors.js";
import { type SessionOptions, sessionOptions } from "./config.js";
import { ConnectionWatch, GuardedClient, type WatchOptions } from "./guarded-client.js";
import type { Engine } from "./engine.js";
import type { HostAddress } from "./host-list.js";
import type { Hosts } from "./hosts.js";
import { hookConnections, turnAway } from "./knex-internals.js";
import { observeKnex } from "./observed-statements.js";
import type { Listener } from "./messages.js";
import type { SessionSettings } from "./session-settings.js";

/** The differences between the two databases; all code above it is shared. */
export interface Driver {
  readonly kind: "postgres" | "pglite";
  readonly engine: Engine;
  /** The one pool. */
  readonly knex: Knex;
  /** For messages: `127.0.0.1:5432/blog` or a directory; never a password. */
  readonly where: string;
  /** How long a caller waits for a free connection, in milliseconds. */
  readonly acquireTimeout: number;
  /** Most connections of the pool. */
  readonly connections: number;
  /** Why there is no room for one more who needs a connection; then the newest who wait are turned away. */
  readonly refusal: () => PlinthError | undefined;
  /** Named statements per connection; 0 for none. */
  readonly preparedStatements: number;
  /** Milliseconds; 0 for none. */
  readonly statementTimeout: number;
  readonly sharesReads: boolean;
  /** What every session of the pool has to have set, where something between could change it. */
  readonly settings: SessionSettings | undefined;
  /** Receives notifications of other processes; undefined where there cannot be any. */
  readonly listener: Listener | undefined;
  /** The servers of a connection that names several. */
  readonly hosts?: Hosts | undefined;
  /** A client, not connected yet, of a session that no pooler shares; undefined for the embedded database, which has one session. */
  readonly connectDirect?: () => GuardedClient;
  /** Closes the pool, waits for running statements for a limited time, and frees what the driver holds. */
  close(): Promise<void>;
}

const defaults = v.getDefaults(v.object(sessionOptions));

/** Named statements per connection that the config asks for. */
export function nameLimit({ preparedStatements = true }: Pick<SessionOptions, "preparedStatements">): number {
  if (typeof preparedStatements === "number") return Math.max(0, Math.trunc(preparedStatements));
  return preparedStatements ? Number(defaults.preparedStatements) : 0;
}

/** Kinds whose JavaScript form would change the value: dates move with the time zone of the process. */
const AS_TEXT = new Set<number>([pg.types.builtins.DATE, pg.types.builtins.TIMESTAMP, pg.types.builtins.TIME]);

/** How column values become JavaScript: dates, times, bigints and decimals are text, instants `Date`, jsonb parsed. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    AS_TEXT.has(oid)
      ? (text: string) => text
      : pg.types.getTypeParser(oid, format as "text")) as pg.CustomTypesConfig["getTypeParser"],
};

/** Options of knex that both drivers share. Errors are thrown with the statement's text and never its values. */
export function knexOptions(acquireTimeout: number): Knex.Config {
  return { client: "pg", acquireConnectionTimeout: acquireTimeout, compileSqlOnError: false, log: silentLog };
}

/** Knex logs what it throws as well; callers get the error, so once is enough. */
const silentLog: Knex.Logger = {
  warn: () => undefined,
  error: () => undefined,
  deprecate: () => undefined,
  debug: () => undefined,
};

/** How long closing waits for what still runs, and then for connections to end, in milliseconds. */
const CLOSE_TIMEOUT = 2_000;
const END_TIMEOUT = 500;

/** What a pool is made of. */
interface PoolOptions {
  readonly knex: Knex.Config;
  readonly watch: WatchOptions;
  /** For messages. */
  readonly where: string;
  /** What its connections are; default: those that connect to the address of their config. */
  readonly Client?: typeof GuardedClient;
}

/** The one pool of a database: knex's, of connections that are watched. */
interface Pool {
  readonly knex: Knex;
  /** Has every connection checked before it is used again. */
  suspectAll(): void;
  /** Has no connection of a host be used again. */
  disposeHost(host: HostAddress): void;
  /** Ends every connection at once, and the wait for one. */
  cutOff(reason: string): void;
  /** Waits for running statements for a limited time, and ends every connection. */
  close(): Promise<void>;
}

/** Makes a pool; it connects with the first statement. */
export function createPool({ knex: config, watch: watchOptions, where, Client = GuardedClient }: PoolOptions): Pool {
  const watch = new ConnectionWatch(watchOptions);
  const knex = createKnex(config);
  useWatchedClients(knex, watch, Client);
  observeKnex(knex);
  return {
    knex,
    suspectAll: () => watch.suspectAll(),
    disposeHost: (host) =>
      watch.disposeHost(host, new DatabaseUnreachableError({ where, reason: "another server is the primary" })),
    cutOff: (reason) => {
      const error = new DatabaseUnreachableError({ where, reason });
      turnAway(knex, 0, error);
      return watch.endAll(error);
    },
    close: async () => {
      const closed = knex.destroy();
      const stop = new AbortController();
      const cutOff = sleep(CLOSE_TIMEOUT, undefined, { signal: stop.signal }).then(async () => {
        await watch.endAll(new DatabaseUnreachableError({ where, reason: "the app is stopping" }));
        await sleep(END_TIMEOUT, undefined, { signal: stop.signal });
      });
      await Promise.race([closed, cutOff]);
      stop.abort();
      await cutOff.catch(() => undefined);
    },
  };
}

/** Has knex make our clients, and ask the watch before it uses one again. */
function useWatchedClients(knex: Knex, watch: ConnectionWatch, Client: typeof GuardedClient): void {
  hookConnections(knex, {
    Client: class extends Client {
      constructor(config: ConstructorParameters<typeof GuardedClient>[0]) {
        super(config);
        watch.add(this);
      }
    },
    taken: (connection) => {
      connection.isInUse = true;
      return watch.isUsable(connection);
    },
    released: (connection) => {
      connection.isInUse = false;
      connection.isUnlimited = false;
    },
    close: (connection) => connection.leave(),
  });
}
