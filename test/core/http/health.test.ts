import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { type Finding, Health, type HealthCheck } from "#core/http/health.js";
import { openRoute, startServer, stopServers } from "./start-server.js";

const ready = async (request: (path: string, init?: RequestInit) => Promise<Response>) => {
  const response = await request("/health/ready");
  return [response.status, await response.json()];
};

/** A check that finds what it is told, and health that has it. */
function watched(options: Pick<HealthCheck, "isVital" | "patience" | "interval"> = {}) {
  const health = new Health();
  const found = { now: (): Finding | Promise<Finding> => ({ status: "ok" }) };
  health.add({ name: "thing", ...options, run: () => found.now() });
  health.begin();
  after(() => health.drain());
  return { health, found };
}

describe("health", () => {
  afterEach(stopServers);

  it("is answered before any middleware, without credentials, and leaves no line in the log", async () => {
    const { request, log } = await startServer({
      globals: ["plinth::logger", () => expect.fail("a middleware ran"), "plinth::router"],
    });
    for (const path of ["/health/live", "/health/ready", "/health/ready?x=1"])
      for (const method of ["GET", "HEAD"]) {
        const response = await request(path, { method, headers: { authorization: "Bearer nobody" } });
        expect([path, response.status]).to.deep.equal([path, 200]);
        expect(response.headers.get("cache-control")).to.equal("no-store");
      }
    expect(await (await request("/health/live")).json()).to.deep.equal({ status: "live" });
    for (const method of ["GET", "HEAD"]) expect((await request("/_health?x=1", { method })).status).to.equal(204);
    expect(log).to.deep.equal([]);
  });

  it("of a process that stops is 503 for the balancer, and the process lives", async () => {
    const slow = openRoute("GET", "/slow", () => wait(300).then(() => "done"));
    const { server, request } = await startServer({ routes: [slow], config: { drainDelay: 1_500 } });
    expect(await ready(request)).to.deep.equal([200, { status: "ready" }]);
    const closed = server.close();
    const refused = await request("/health/ready");
    expect(await refused.json()).to.deep.equal({ status: "draining" });
    expect([refused.status, refused.headers.get("connection"), refused.headers.get("retry-after")]).to.deep.equal([
      503,
      "close",
      "1",
    ]);
    expect((await request("/_health")).status).to.equal(204);
    expect((await request("/health/live")).status).to.equal(200);
    expect(await (await request("/api/slow")).text()).to.equal("done");
    await closed;
  });

  it("goes on to accept for drainDelay when nobody is connected: the balancer has not noticed yet", async () => {
    const { server, request } = await startServer({ config: { drainDelay: 1_500 } });
    const closed = server.close();
    await wait(200);
    expect((await request("/_health", { headers: { connection: "close" } })).status).to.equal(204);
    await closed;
  });

  it("is starting until it begins, and then as good as its checks", async () => {
    const health = new Health();
    expect(health.report()).to.deep.equal({ status: "starting", checks: {} });
    const remove = health.add({ name: "thing", run: () => ({ status: "degraded", lag: 7 }) });
    health.begin();
    await wait(0);
    expect(health.report()).to.deep.equal({ status: "degraded", checks: { thing: { status: "degraded", lag: 7 } } });
    remove();
    expect(health.report()).to.deep.equal({ status: "ready", checks: {} });
    health.drain();
    expect(health.report().status).to.equal("draining");
  });

  it("is degraded by what fails, and down or overloaded once that has lasted", async () => {
    const { health, found } = watched({ patience: 1_500 });
    for (const status of ["down", "overloaded"] as const) {
      found.now = () => ({ status });
      await wait(1_100);
      expect(health.report().status).to.equal("degraded");
      await wait(2_000);
      expect(health.report().status).to.equal(status);
      found.now = () => ({ status: "ok" });
      await wait(1_100);
      expect(health.report().status).to.equal("ready");
    }
  });

  it("takes a check that throws, or has no answer within a second, as one that failed", async () => {
    const [vital, other] = [watched({ isVital: true }), watched()];
    for (const { found } of [vital, other])
      found.now = () => {
        throw new Error("no luck");
      };
    await wait(1_100);
    expect(vital.health.report().checks).to.deep.equal({ thing: { status: "down", reason: "no luck" } });
    expect(other.health.report().checks).to.deep.equal({ thing: { status: "degraded", reason: "no luck" } });
    let runs = 0;
    vital.found.now = () => {
      runs += 1;
      return new Promise(() => undefined);
    };
    await wait(2_200);
    expect(vital.health.report().checks["thing"]).to.include({ status: "down", reason: "it does not answer" });
    expect(runs, "a check does not run twice at once").to.equal(1);
  });

  it("runs a check no more often than its interval says, and waits for its answer until then", async () => {
    const { health, found } = watched({ interval: 3_000 });
    let runs = 0;
    let answer: (finding: Finding) => void = () => undefined;
    found.now = () => {
      runs += 1;
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    const statusAfter = async (milliseconds: number) => {
      await wait(milliseconds);
      return [runs, health.report().checks["thing"]?.status];
    };
    expect(await statusAfter(1_500)).to.deep.equal([0, "ok"]);
    expect(await statusAfter(2_500), "it has not answered yet").to.deep.equal([1, "ok"]);
    answer({ status: "degraded" });
    expect(await statusAfter(0)).to.deep.equal([1, "degraded"]);
    expect(await statusAfter(3_000)).to.deep.equal([2, "degraded"]);
    expect((await statusAfter(3_000))[0], "the second one never answers").to.equal(2);
    expect(health.report().checks["thing"]).to.include({ reason: "it does not answer" });
  });
});

describe("the limits of a server", () => {
  afterEach(stopServers);

  it("keep an idle connection for longer than a proxy does, and whatever headersTimeout is", async () => {
    const { request } = await startServer({ config: { headersTimeout: 1_000 } });
    const first = await request("/_health");
    expect(first.headers.get("keep-alive")).to.equal("timeout=65");
  });

  it("refuse connections beyond maxConnections, and say so in the log", async () => {
    const slow = openRoute("GET", "/slow", () => wait(900).then(() => "done"));
    const { request, log } = await startServer({ routes: [slow], config: { maxConnections: 2 } });
    const asked = await Promise.allSettled(Array.from({ length: 5 }, () => request("/api/slow")));
    expect(asked.filter(({ status }) => status === "fulfilled")).to.have.length(2);
    const told = () =>
      log
        .filter(({ msg }) => msg.includes("server.maxConnections"))
        .reduce((sum, { connections }) => sum + Number(connections), 0);
    while (told() < 3) await wait(20);
    expect(told()).to.equal(3);
  });
});
