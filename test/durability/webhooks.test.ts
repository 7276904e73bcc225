import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { serverDatabase } from "../databases.js";
import { medianOf } from "../usual-time.js";
import { FaultyReceiver } from "./faulty-receiver.js";
import { type FleetProcess, startServing } from "./fleet-process.js";
import { RECEIVER } from "./webhook-fleet.js";

/** Writes a second while the time to delivery is measured: WEBHOOK_RATE for more. */
const RATE = Number(process.env["WEBHOOK_RATE"] ?? 40);
const SECONDS = 3;
const WARM_UP = 2;
/** Milliseconds between two looks for events of a process. */
const POLL = 1_000;

/** What came of some writes. */
interface Written {
  /** Milliseconds from each answer to its delivery, shortest first. */
  readonly times: readonly number[];
  /** Milliseconds until all were answered. */
  readonly took: number;
}

type Serving = Awaited<ReturnType<typeof startServing>>;

describe("webhooks of two processes", () => {
  const database = serverDatabase();
  if (!database) return;
  const receiver = new FaultyReceiver();
  const processes: Serving[] = [];
  after("stop all", async () => {
    await Promise.all(processes.map((each: FleetProcess) => each.kill()));
    await receiver.stop();
  });
  const serve = () => startServing(database.config(), "serve-webhooks.ts");

  before("start a receiver and two processes", async () => {
    await receiver.start();
    process.env[RECEIVER] = receiver.url;
    // One after the other: the first makes the tables.
    processes.push(await serve());
    processes.push(await serve());
  });

  /** Writes for some seconds at the rate. */
  const writeFor = async (seconds: number): Promise<Written> => {
    const known = receiver.accepted.length;
    const writes = new Map<string, number>();
    const start = performance.now();
    await Promise.all(
      Array.from({ length: RATE * seconds }, async (_, n) => {
        await sleep((n / RATE) * 1_000);
        const { documentId } = await post(processes[n % 2] as Serving, String(n));
        writes.set(documentId, performance.now());
      }),
    );
    const took = performance.now() - start;
    while (receiver.accepted.length < known + RATE * seconds) await sleep(20);
    const accepted = receiver.accepted.slice(known);
    const times = accepted.map(({ documentId, at }) => Math.max(0, at - (writes.get(documentId) ?? 0)));
    return { times: times.sort((a, b) => a - b), took };
  };

  it("events are on their way within a moment", async () => {
    // What processes do for the first time takes longer.
    await writeFor(WARM_UP);
    const { times, took } = await writeFor(SECONDS);
    const rate = (1_000 * times.length) / took;
    const part = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(0);
    console.log(
      `      [fleet] webhooks: from the answer to a write to its delivery p50 ${part(0.5)} ms, p99 ${part(0.99)} ms, at ${rate.toFixed(0)} writes/s`,
    );
    // A process that is slow to write is slow to deliver, and one that was not woken looks for events.
    expect(medianOf(times)).to.be.below(took + POLL);
  });
});

async function post({ url }: Serving, text: string): Promise<{ readonly documentId: string }> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/api/notes`, {
    method: "POST",
    headers,
    body: JSON.stringify({ data: { text } }),
  });
  return ((await response.json()) as { data: { documentId: string } }).data;
}
