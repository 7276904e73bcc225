import { setTimeout as sleep } from "node:timers/promises";
import { createPlinth, type PlinthApp } from "@plinth/core";
import { expect } from "chai";
import { loadFleet } from "../durability/fleet.js";
import { type PostgresCluster, type PostgresNode, startCluster } from "../postgres-cluster.js";

/** Milliseconds in which the server answers nothing. */
const STOPPED = 20_000;

/** An answer to a request that was sent while the server was stopped, or after. */
interface Answered {
  readonly status: number;
  readonly sent: number;
  readonly ended: number;
}

describe("a server of PostgreSQL that answers nothing any more", function () {
  this.timeout(120_000);
  let cluster: PostgresCluster;
  let node: PostgresNode;
  let plinth: PlinthApp;
  let url: string;

  before(async () => {
    cluster = await startCluster(0);
    node = cluster.nodes[0] as PostgresNode;
    const setup = await loadFleet({ client: "postgres", connection: cluster.url() });
    const server = { host: "127.0.0.1", port: 0, closeTimeout: 1_000 };
    plinth = createPlinth({ ...setup, config: { ...setup.config, server } });
    url = (await plinth.start()) ?? "";
  });
  after(async () => {
    node.thaw();
    await plinth.stop();
    await cluster.close();
  });

  async function ask(method: "GET" | "POST"): Promise<Answered> {
    const sent = performance.now();
    const body = method === "POST" ? { body: JSON.stringify({ data: { plate: `B ${sent}` } }) } : {};
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${url}/api/cars`, { method, headers, ...body });
    const text = await response.text();
    if (response.status === 503) {
      expect(text)
        .to.not.include(String(node.port))
        .and.to.not.match(/127\.0\.0\.1|answer any|does not answer/);
      expect(Number(response.headers.get("retry-after"))).to.be.within(1, 3);
    }
    return { status: response.status, sent, ended: performance.now() };
  }

  it("has every request answered in time, is alive meanwhile, and serves soon after", async () => {
    await Promise.all(Array.from({ length: 8 }, () => ask("POST")));
    node.freeze();
    const asked: Promise<Answered>[] = [];
    const start = performance.now();
    while (performance.now() - start < STOPPED) {
      asked.push(ask("GET"), ask("POST"));
      expect((await fetch(`${url}/_health`)).status).to.equal(204);
      await sleep(250);
    }
    node.thaw();
    const back = performance.now();
    while (performance.now() - back < 4_000) {
      asked.push(ask("GET"), ask("POST"));
      await sleep(50);
    }
    const answers = await Promise.all(asked);
    const slowest = Math.max(...answers.map(({ sent, ended }) => ended - sent));
    const isGood = ({ status }: Answered) => status === 200 || status === 201;
    const failed = answers.filter((answer) => !isGood(answer));
    const normal = Math.max(0, ...failed.map(({ ended }) => ended - back));
    const count = failed.filter(({ status }) => status === 503).length;
    console.log(
      `[fleet] server stopped that answers nothing: ${answers.length} answered, slowest ${(slowest / 1000).toFixed(1)} s, ` +
        `${count} of ${failed.length} failures are 503; last of them ${(normal / 1000).toFixed(1)} s after it went on`,
    );
    expect(slowest).to.be.lessThan(35_000);
    expect(normal).to.be.lessThan(2_000);
    expect(count).to.equal(failed.length);
  });

  it("does not keep the process from ending", async () => {
    node.freeze();
    const hanging = Promise.allSettled([ask("GET"), ask("POST"), ask("GET")]);
    await sleep(300);
    const start = performance.now();
    await plinth.stop();
    const stopped = performance.now() - start;
    await hanging;
    console.log(`[fleet] stop while the server answers nothing: ${(stopped / 1000).toFixed(1)} s`);
    expect(stopped).to.be.lessThan(6_000);
  });
});
