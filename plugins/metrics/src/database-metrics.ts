import type { App } from "@plinth/core";
import {
  channels,
  type DatabaseMessage,
  type PoolMessage,
  type ReplicaMessage,
  type SharedReadMessage,
  type StatementKind,
  type TotalMessage,
} from "@plinth/core/telemetry";
import type { Listening } from "./listening.js";
import { Counter, gauge, Histogram, type Reading, type Times } from "./series.js";

type Node = "primary" | "replica";

/** Where the times of a node are added. */
interface NodeTimes extends Readonly<Record<StatementKind, Times>> {
  readonly node: Node;
  readonly acquire: Times;
}

const SECONDS = { name: "plinth_db_seconds", help: "Time of a trip to the database", labels: ["node", "kind"] };
const ERRORS = {
  name: "plinth_db_errors_total",
  help: "Trips to the database that failed, by the class of their SQLSTATE",
  labels: ["node", "kind", "class"],
};
const ACQUIRE = {
  name: "plinth_db_acquire_seconds",
  help: "Time that callers waited for a connection of the pool",
  labels: ["node"],
};
const READS = {
  name: "plinth_reads_total",
  help: "Reads that replicas may answer, by who did, and why",
  labels: ["target", "why"],
};
const SHARED = {
  name: "plinth_shared_reads_total",
  help: "Reads that sent a statement (led), or shared that of an equal one (joined)",
  labels: ["how"],
};
const TOTALS = {
  name: "plinth_totals_total",
  help: "Totals of lists: kept from an earlier read, counted, or the sum that writers keep",
  labels: ["how"],
};
const CONNECTIONS = { name: "plinth_db_connections", help: "Connections of the pool; waiting: callers without one" };
const LAG = { name: "plinth_replica_lag_seconds", help: "How old what a replica shows may be" };

/** Counts and times of what an app does with its database. */
export class DatabaseMetrics implements Listening {
  readonly #seconds = new Histogram(SECONDS);
  readonly #errors = new Counter(ERRORS);
  readonly #acquire = new Histogram(ACQUIRE);
  readonly #reads = new Counter(READS);
  readonly #shared = new Counter(SHARED);
  readonly #totals = new Counter(TOTALS);
  /** By the knex of their pools. */
  readonly #nodes = new Map<object, NodeTimes>();

  constructor(private readonly app: App) {
    const { knex, replicas } = app.db;
    this.#nodes.set(knex, this.#timesOf("primary"));
    for (const replica of replicas?.pools ?? []) this.#nodes.set(replica.knex, this.#timesOf("replica"));
  }

  start(): void {
    channels.db.end.subscribe(this.#countTrip);
    channels.pool.subscribe(this.#countWait);
    channels.replica.subscribe(this.#countRead);
    channels.sharedRead.subscribe(this.#countShared);
    channels.total.subscribe(this.#countTotal);
  }

  stop(): void {
    channels.db.end.unsubscribe(this.#countTrip);
    channels.pool.unsubscribe(this.#countWait);
    channels.replica.unsubscribe(this.#countRead);
    channels.sharedRead.unsubscribe(this.#countShared);
    channels.total.unsubscribe(this.#countTotal);
  }

  read(): readonly Reading[] {
    const counted = [this.#seconds, this.#errors, this.#acquire, this.#reads, this.#shared, this.#totals];
    return [...counted.map((metric) => metric.read()), this.#connections(), this.#lag()];
  }

  readonly #countTrip = ({ pool, kind, duration, error }: DatabaseMessage): void => {
    const times = this.#nodes.get(pool);
    if (!times) return;
    times[kind].add(duration);
    if (error !== undefined) this.#errors.add(1, times.node, kind, classOf(error));
  };

  readonly #countWait = ({ pool, waited }: PoolMessage): void => {
    this.#nodes.get(pool)?.acquire.add(waited);
  };

  readonly #countRead = ({ pool, target, why }: ReplicaMessage): void => {
    if (this.#nodes.has(pool)) this.#reads.add(1, target, why);
  };

  readonly #countShared = ({ pool, how }: SharedReadMessage): void => {
    if (this.#nodes.has(pool)) this.#shared.add(1, how);
  };

  readonly #countTotal = ({ pool, how }: TotalMessage): void => {
    if (this.#nodes.has(pool)) this.#totals.add(1, how);
  };

  #timesOf(node: Node): NodeTimes {
    const of = (kind: StatementKind) => this.#seconds.of(node, kind);
    const byKind = { read: of("read"), write: of("write"), batch: of("batch"), schema: of("schema") };
    return { node, acquire: this.#acquire.of(node), ...byKind };
  }

  #connections(): Reading {
    const { pool, replicas } = this.app.db;
    const all = [{ node: "primary", state: pool }];
    for (const replica of replicas?.pools ?? []) all.push({ node: "replica", state: replica.pool });
    const sums = (["primary", "replica"] as const).flatMap((node) =>
      (["used", "idle", "waiting"] as const).flatMap((state) => {
        const ofNode = all.filter((each) => each.node === node);
        const value = ofNode.reduce((sum, each) => sum + each.state[state], 0);
        return ofNode.length === 0 ? [] : [{ labels: { node, state }, value }];
      }),
    );
    return gauge({ ...CONNECTIONS, aggregator: "sum" }, ...sums);
  }

  #lag(): Reading {
    const lags = this.app.db.replicas?.lags ?? [];
    const values = lags.map((lag, i) => ({ labels: { replica: String(i + 1) }, value: lag / 1000 }));
    return gauge({ ...LAG, aggregator: "max" }, ...values);
  }
}

/**
 * The first two characters of the SQLSTATE; `none` where the server said none: the connection broke.
 *
 * @source https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
function classOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  return /^[0-9A-Z]{5}$/.test(code) ? code.slice(0, 2) : "none";
}
