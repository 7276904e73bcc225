import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import type { Database } from "../../../core/src/database/driver/database.js";
import { serverDatabase, type TestDatabase } from "../../databases.js";
import { ON_BUILT } from "../../projects.js";

const SERVER = fileURLToPath(new URL("./serve-events.ts", import.meta.url));
const PROCESSES = 2;
const WRITERS = 4;
const KILLS = 6;

interface Serving {
  readonly url: string;
  kill(): Promise<void>;
  end(): Promise<void>;
}

async function serve(database: TestDatabase): Promise<Serving> {
  const child: ChildProcess = fork(SERVER, [JSON.stringify(database.config())], { execArgv: ON_BUILT });
  const gone = once(child, "exit");
  const [said] = (await once(child, "message")) as [{ readonly url?: string; readonly failed?: string }];
  if (said.url === undefined) throw new Error(`the app did not start: ${said.failed}`);
  const after = (end: () => void) => async () => {
    end();
    await gone;
  };
  return {
    url: said.url,
    kill: after(() => child.kill("SIGKILL")),
    end: after(() => child.connected && child.disconnect()),
  };
}

/** Sends a write; undefined where the process was killed before it answered. */
async function write(url: string, path: string, method: string, n: number): Promise<string | undefined> {
  const init = { method, headers: { "content-type": "application/json" }, body: JSON.stringify({ data: { n } }) };
  try {
    const response = await fetch(`${url}/api/notes${path}`, init);
    const { data } = (await response.json()) as { readonly data?: { readonly documentId: string } };
    return response.ok ? data?.documentId : undefined;
  } catch {
    return undefined;
  }
}

describe("events of processes that are killed", function () {
  this.timeout(240_000);
  const server = serverDatabase();
  if (!server) return;
  const all: Serving[] = [];
  let db: Database;
  before("start processes", async () => {
    db = await server.connect();
    await db.query({ text: "create table handled (place bigserial primary key, event bigint not null)", values: [] });
    for (let n = 0; n < PROCESSES; n += 1) all.push(await serve(server));
  });
  after("end them", () => Promise.all(all.map((process) => process.end())));

  it("are all handled, those of each document in order, whichever process dies", async () => {
    const acknowledged = new Map<string, number>();
    let isOver = false;
    const writer = async (index: number) => {
      for (let n = 1; !isOver; n += 1) {
        const { url } = all[(index + n) % PROCESSES] as Serving;
        const known = [...acknowledged.keys()].at(index);
        const isNew = known === undefined || n % 5 === 0;
        const documentId = await write(url, isNew ? "" : `/${known}`, isNew ? "POST" : "PUT", n);
        if (documentId !== undefined) acknowledged.set(documentId, (acknowledged.get(documentId) ?? 0) + 1);
        else await sleep(20);
      }
    };
    const writers = Promise.all(Array.from({ length: WRITERS }, (_, index) => writer(index)));
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(300 + Math.random() * 400);
      const at = kill % PROCESSES;
      await all[at]?.kill();
      all[at] = await serve(server);
    }
    isOver = true;
    await writers;
    const events = await db.query<{ id: string; document: string }>({
      text: "select e.id::text as id, document_id as document from plinth_events e where type like 'entry.%' order by e.id",
      values: [],
    });
    const handled = await allHandled(db, events.length);
    const total = [...acknowledged.values()].reduce((sum, count) => sum + count, 0);
    for (const [documentId, count] of acknowledged)
      expect(events.filter(({ document }) => document === documentId).length).to.be.at.least(count);
    // Some come twice; the first time they come in order.
    expect([...new Set(handled)]).to.deep.equal(events.map(({ id }) => id));
    const twice = handled.length - events.length;
    console.log(
      `      [fleet] events of killed processes: ${KILLS} kills, ${total} acknowledged writes, ${events.length} events, 0 missing, ${twice} twice`,
    );
    expect(total).to.be.greaterThan(KILLS * 10);
  });
});

/** What was handled, in its order, as soon as it is so many events. */
async function allHandled(db: Database, count: number): Promise<readonly string[]> {
  for (;;) {
    const text = "select event::text as event from handled order by place";
    const rows = await db.query<{ event: string }>({ text, values: [] });
    if (new Set(rows.map(({ event }) => event)).size >= count) return rows.map(({ event }) => event);
    await sleep(50);
  }
}
