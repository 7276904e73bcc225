import { setTimeout as sleep } from "node:timers/promises";
import createKnex, { type Knex } from "knex";
import { ConnectionWatch, type WatchOptions } from "./connection-watch.js";
import { DatabaseUnreachableError } from "../errors.js";
import { GuardedClient } from "./guarded-client.js";

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
  useWatchedClients(knex.client as KnexClient, watch);
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

/** What knex's client calls for its pool. */
interface KnexClient {
  driver: { readonly Client: typeof GuardedClient };
  validateConnection(connection: GuardedClient): boolean | Promise<boolean>;
  releaseConnection(connection: GuardedClient): Promise<void>;
  destroyRawConnection(connection: GuardedClient): Promise<void>;
}

/** Has knex make our clients, and ask the watch before it uses one again. */
function useWatchedClients(client: KnexClient, watch: ConnectionWatch): void {
  const release = client.releaseConnection.bind(client);
  client.driver = {
    Client: class extends GuardedClient {
      constructor(config: ConstructorParameters<typeof GuardedClient>[0]) {
        super(config);
        watch.add(this);
      }
    },
  };
  client.validateConnection = (connection) => {
    connection.isInUse = true;
    return watch.isUsable(connection);
  };
  client.releaseConnection = (connection) => {
    connection.isInUse = false;
    connection.isUnlimited = false;
    return release(connection);
  };
  client.destroyRawConnection = (connection) => connection.leave();
}
