import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { reasonOf } from "../../base/error.js";
import { connectDatabase, type DatabaseConfig } from "../../database/driver/connect.js";
import type { PostgresConfig } from "../../database/driver/config.js";
import { connectionsOf, describeConnection } from "../../database/driver/host-list.js";
import { DrillDatabaseError, DrillRestoreError } from "./errors.js";

/** Milliseconds that a server may take to end its recovery once the command has ended. */
const PATIENCE = 60_000;
const PAUSE = 250;

/**
 * Where a drill restores to: an embedded database in a folder of its own, or the server that a URL names, with the pool
 * and schema of the app's.
 *
 * @throws PLINTH_DRILL_DATABASE_IN_USE (500) for the app's own database
 */
export function scratchConfig(own: DatabaseConfig, url: string | undefined, folder: string): DatabaseConfig {
  if (url === undefined) return { client: "pglite", directory: join(folder, "data") };
  if (own.client === "pglite") return { client: "postgres", connection: url };
  const addresses = new Set(addressesOf(own.connection));
  const same = addressesOf(url).find((address) => addresses.has(address));
  if (same !== undefined) throw new DrillDatabaseError({ where: same, reason: "it is the app's own database" });
  const { replicas: _replicas, listen: _listen, pooler: _pooler, ...rest } = own;
  return { ...rest, connection: url };
}

function addressesOf(connection: PostgresConfig["connection"]): readonly string[] {
  const parts = connection as string;
  const each = connectionsOf(parts);
  return (each.length > 0 ? each : [parts]).map((one) =>
    describeConnection(one).replace(/^(localhost|::1):/, "127.0.0.1:"),
  );
}

/** @throws PLINTH_DRILL_DATABASE_IN_USE (500) where there are tables */
export async function assertEmpty(config: DatabaseConfig): Promise<void> {
  const db = await connectDatabase(config);
  try {
    const text =
      "select count(*)::int as tables, current_database() as name from pg_tables where schemaname = current_schema()";
    const [found] = await db.query<{ tables: number; name: string }>({ text, values: [] });
    if (found && found.tables > 0)
      throw new DrillDatabaseError({ where: found.name, reason: `it has ${found.tables} tables` });
  } finally {
    await db.close();
  }
}

/**
 * Waits until a restored database takes writes.
 *
 * @returns when the last transaction was committed that its server replayed, in ms of the epoch; undefined where it has replayed none
 * @throws PLINTH_DRILL_RESTORE_FAILED (500) after a minute
 */
export async function untilRestored(config: DatabaseConfig, command: string): Promise<number | undefined> {
  for (const end = performance.now() + PATIENCE; ; await sleep(PAUSE)) {
    const found = await lookAt(config).catch((error: unknown) => ({ reason: reasonOf(error) }));
    if (!("reason" in found)) return found.replayed;
    if (performance.now() > end) throw new DrillRestoreError({ command, reason: found.reason });
  }
}

async function lookAt(
  config: DatabaseConfig,
): Promise<{ readonly replayed: number | undefined } | { readonly reason: string }> {
  const db = await connectDatabase(config);
  try {
    const text =
      "select pg_is_in_recovery() as recovers, extract(epoch from pg_last_xact_replay_timestamp())::float8 * 1000 as replayed";
    const [row] = await db.query<{ recovers: boolean; replayed: number | null }>({ text, values: [] });
    if (row?.recovers) return { reason: "the database is still in recovery" };
    return { replayed: row?.replayed ?? undefined };
  } finally {
    await db.close();
  }
}
