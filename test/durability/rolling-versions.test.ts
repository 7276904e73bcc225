import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { createPlinth, type PlinthApp } from "@plinth/core";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { expect } from "chai";
import pg from "pg";
import { serverDatabase } from "../databases.js";

const HEADERS = { "content-type": "application/json", authorization: "Bearer a-token-of-the-test" };
/** How long the reader stays, in milliseconds. */
const READER = 14_000;
/** How much longer a request may take while the tables change, in milliseconds. */
const BEARABLE = 250;
/** What one pause of a shared machine may add. */
const NOISE = 150;

/** A version of the app: the new one has a column and an index more. */
function version(database: object, attributes: object): PlinthApp {
  const article = {
    kind: "collectionType" as const,
    info: { singularName: "article", pluralName: "articles", displayName: "Article" },
    options: { draftAndPublish: true },
    attributes: attributes as never,
  };
  return createPlinth({
    root: import.meta.dirname,
    plugins: [contentApiPlugin],
    app: { contentTypes: { "api::article.article": article } },
    config: {
      server: { port: 0, host: "127.0.0.1" },
      log: { level: "silent" },
      access: { tokens: { "a-token-of-the-test": "all" } },
      schema: { sync: "additive" },
      database,
    },
  });
}

const OLD = { title: { type: "string" } };
const NEW = { ...OLD, rank: { type: "integer", index: true } };

describe("a new version that starts under a reader of 14 s", () => {
  const database = serverDatabase();
  if (!database) return;
  const running: PlinthApp[] = [];
  after(() => Promise.all(running.map((app) => app.stop())));

  const start = async (attributes: object): Promise<string> => {
    const app = version(database.config(), attributes);
    running.push(app);
    return (await app.start()) ?? "";
  };
  const ask = async (url: string, method: string, path: string, data?: object) => {
    const body = data ? { body: JSON.stringify({ data }) } : {};
    const response = await fetch(`${url}/api/articles${path}`, { method, headers: HEADERS, ...body });
    const text = await response.text();
    expect(response.status, text).to.be.below(300);
    return (JSON.parse(text) as { data: Record<string, unknown> & { documentId: string } }).data;
  };

  it("delays no request, publishes nothing by half, and the old one starts again", async () => {
    const old = await start(OLD);
    const { documentId } = await ask(old, "POST", "?status=published", { title: "first" });
    const reader = new pg.Client({ connectionString: (database.config() as { connection: string }).connection });
    await reader.connect();
    await reader.query("begin isolation level repeatable read");
    await reader.query("select * from articles");
    const ended = sleep(READER).then(async () => {
      await reader.query("commit");
      await reader.end();
    });
    // The new version starts in this process, so its own work keeps the old one waiting as well: that is no lock.
    const turns = monitorEventLoopDelay({ resolution: 5 });
    turns.enable();
    const starting = start(NEW);
    const times: number[] = [];
    const until = performance.now() + READER;
    while (performance.now() < until) {
      for (const method of ["GET", "PUT"]) {
        const since = performance.now();
        if (method === "GET") await ask(old, "GET", `/${documentId}`);
        else await ask(old, "PUT", `/${documentId}?status=published`, { title: `at ${Math.round(since)}` });
        times.push(performance.now() - since);
      }
      await sleep(20);
    }
    const next = await starting;
    await ended;
    const usual = [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
    const longest = Math.max(...times);
    turns.disable();
    const busy = turns.max / 1e6;

    let half = 0;
    for (let turn = 0; turn < 50; turn += 1) {
      const made = await ask(next, "POST", "?status=draft", { title: `t ${turn}`, rank: turn });
      await ask(old, "PUT", `/${made.documentId}?status=published`, { title: `u ${turn}` });
      const found = await ask(next, "GET", `/${made.documentId}?status=published`);
      if (found["rank"] !== turn) half += 1;
    }
    await running[0]?.stop();
    const again = await start(OLD);
    await ask(again, "GET", `/${documentId}`);
    console.log(
      `[fleet] schema under a reader: ${times.length} requests, median ${usual.toFixed(1)} ms, longest ${longest.toFixed(0)} ms (the longest turn of the process ${busy.toFixed(0)} ms); half published ${half} of 50; the old version starts again`,
    );
    expect(longest - usual - busy).to.be.below(BEARABLE + NOISE);
    expect(half).to.equal(0);
  });
});
