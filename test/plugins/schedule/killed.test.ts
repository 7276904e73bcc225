import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createPlinth, type PlinthApp } from "@plinth/core";
import { releases, schedules } from "@plinth/plugin-schedule";
import { expect } from "chai";
import { serverDatabase } from "../../databases.js";
import { ON_BUILT } from "../../projects.js";
import { faultSetup, REFUSED } from "./fault-app.js";
import { ARTICLE, later } from "./newsroom-app.js";

const WORKER = fileURLToPath(new URL("./work-faults.ts", import.meta.url));
const RELEASES = 24;
const DOCUMENTS = 8;
const SCHEDULES = 72;
const KILLS = 12;
/** Every so many, a release has a document that is refused, or is run one by one. */
const BROKEN = 5;
const EACH = 7;

describe("schedules and releases while processes are killed", function () {
  this.timeout(300_000);
  const database = serverDatabase();
  if (!database) return;
  let plinth: PlinthApp;
  const workers: ChildProcess[] = [];
  before("start an app that only plans", async () => {
    plinth = createPlinth(faultSetup(database.config()));
    await plinth.start({ listen: false });
  });
  after("stop all", async () => {
    await Promise.all(workers.map((worker) => stop(worker)));
    await plinth.stop();
  });

  async function start(): Promise<ChildProcess> {
    const worker = fork(WORKER, [JSON.stringify(database?.config())], { execArgv: ON_BUILT });
    await Promise.race([
      once(worker, "message"),
      once(worker, "exit").then(([code]) => Promise.reject(new TypeError(`a worker ended: ${code}`))),
    ]);
    return worker;
  }

  let made = 0;
  const draft = async (isRefused = false) => {
    made += 1;
    const documentId = `${isRefused ? REFUSED : "fine"}${made}`;
    await plinth.app.documents(ARTICLE).create({ documentId, data: { title: `Article ${made}` } });
    return documentId;
  };

  const query = <Row extends object>(text: string) => plinth.app.db.query<Row>({ text, values: [] });

  /** Releases of which a part is published and another is not, in one snapshot. */
  const torn = () =>
    query<{ id: number }>(`select r.id from plinth_release r join plinth_release_action a on a.release = r.id
      left join plinth_publications p on p.document_id = a.document_id
      where r.transaction group by r.id having count(p.document_id) not in (0, count(*))`);

  /** Plans releases and schedules one after the other, for soon. @returns the documents that must not be published */
  async function plan(): Promise<readonly string[]> {
    const { app } = plinth;
    const refused: string[] = [];
    const soon = () => later({ app }, 1_500 + Math.random() * 2_500);
    for (let n = 0; n < RELEASES; n += 1) {
      const [isBroken, transaction] = [n % BROKEN === 1, n % EACH !== 0];
      const ids: string[] = [];
      for (let m = 0; m < DOCUMENTS; m += 1) ids.push(await draft(isBroken && m === 3));
      const actions = ids.map((documentId) => ({ type: ARTICLE, documentId, action: "publish" as const }));
      const { id } = await app.service(releases).create({ name: `${n}`, actions, transaction });
      await app.service(releases).schedule(id, soon());
      if (isBroken) refused.push(...(transaction ? ids : ids.slice(3, 4)));
      for (let m = 0; m < SCHEDULES / RELEASES; m += 1)
        await app.service(schedules).plan({ type: ARTICLE, documentId: await draft() }, { publishAt: soon() });
      await sleep(1_000);
    }
    return refused;
  }

  /** How many jobs run, once one does; 0 where none comes for a while. */
  async function busy(): Promise<number> {
    const text =
      "select count(*)::int as count from plinth_jobs where state = 'running' and name in ('schedule:run', 'schedule:release')";
    for (const end = performance.now() + 3_000; performance.now() < end; await sleep(5)) {
      const [row] = await query<{ count: number }>(text);
      if (row && row.count > 0) return row.count;
    }
    return 0;
  }

  /** Kills one process, the other, and both, while they work. @returns how often they did, and what was found torn */
  async function kill(): Promise<{ readonly hits: number; readonly tears: readonly unknown[] }> {
    const tears: unknown[] = [];
    let hits = 0;
    for (let n = 0; n < KILLS; n += 1) {
      hits += (await busy()) > 0 ? 1 : 0;
      await sleep(Math.random() * 100);
      const killed = n % 3 === 2 ? [0, 1] : [n % 2];
      await Promise.all(killed.map((index) => stop(workers[index] as ChildProcess, "SIGKILL")));
      tears.push(...(await torn()));
      await Promise.all(
        killed.map(async (index) => {
          workers[index] = await start();
        }),
      );
    }
    return { hits, tears };
  }

  it("happen whole or not at all, and once", async () => {
    workers.push(await start(), await start());
    const [refused, { hits, tears: seen }] = await Promise.all([plan(), kill()]);
    const tears = [...seen];
    const left = () =>
      query<{ left: number }>(`select (select count(*) from plinth_release where state in ('scheduled', 'running'))
        + (select count(*) from plinth_schedule where failed_at is null) as left`);
    for (const end = performance.now() + 150_000; performance.now() < end && Number((await left())[0]?.left) > 0; ) {
      tears.push(...(await torn()));
      await sleep(200);
    }
    expect(Number((await left())[0]?.left), "nothing is left").to.equal(0);
    expect(tears, "whole or not at all").to.deep.equal([]);
    const published = await query<{ id: string; times: number }>(
      "select document_id as id, count(*)::int as times from plinth_publications group by document_id",
    );
    expect(
      published.filter(({ times }) => times !== 1),
      "once",
    ).to.deep.equal([]);
    const ids = new Set(published.map(({ id }) => id));
    expect(
      refused.filter((id) => ids.has(id)),
      "of what was refused",
    ).to.deep.equal([]);
    expect(published.length).to.equal(made - refused.length);
    const [states] = await query<{ done: number; failed: number }>(
      "select count(*) filter (where state = 'done')::int as done, count(*) filter (where state = 'failed')::int as failed from plinth_release",
    );
    console.log(
      `      [fleet] releases: ${KILLS} kills of one or both processes, ${hits} while jobs ran; of ${RELEASES} releases with ${DOCUMENTS} documents ` +
        `${states?.done} done, ${states?.failed} refused, 0 in part; ${SCHEDULES} schedules; ${published.length} publications, 0 twice`,
    );
    expect(hits, "killed at work").to.be.at.least(3);
  });
});

async function stop(worker: ChildProcess, signal?: "SIGKILL"): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const gone = once(worker, "exit");
  if (signal) worker.kill(signal);
  else worker.disconnect();
  await gone;
}
