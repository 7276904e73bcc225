import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type AppSetup, createPlinth, type DatabaseConfig, definePlugin, type PlinthApp } from "@plinth/core";
import { expect } from "chai";
import { eachDatabase } from "../../databases.js";
import { loadFleet } from "../../durability/fleet.js";
import { breakableWay } from "../database/driver/broken-network.js";

interface Ready {
  readonly status: string;
  readonly checks?: Readonly<Record<string, { readonly status: string }>>;
}

const statusOf = async (url: string) => (await fetch(`${url}/health/ready`)).status;
const readyOf = async (url: string) => (await (await fetch(`${url}/health/ready`)).json()) as Ready;

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Milliseconds until a condition holds. */
async function timeUntil(holds: () => Promise<boolean>): Promise<number> {
  const since = performance.now();
  while (!(await holds())) await sleep(50);
  return performance.now() - since;
}

eachDatabase((database) => {
  describe(`The health of an app, on ${database.kind}`, () => {
    let plinth: PlinthApp;
    const start = async (server: object, change: (setup: AppSetup) => AppSetup = (setup) => setup) => {
      const setup = await loadFleet(database.config());
      const config = { ...setup.config, server: { host: "127.0.0.1", port: 0, ...server } };
      plinth = createPlinth(change({ ...setup, config }));
      return { url: (await plinth.start()) ?? "", management: plinth.management() ?? "" };
    };
    afterEach(() => plinth.stop());

    it("is shown with its checks on the management port only, and any part adds its own", async () => {
      const { url, management } = await start({ management: 0 });
      plinth.app.health.add({ name: "disk", run: () => ({ status: "degraded", free: 6_000 }) });
      await timeUntil(async () => (await readyOf(management)).checks?.["disk"]?.status === "degraded");
      const { checks = {} } = await readyOf(management);
      expect(Object.keys(checks)).to.include.members(["database", "session", "listener", "clock", "schema", "disk"]);
      expect(checks["disk"]).to.deep.equal({ status: "degraded", free: 6_000 });
      expect([checks["clock"]?.status, checks["schema"]?.status]).to.deep.equal(["ok", "ok"]);
      expect(await readyOf(url)).to.deep.equal({ status: "degraded" });
      expect((await fetch(`${management}/api/cars`)).status).to.equal(404);
    });

    it("stands beside what plugins say there, which one process combines alone", async () => {
      const counter = definePlugin({
        name: "counter",
        management: {
          count: {
            path: "/count",
            read: () => "7",
            combine: (living, ended) => ({ type: "text/plain", body: `${living.join("+")} ${ended}` }),
          },
          broken: { path: "/broken", read: () => expect.fail("no luck"), combine: () => expect.fail("not reached") },
        },
      });
      const { url, management } = await start({ management: 0 }, (setup) => ({
        ...setup,
        plugins: [...setup.plugins, counter],
      }));
      const answer = await fetch(`${management}/count?x=1`);
      expect([answer.status, answer.headers.get("content-type")]).to.deep.equal([200, "text/plain"]);
      expect(await answer.text()).to.equal("7 undefined");
      expect(await plinth.app.management.ask("/count")).to.deep.equal({ type: "text/plain", body: "7 undefined" });
      expect(await plinth.app.management.ask("/other")).to.equal(undefined);
      expect((await fetch(`${management}/broken`)).status).to.equal(500);
      expect((await fetch(`${management}/count`, { method: "POST" })).status).to.equal(404);
      expect((await fetch(`${url}/count`)).status).to.equal(404);
    });

    it("sends no statement of its own when it is asked", async () => {
      const { url } = await start({});
      await timeUntil(async () => (await readyOf(url)).status === "ready");
      // What the start still says and asks is over at some time.
      const statementsOf100 = async (): Promise<number> => {
        const before = plinth.app.db.statementCount;
        for (let asked = 0; asked < 100; asked++) expect(await statusOf(url)).to.equal(200);
        return plinth.app.db.statementCount - before;
      };
      while ((await statementsOf100()) > 0) await sleep(50);
    });

    it("is starting on the management port while the app starts, and draining until it has stopped", async () => {
      const port = await freePort();
      const management = `http://127.0.0.1:${port}`;
      const seen: string[] = [];
      const look = async () => void seen.push((await readyOf(management)).status);
      const { url } = await start({ management: port, drainDelay: 300 }, (setup) => ({
        ...setup,
        app: { ...setup.app, bootstrap: look, destroy: look },
      }));
      await timeUntil(async () => (await readyOf(management)).status === "ready");
      await look();
      const stopped = plinth.stop();
      expect(await readyOf(url)).to.deep.equal({ status: "draining" });
      await stopped;
      expect(seen).to.deep.equal(["starting", "ready", "draining"]);
      expect(await statusOf(management).catch(() => "closed")).to.equal("closed");
    });
  });

  if (database.kind !== "postgres") return;
  const { connection } = database.config() as { connection: string };

  describe("a process whose database is out of reach", () => {
    it("stays ready for five seconds, is down until it is back, and lives all the time", async () => {
      const network = await breakableWay(connection);
      const setup = await loadFleet({ client: "postgres", connection: network.url, statementTimeout: 1_000 });
      const plinth = createPlinth(setup);
      const url = (await plinth.start()) ?? "";
      try {
        network.freeze();
        const late = await timeUntil(async () => (await statusOf(url)) === 503);
        expect(late).to.be.greaterThan(5_000);
        expect(await readyOf(url)).to.deep.equal({ status: "down" });
        expect((await fetch(`${url}/health/live`)).status).to.equal(200);
        network.restore();
        const back = await timeUntil(async () => (await statusOf(url)) === 200);
        console.log(
          `[fleet] readiness: 503 after ${Math.round(late)} ms without a database, 200 ${Math.round(back)} ms after it is back`,
        );
      } finally {
        await plinth.stop();
        await network.close();
      }
    });
  });

  describe("a request that is cut off when the app stops", () => {
    it("has its statement cancelled", async () => {
      const setup = await loadFleet({ ...database.config(), statementTimeout: 0 } as DatabaseConfig);
      const server = { host: "127.0.0.1", port: 0, closeTimeout: 300 };
      const plinth = createPlinth({
        ...setup,
        config: { ...setup.config, server },
        app: {
          ...setup.app,
          routes: [
            {
              method: "GET",
              path: "/sleep",
              config: { auth: false },
              handler: async () => plinth.app.db.query({ text: "select pg_sleep(600) as cut_off", values: [] }),
            },
          ],
        },
      });
      const url = (await plinth.start()) ?? "";
      const watch = await database.connect();
      const running = async () => {
        const text = "select 1 from pg_stat_activity where query like 'select pg_sleep(600)%' and state = 'active'";
        return (await watch.query({ text, values: [] })).length;
      };
      const asked = fetch(`${url}/api/sleep`).catch((error: unknown) => error);
      await timeUntil(async () => (await running()) === 1);
      await plinth.stop();
      expect(await asked).to.be.instanceOf(Error);
      await timeUntil(async () => (await running()) === 0);
    });
  });
});
