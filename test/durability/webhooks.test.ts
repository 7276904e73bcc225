import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { eventually } from "../core/database/driver/note-app.js";
import { serverDatabase } from "../databases.js";
import { FaultyReceiver } from "./faulty-receiver.js";
import { type FleetProcess, startServing } from "./fleet-process.js";
import { RECEIVER } from "./webhook-fleet.js";

/** Writes a second while the time to delivery is measured: WEBHOOK_RATE for more. */
const RATE = Number(process.env["WEBHOOK_RATE"] ?? 40);
const SECONDS = 3;

type Serving = Awaited<ReturnType<typeof startServing>>;

describe("webhooks of two processes", function () {
  this.timeout(240_000);
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

  it("events are on their way within a moment", async () => {
    const writes = new Map<string, number>();
    const start = performance.now();
    await Promise.all(
      Array.from({ length: RATE * SECONDS }, async (_, n) => {
        await sleep((n / RATE) * 1_000);
        const { documentId } = await post(processes[n % 2] as Serving, String(n));
        writes.set(documentId, performance.now());
      }),
    );
    const took = performance.now() - start;
    await eventually(async () => expect(receiver.accepted).to.have.length(RATE * SECONDS), 60_000);
    const times = receiver.accepted
      .map(({ documentId, at }) => Math.max(0, at - (writes.get(documentId) ?? 0)))
      .sort((a, b) => a - b);
    const part = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(0);
    console.log(
      `      [fleet] webhooks: from the answer to a write to its delivery p50 ${part(0.5)} ms, p99 ${part(0.99)} ms, at ${((1_000 * RATE * SECONDS) / took).toFixed(0)} writes/s`,
    );
    expect(Number(part(0.5))).to.be.below(5_000);
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
