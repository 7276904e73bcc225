import * as v from "@plinth/core/valibot";
import { type PostgresConfig, replicasConfig } from "./config.js";
import type { DatabaseLog } from "./database.js";
import { connectionsOf } from "./host-list.js";
import { openPostgres, type PostgresDriver } from "./postgres.js";
import { Replicas } from "./replicas.js";

/** What replicas are opened beside. */
interface Beside<Pool> {
  /** Of the primary. */
  readonly driver: PostgresDriver;
  readonly log: DatabaseLog;
  /** Makes a database of the driver of one replica. */
  readonly poolOf: (driver: PostgresDriver) => Pool;
}

/** The replicas of a configuration; undefined: it names none. They connect at once, and the start does not wait for them. */
export function openReplicas<Pool extends { close(): Promise<void> }>(
  config: PostgresConfig,
  { driver, log, poolOf }: Beside<Pool>,
): Replicas<Pool> | undefined {
  if (config.replicas === undefined) return undefined;
  const settings = v.parse(replicasConfig, config.replicas);
  const { replicas: _replicas, listen: _listen, pooler: _pooler, ...shared } = config;
  const connections = settings.at === "hosts" ? connectionsOf(config.connection) : settings.at;
  if (connections.length === 0) return undefined;
  const sources = connections.map((connection) => {
    const own = openPostgres({ ...shared, connection });
    return {
      pool: poolOf(own),
      connect: own.connectDirect,
      cutOff: () => own.cutOff("the replica does not answer"),
    };
  });
  return new Replicas<Pool>({
    config: settings,
    sources,
    connectPrimary: driver.connectDirect,
    isNamed: driver.preparedStatements > 0,
    log,
  });
}
