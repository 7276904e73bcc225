import { setTimeout as sleep } from "node:timers/promises";
import { createPlinth, type PlinthApp } from "@plinth/core";
import { expect } from "chai";
import { loadFleet } from "../durability/fleet.js";
import { type PostgresCluster, type PostgresNode, startCluster } from "../postgres-cluster.js";
import { timeOf } from "../usual-time.js";

/** Reads and writes that have to be answered while the server is stopped, and after. */
const ROUNDS = 20;

/** An answer to a request. */
interface Answered {
  readonly status: number;
  readonly took: number;
}

const isGood = ({ status }: Answered) => status === 200 || status === 201;

describe("a server of PostgreSQL that answers nothing any more", () => {
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
    return { status: response.status, took: performance.now() - sent };
  }

  it("has every request answered in time, is alive meanwhile, and serves soon after", async () => {
    await Promise.all(Array.from({ length: 8 }, () => ask("POST")));
    node.freeze();
    const asked: Promise<Answered>[] = [];
    let failed: readonly Answered[] = [];
    // Nothing but a limit of the app ends them while the server is stopped; the first of them have its connections.
    while (failed.length === 0) {
      asked.push(ask("GET"), ask("POST"));
      if (asked.length === 2 * ROUNDS) void Promise.all(asked).then((answers) => (failed = answers));
      expect((await fetch(`${url}/_health`)).status).to.equal(204);
      await sleep(250);
    }
    const slowest = Math.max(...failed.map(({ took }) => took));
    node.thaw();
    const back = performance.now();
    let refused = 0;
    for (; !isGood(await ask("POST")); refused += 1) await sleep(50);
    const normal = performance.now() - back;
    // Those from before may end either way.
    const waited = await Promise.all(asked);
    const soon: Answered[] = [];
    for (let round = 0; round < ROUNDS; round += 1) soon.push(...(await Promise.all([ask("GET"), ask("POST")])));
    console.log(
      `[fleet] server stopped that answers nothing: ${failed.length} answered while it was, slowest ${(slowest / 1000).toFixed(1)} s; ` +
        `written again ${(normal / 1000).toFixed(1)} s after it went on, ${refused} were refused`,
    );
    expect(new Set(failed.map(({ status }) => status))).to.deep.equal(new Set([503]));
    expect(waited.filter((answer) => !isGood(answer) && answer.status !== 503)).to.deep.equal([]);
    expect(soon.filter((answer) => !isGood(answer))).to.deep.equal([]);
  });

  it("does not keep the process from ending", async () => {
    node.freeze();
    const hanging = Promise.allSettled([ask("GET"), ask("POST"), ask("GET")]);
    await sleep(300);
    const stopped = await timeOf(() => plinth.stop());
    console.log(`[fleet] stop while the server answers nothing: ${(stopped / 1000).toFixed(1)} s`);
    // Had it waited for their statements, they would have been answered.
    for (const { status } of await hanging) expect(status).to.equal("rejected");
  });
});
