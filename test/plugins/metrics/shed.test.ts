import { setTimeout as sleep } from "node:timers/promises";
import { createPlinth, type DatabaseConfig, type PlinthApp, type Route } from "@plinth/core";
import { metricsPlugin } from "@plinth/plugin-metrics";
import { expect } from "chai";
import { eventually } from "../../core/database/driver/note-app.js";
import { serverDatabase } from "../../databases.js";
import { loadFleet } from "../../durability/fleet.js";
import { readMetrics } from "./read-metrics.js";
import { LONGEST_WAIT } from "../../longest-wait.js";

const TOKEN = "a-token-of-the-test-of-refusals";
const HELD = 2;
/** More than a late process works on without refusing others. */
const MANY = 40;
/** Microseconds of processor. */
const OF_A_TURN = 300_000;

const database = serverDatabase();
if (database)
  describe("metrics of a process that refuses requests", () => {
    let plinth: PlinthApp;
    let url: string;
    const held: (() => void)[] = [];
    const start = async (limits: object) => {
      const setup = await loadFleet({ ...database.config(), pool: { max: 1 } } as DatabaseConfig);
      const config = { auth: false } as const;
      const statement = { text: "select pg_sleep(0.3)::text as slept", values: [] };
      const routes: readonly Route[] = [
        { method: "GET", path: "/held", config, handler: () => new Promise((done) => held.push(() => done({}))) },
        { method: "GET", path: "/heavy", config, handler: () => plinth.app.db.query(statement) },
      ];
      const server = { host: "127.0.0.1", port: 0, management: 0, limits };
      plinth = createPlinth({
        ...setup,
        plugins: [...setup.plugins, metricsPlugin],
        pluginConfigs: { ...setup.pluginConfigs, metrics: { token: TOKEN } },
        config: { ...setup.config, server },
        app: { ...setup.app, routes },
      });
      url = (await plinth.start()) ?? "";
    };
    afterEach("stop it", async () => {
      for (const release of held.splice(0)) release();
      await plinth.stop();
    });

    const ask = (path: string, headers: Readonly<Record<string, string>> = {}) => fetch(url + path, { headers });
    const withToken = () => ask("/metrics", { authorization: `Bearer ${TOKEN}` });
    const refusedOf = async (answer: Response) => {
      expect(answer.status).to.equal(200);
      const { value } = readMetrics(await answer.text());
      return (["concurrent", "queue", "loop"] as const).map((reason) => value("plinth_http_shed_total", { reason }));
    };
    const refused = async () => refusedOf(await fetch(`${plinth.management()}/metrics`));

    it("count those for whom there is no place, and are refused to nobody, as health is", async () => {
      await start({ maxConcurrent: HELD, maxWaiting: 0, shed: false });
      expect(await refused()).to.deep.equal([0, 0, 0]);
      const first = Array.from({ length: HELD }, () => ask("/api/held"));
      await eventually(async () => expect(held.length).to.equal(HELD));
      for (const path of ["/api/cars", "/nowhere", "/metrics/more"]) expect((await ask(path)).status).to.equal(503);
      expect(await refused()).to.deep.equal([3, 0, 0]);
      expect(await refusedOf(await withToken())).to.deep.equal([3, 0, 0]);
      expect((await ask("/metrics?x=1")).status, "without a token").to.equal(401);
      expect((await fetch(`${url}/metrics`, { method: "POST" })).status).to.equal(503);
      for (const path of ["/health/live", "/health/ready", "/_health"])
        expect((await ask(path)).ok, path).to.equal(true);
      for (const release of held.splice(0)) release();
      for (const answer of await Promise.all(first)) expect(answer.status).to.equal(200);
    });

    it("count those whom the database has no room for", async () => {
      await start({ shed: true });
      const end = performance.now() + LONGEST_WAIT;
      let queue = 0;
      const statuses: number[] = [];
      while (queue === 0 && performance.now() < end) {
        const burst = Array.from({ length: 20 }, () => ask("/api/heavy"));
        await sleep(700);
        const late = Array.from({ length: 20 }, () => ask("/api/heavy"));
        const [, counted = 0] = await refusedOf(await withToken());
        statuses.push(...(await Promise.all([...burst, ...late])).map(({ status }) => status));
        queue = counted;
      }
      expect(queue).to.be.within(1, statuses.filter((status) => status === 503).length);
      expect((await ask("/health/live")).status).to.equal(200);
    });

    it("count those who come while the event loop is late", async () => {
      await start({ maxConcurrent: 100, shed: true });
      const first = Array.from({ length: MANY }, () => ask("/api/held"));
      await eventually(async () => expect(held.length).to.equal(MANY));
      await sleep(1_200);
      for (let turn = 0; turn < 5; turn += 1) {
        for (const start = process.cpuUsage(); process.cpuUsage(start).user < OF_A_TURN; );
        await sleep(1);
      }
      const [refusal, metrics, live] = await Promise.all([ask("/api/cars"), withToken(), ask("/health/live")]);
      expect([refusal.status, metrics.status, live.status]).to.deep.equal([503, 200, 200]);
      expect(await refused()).to.deep.equal([0, 0, 1]);
      for (const release of held.splice(0)) release();
      for (const answer of await Promise.all(first)) expect(answer.status).to.equal(200);
    });
  });
