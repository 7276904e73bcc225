import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { eventsPlugin } from "@plinth/plugin-events";
import { jobsPlugin } from "@plinth/plugin-jobs";
import { webhooksPlugin } from "@plinth/plugin-webhooks";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { delayReplay, eventually, NOTE, noteApp } from "../core/database/driver/note-app.js";
import { type PostgresCluster, startCluster } from "../postgres-cluster.js";

const EVENTS = 1_000;
/** Notes that are written at once. */
const AT_ONCE = 10;
const DELAY = "5s";
const SECRET = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;

/** Who gets webhooks, and asks the app each time for what it was told of. */
class AskingReceiver {
  /** By document: whether it was there. */
  readonly found = new Map<string, boolean>();
  readonly #server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray().catch(() => [])).toString();
    const { documentId } = (JSON.parse(text) as { readonly data: { readonly documentId: string } }).data;
    // As everybody reads, without a position: a replica answers, if one may at the moment.
    while (!this.hasReplica()) await sleep(10);
    const { status } = await fetch(`${this.app}/api/notes/${documentId}`);
    if (!this.found.has(documentId)) this.found.set(documentId, status === 200);
    response.end();
  });
  app = "";
  /** Whether a replica may answer now. */
  hasReplica: () => boolean = () => true;

  async start(): Promise<string> {
    await new Promise<void>((listening) => this.#server.listen(0, "127.0.0.1", listening));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe("a receiver of webhooks beside a replica that is five seconds behind", () => {
  const receiver = new AskingReceiver();
  let cluster: PostgresCluster;
  let test: TestApp;
  before("start a primary and a standby", async () => {
    const url = await receiver.start();
    cluster = await startCluster(1, { synchronous_commit: "on" });
    const [primary, standby] = cluster.nodes;
    const replicas = { at: [standby!.url()], maxLag: 60_000 };
    const plugins = [contentApiPlugin, jobsPlugin, eventsPlugin, webhooksPlugin];
    const { config, ...options } = noteApp(primary!.url(), replicas, plugins);
    const endpoint = { url, events: ["entry.create"], secrets: [SECRET], content: false };
    test = await createTestApp({
      ...{ ...options, config: { ...config, webhooks: { receiver: endpoint } } },
      pluginConfigs: { webhooks: { http: true, allow: ["127.0.0.1"], sendTo: undefined } },
    });
    receiver.app = test.url;
    receiver.hasReplica = () => (test.app.db.replicas?.usable ?? 0) > 0;
    // With the tables: what a replica fails to answer is asked of the primary.
    await cluster.caughtUp();
    await delayReplay(standby!, DELAY);
  });
  after("stop them", async () => {
    await test?.stop();
    receiver.stop();
    await cluster?.close();
  });

  const onReplica = () => test.app.db.replicas?.pools[0]?.statementCount ?? 0;
  const isShown = async (documentId: string) => (await test.public.get(`/api/notes/${documentId}`)).status === 200;

  it(`reads what it is told of, ${EVENTS} of ${EVENTS}`, async () => {
    await eventually(async () => {
      const before = onReplica();
      await test.public.get("/api/notes");
      expect(onReplica()).to.be.greaterThan(before);
    });
    const [, standby] = cluster.nodes;
    const before = onReplica();
    let unseen = 0;
    // The first is not there as long as nobody says that it may be, and so nobody is told of it.
    await standby!.ask("select pg_wal_replay_pause()");
    const first = await test.app.documents(NOTE).create({ data: { title: "first" } });
    if (!(await isShown(first.documentId))) unseen += 1;
    expect(receiver.found.size).to.equal(0);
    await standby!.ask("select pg_wal_replay_resume()");
    for (let count = 1; count < EVENTS; count += AT_ONCE)
      await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, EVENTS - count) }, async (_, n) => {
          const { documentId } = await test.app.documents(NOTE).create({ data: { title: `${count + n}` } });
          // What a receiver would see that is told at once.
          if (n === 0 && !(await isShown(documentId))) unseen += 1;
        }),
      );
    while (receiver.found.size < EVENTS) await sleep(50);
    const seen = [...receiver.found.values()].filter(Boolean).length;
    console.log(
      `[fleet] webhook receiver reads its own event: ${seen} of ${EVENTS}, the replica ${DELAY} behind answered ${onReplica() - before} reads; told at once, ${unseen} of ${1 + EVENTS / AT_ONCE} would not`,
    );
    expect(seen).to.equal(EVENTS);
    // Else it would be no wonder.
    expect(unseen).to.be.greaterThan(0);
    expect(onReplica() - before).to.be.greaterThan(EVENTS / 2);
  });
});
