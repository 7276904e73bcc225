import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@plinth/core";
import { expect } from "chai";
import { eventually } from "../core/database/driver/note-app.js";
import { serverDatabase } from "../databases.js";
import { FaultyReceiver, type Mood } from "./faulty-receiver.js";
import { type FleetProcess, startServing } from "./fleet-process.js";
import { RECEIVER } from "./webhook-fleet.js";

/** How many acknowledged writes: WEBHOOK_EVENTS for more. */
const EVENTS = Number(process.env["WEBHOOK_EVENTS"] ?? 300);
/** Writes a second while the time to delivery is measured: WEBHOOK_RATE for more. */
const RATE = Number(process.env["WEBHOOK_RATE"] ?? 40);
const SECONDS = 3;
const WRITERS = 4;
const DOCUMENTS = 5;
/** Milliseconds for each event on a busy machine. */
const EVENT_TIME = 200;

const MOODS: readonly Mood[] = ["down", "slow", "failing", "up"];

const CUT = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;

const EVENTS_OF = "select 'evt_' || id as id from plinth_events where type like 'entry.%'";

type Serving = Awaited<ReturnType<typeof startServing>>;

describe("webhooks while receivers and processes fail", function () {
  this.timeout(240_000 + EVENTS * EVENT_TIME);
  const database = serverDatabase();
  if (!database) return;
  const receiver = new FaultyReceiver();
  const processes: Serving[] = [];
  let db: Database;
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
    db = await database.connect();
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

  it("every event is delivered, in the order of its document", async () => {
    const writers = new Writers(() => processes);
    let faults = 0;
    while (writers.count < EVENTS) {
      await receiver.be(MOODS[faults % MOODS.length] ?? "up");
      await sleep(500 + Math.random() * 1_000);
      faults += 1;
      if (faults % 3 === 0) await db.query({ text: CUT, values: [] });
      else {
        await processes.shift()?.kill();
        processes.push(await serve());
      }
    }
    await writers.stop();
    await receiver.be("up");
    const written = async () => await db.query<{ id: string }>({ text: EVENTS_OF, values: [] });
    await eventually(
      async () => expect(missing(receiver, await written(), writers.acknowledged)).to.deep.equal([]),
      120_000,
    );
    const { disordered, again } = examine(receiver);
    const events = (await written()).length;
    console.log(
      `      [fleet] webhooks: ${faults * 2} faults (receiver down, slow, failing; process killed -9, connections cut), ${events} events of ${writers.count} acknowledged writes, 0 missing, ${disordered.length} out of order, ${again} delivered again`,
    );
    expect(disordered).to.deep.equal([]);
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

/** Acknowledged texts by document. */
type Acknowledged = ReadonlyMap<string, readonly number[]>;

/** What was written and has not arrived: events, and acknowledged writes that have none. */
function missing(
  { accepted }: FaultyReceiver,
  events: readonly { readonly id: string }[],
  acknowledged: Acknowledged,
): readonly string[] {
  const ids = new Set(accepted.map(({ id }) => id));
  const texts = new Set(accepted.map(({ documentId, text }) => `${documentId} ${text}`));
  const writes = [...acknowledged].flatMap(([documentId, numbers]) => numbers.map((n) => `${documentId} ${n}`));
  return [...events.map(({ id }) => id).filter((id) => !ids.has(id)), ...writes.filter((each) => !texts.has(each))];
}

/** Events that came for the first time after a later one of their document; ids have the order of commits there. */
function examine({ accepted }: FaultyReceiver): { readonly disordered: readonly string[]; readonly again: number } {
  const latest = new Map<string, number>();
  const seen = new Set<string>();
  const disordered: string[] = [];
  for (const { id, documentId } of accepted) {
    if (seen.has(id)) continue;
    seen.add(id);
    const number = Number(id.replace("evt_", ""));
    if (number < (latest.get(documentId) ?? 0)) disordered.push(id);
    latest.set(documentId, number);
  }
  return { disordered, again: accepted.length - seen.size };
}

/** Write to some documents each, one write after the other, and know which were acknowledged. */
class Writers {
  readonly acknowledged = new Map<string, number[]>();
  #isOver = false;
  readonly #running: Promise<unknown>;

  constructor(private readonly processes: () => readonly Serving[]) {
    this.#running = Promise.all(Array.from({ length: WRITERS }, () => this.#write()));
  }

  get count(): number {
    return [...this.acknowledged.values()].reduce((sum, { length }) => sum + length, 0);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #write(): Promise<void> {
    const ids: string[] = [];
    for (let n = 1; !this.#isOver; n += 1) {
      const id = ids[n % DOCUMENTS];
      const method = id === undefined ? "POST" : "PUT";
      const made = await this.#send(method, `/api/notes${id === undefined ? "" : `/${id}`}`, String(n));
      if (made === undefined) continue;
      if (id === undefined) ids[n % DOCUMENTS] = made;
      this.acknowledged.set(made, [...(this.acknowledged.get(made) ?? []), n]);
      await sleep(10);
    }
  }

  /** @returns the id of the document; undefined where the outcome is not known */
  async #send(method: string, path: string, text: string): Promise<string | undefined> {
    const all = this.processes();
    const one = all[Math.floor(Math.random() * all.length)];
    try {
      const response = await fetch(`${one?.url}${path}`, {
        ...{ method, headers: { "content-type": "application/json" }, body: JSON.stringify({ data: { text } }) },
        signal: AbortSignal.timeout(10_000),
      });
      const body = (await response.json()) as { data?: { documentId: string } };
      return response.ok ? body.data?.documentId : undefined;
    } catch {
      return undefined;
    }
  }
}
