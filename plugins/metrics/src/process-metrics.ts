import type { App } from "@plinth/core";
import { describeProcess } from "@plinth/core/telemetry";
import client, { type Registry } from "prom-client";
import { exact, gauge, type Reading } from "./series.js";

/** Node's own metrics: memory, event loop, collections of garbage. They are of the process, so all its apps share them. */
let ofNode: Registry | undefined;

/** Node's own metrics at this moment, measured from the first call on. */
export async function readNode(): Promise<readonly Reading[]> {
  if (!ofNode) {
    ofNode = new client.Registry();
    client.collectDefaultMetrics({ register: ofNode });
  }
  const readings = (await ofNode.getMetricsAsJSON()) as unknown as readonly Reading[];
  return readings.map((reading) => {
    // Before its first sample, the delay of the event loop is not a number.
    const known = reading.values.filter(({ value }) => Number.isFinite(value));
    if (reading.type === "gauge") return { ...reading, values: known };
    return { ...reading, values: known.map((sample) => ({ ...sample, value: exact(sample.value) })) };
  });
}

/** What a process knows of itself and its database at this moment. */
export async function readProcess(app: App): Promise<readonly Reading[]> {
  const labels = describeProcess(app);
  const one = (value: number) => ({ labels: {}, value });
  return [
    gauge({ name: "plinth_info", help: "The app", aggregator: "first" }, { labels: { ...labels }, value: 1 }),
    gauge(
      { name: "plinth_messages_hearing", help: "Whether messages of other processes arrive", aggregator: "min" },
      one(Number(app.db.messages.isListening)),
    ),
    gauge(
      {
        name: "plinth_clock_offset_seconds",
        help: "By how much the clock of this machine is behind that of the database",
        aggregator: "average",
      },
      one(app.clock.offset / 1000),
    ),
    gauge(
      {
        name: "plinth_snapshot_age_seconds",
        help: "Age of the oldest transaction with a snapshot in this database: vacuum leaves what was deleted since",
        aggregator: "max",
      },
      one(await snapshotAge(app)),
    ),
  ];
}

/** Milliseconds for which an answer waits for the database. */
const PATIENCE = 1_000;

const AGE = {
  text: `select coalesce(extract(epoch from clock_timestamp() - min(xact_start)), 0)::float8 as age from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and (backend_xmin is not null or backend_xid is not null)`,
  values: [],
  isPlan: true,
  isRead: true,
};

/** NaN where the database does not say: metrics are wanted most where it does not answer, and its errors are one of them. */
async function snapshotAge({ db }: App): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<number>((done) => {
    timer = setTimeout(() => done(Number.NaN), PATIENCE);
  });
  const asked = db.query<{ readonly age: number }>(AGE).then(
    ([row]) => row?.age ?? Number.NaN,
    () => Number.NaN,
  );
  return await Promise.race([asked, tooLate]).finally(() => clearTimeout(timer));
}
