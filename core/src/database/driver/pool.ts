import { setTimeout as sleep } from "node:timers/promises";
import createKnex, { type Knex } from "knex";
import { ConnectionWatch, type WatchOptions } from "./connection-watch.js";
import { DatabaseUnreachableError } from "../errors.js";
import { GuardedClient } from "./guarded-client.js";
import { hookConnections } from "./knex-internals.js";

/** How long closing waits for what still runs, and then for connections to end, in milliseconds. */
const CLOSE_TIMEOUT = 2_000;
const END_TIMEOUT = 500;

/** What a pool is made of. */
export interface PoolOptions {
  readonly knex: Knex.Config;
  readonly watch: WatchOptions;
  /** For messages. */
  readonly where: string;
}

/** The one pool of a database: knex's, of connections that are watched. */
export interface Pool {
  readonly knex: Knex;
  /** Has every connection checked before it is used again. */
  suspectAll(): void;
  /** Waits for running statements for a limited time, and ends every connection. */
  close(): Promise<void>;
}

/** Makes a pool; it connects with the first statement. */
export function createPool({ knex: config, watch: watchOptions, where }: PoolOptions): Pool {
  const watch = new ConnectionWatch(watchOptions);
  const knex = createKnex(config);
  useWatchedClients(knex, watch);
  return {
    knex,
    suspectAll: () => watch.suspectAll(),
    close: async () => {
      const closed = knex.destroy();
      const stop = new AbortController();
      const cutOff = sleep(CLOSE_TIMEOUT, undefined, { signal: stop.signal }).then(async () => {
        watch.endAll(new DatabaseUnreachableError({ where, reason: "the app is stopping" }));
        await sleep(END_TIMEOUT, undefined, { signal: stop.signal });
      });
      await Promise.race([closed, cutOff]);
      stop.abort();
      await cutOff.catch(() => undefined);
    },
  };
}

/** Has knex make our clients, and ask the watch before it uses one again. */
function useWatchedClients(knex: Knex, watch: ConnectionWatch): void {
  hookConnections(knex, {
    Client: class extends GuardedClient {
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
