import type { Clock } from "../database/clock.js";
import type { Database } from "../database/driver/database.js";
import { SNAPSHOT_TABLE } from "../database/sync/snapshot.js";
import type { Finding, HealthCheck } from "../http/health.js";

/** How far the clock of this machine may be from that of the database, in milliseconds. */
const MOST_APART = 5_000;

/**
 * What a process checks of its database: that it answers, with sessions as they have to be, that messages arrive, and that
 * its time is that of this machine.
 */
export function databaseChecks(db: Database, clock: Pick<Clock, "offset">): readonly HealthCheck[] {
  // A coordinator answers while the worker that has the tables is down.
  const proof = db.engine === "citus" ? `select 1 from ${SNAPSHOT_TABLE}` : undefined;
  return [
    {
      name: "database",
      // Without a primary, replicas answer the public for a while: the balancer must not turn it away.
      get isVital() {
        return (db.replicas?.usable ?? 0) === 0;
      },
      run: async () => {
        const since = performance.now();
        await db.ping(proof);
        return { status: "ok", kind: db.kind, milliseconds: Math.round(performance.now() - since) };
      },
    },
    {
      name: "session",
      // No statement is sent while it is wrong, so there is nothing to wait for.
      patience: 0,
      run: () => (db.fault ? { status: "down", code: db.fault.code, reason: db.fault.message } : { status: "ok" }),
    },
    {
      name: "listener",
      run: () =>
        db.messages.isListening
          ? { status: "ok" }
          : { status: "degraded", reason: "messages of other processes do not arrive; caches are off" },
    },
    {
      name: "clock",
      // The time of the database is used, so nothing is wrong yet; logs and certificates have that of the machine.
      run: () => ({ status: Math.abs(clock.offset) > MOST_APART ? "degraded" : "ok", milliseconds: clock.offset }),
    },
    ...replicaChecks(db),
  ];
}

function replicaChecks({ replicas }: Database): readonly HealthCheck[] {
  if (!replicas) return [];
  const all = replicas.pools.length;
  const run = (): Finding => ({ status: replicas.usable === all ? "ok" : "degraded", usable: replicas.usable, all });
  return [{ name: "replicas", run }];
}
