import { type AppSetup, createPlinth, type PlinthApp } from "@plinth/core";
import { channels } from "@plinth/core/telemetry";
import { apiTokensPlugin, apiTokens } from "@plinth/plugin-api-tokens";
import { metricsPlugin } from "@plinth/plugin-metrics";
import { expect } from "chai";
import { eventually } from "../../core/database/driver/note-app.js";
import { loadFleet, send } from "../../durability/fleet.js";
import { eitherDatabase } from "../../databases.js";
import { readMetrics } from "./read-metrics.js";

/** As long as a secret has to be. */
const TOKENS = ["a-token-of-the-metrics-test", "another-that-is-believed-too"];
const SECRET = "a secret of the metrics test";
const SECRETS = { salt: [SECRET], adminSecret: [SECRET] };

describe("metrics of an app", () => {
  eitherDatabase(import.meta.url, (database) => {
    let plinth: PlinthApp;
    let url: string;
    let management: string;
    const start = async (metrics: object = {}, more: AppSetup["plugins"] = []) => {
      const setup = await loadFleet(database.config());
      plinth = createPlinth({
        ...setup,
        plugins: [...setup.plugins, ...more, metricsPlugin],
        pluginConfigs: { ...setup.pluginConfigs, metrics, ...(more?.length ? { "api-tokens": SECRETS } : {}) },
        config: { ...setup.config, server: { host: "127.0.0.1", port: 0, management: 0 } },
      });
      url = (await plinth.start()) ?? "";
      management = plinth.management() ?? "";
    };
    const scrape = async () => readMetrics(await (await fetch(`${management}/metrics`)).text());
    afterEach("stop it", () => plinth.stop());

    it("count each request by API, operation and status, and time it", async () => {
      await start();
      await send(url, "POST", "/api/cars", { plate: "B 1" });
      for (const path of ["/api/cars", "/api/cars?pagination[page]=2", "/api/cars/nothing", "/nowhere"])
        await send(url, "GET", path);
      const { value, help } = await scrape();
      const requests = (labels: object) => value("plinth_http_requests_total", labels);
      expect(requests({ api: "rest", operation: "create", status: "2xx" })).to.equal(1);
      expect(requests({ api: "rest", operation: "find", status: "2xx" })).to.equal(2);
      expect(requests({ api: "rest", operation: "findOne", status: "4xx" })).to.equal(1);
      expect(requests({ api: "other", operation: "none", status: "4xx" })).to.equal(1);
      const find = { api: "rest", operation: "find", status: "2xx" };
      expect(value("plinth_http_seconds_count", find)).to.equal(2);
      expect(value("plinth_http_seconds_bucket", { ...find, le: "+Inf" })).to.equal(2);
      expect(value("plinth_http_seconds_sum", find)).to.be.within(0.0001, 60);
      for (const name of ["plinth_http_requests_total", "plinth_http_seconds"]) expect(help(name)).to.be.a("string");
    });

    it("count a request whose client had gone as aborted", async () => {
      await start();
      const { db, model } = plinth.app;
      const leave = new AbortController();
      const begun = () => leave.abort();
      channels.http.start.subscribe(begun);
      await db.transaction(async () => {
        const table = model.contentTypes.get("api::car.car")?.table;
        await db.query({ text: `lock table ${table} in access exclusive mode`, values: [] });
        await fetch(`${url}/api/cars`, { signal: leave.signal }).catch((error: Error) =>
          expect(error.name).to.equal("AbortError"),
        );
        await eventually(async () => {
          const labels = { api: "rest", operation: "find", status: "aborted" };
          expect((await scrape()).value("plinth_http_requests_total", labels)).to.equal(1);
        });
      });
      channels.http.start.unsubscribe(begun);
    });

    it("count trips to the database, its errors, waits and connections", async () => {
      await start();
      const read = { node: "primary", kind: "read" };
      const before = (await scrape()).value("plinth_db_seconds_count", read) ?? 0;
      await send(url, "GET", "/api/cars");
      await plinth.app.db.query({ text: "select nothing", values: [] }).catch(() => undefined);
      const { value } = await scrape();
      expect(value("plinth_db_seconds_count", read)).to.be.at.least(before + 2);
      expect(value("plinth_db_errors_total", { ...read, class: "42" })).to.equal(1);
      expect(value("plinth_db_acquire_seconds_count", { node: "primary" })).to.be.at.least(2);
      expect(value("plinth_db_connections", { node: "primary", state: "idle" })).to.be.at.least(1);
      expect(value("plinth_db_connections", { node: "primary", state: "waiting" })).to.equal(0);
      expect(value("plinth_shared_reads_total", { how: "led" })).to.be.at.least(1);
      expect(value("plinth_totals_total", { how: "sum" })).to.equal(1);
    });

    it("show the process: node's own, the clock, messages, snapshots, and what runs", async () => {
      await start();
      await eventually(async () => expect((await scrape()).value("plinth_messages_hearing")).to.equal(1));
      const { value, labelsOf } = await scrape();
      expect(value("process_resident_memory_bytes")).to.be.greaterThan(1e6);
      expect(value("nodejs_eventloop_lag_seconds")).to.be.at.least(0);
      expect(value("plinth_clock_offset_seconds")).to.be.within(-5, 5);
      expect(value("plinth_snapshot_age_seconds")).to.be.within(0, 60);
      const [info] = labelsOf("plinth_info");
      expect(info?.["engine"]).to.equal(database.kind);
      expect(info?.["model"]).to.match(/^[0-9a-f]+$/);
    });

    it("know the type of a request only where they are asked to", async () => {
      await start();
      await send(url, "GET", "/api/cars");
      expect((await scrape()).labelsOf("plinth_http_requests_total")[0]).to.have.all.keys("api", "operation", "status");
      await plinth.stop();
      await start({ perType: true });
      await send(url, "GET", "/api/cars");
      await send(url, "GET", "/nowhere");
      const labels = (await scrape()).labelsOf("plinth_http_requests_total");
      expect(labels.map(({ type }) => type).sort()).to.deep.equal(["api::car.car", "none"]);
    });

    it("are on the main port with a token of the configuration only", async () => {
      await start({ token: TOKENS });
      const asked = async (authorization?: string) =>
        (await fetch(`${url}/metrics`, { headers: authorization ? { authorization } : {} })).status;
      expect(await asked()).to.equal(401);
      for (const wrong of ["Bearer wrong", `Bearer ${TOKENS[0]}.`, `Basic ${TOKENS[0]}`])
        expect(await asked(wrong)).to.equal(401);
      const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKENS[1]}` } });
      expect([answer.status, answer.headers.get("content-type")]).to.deep.equal([
        200,
        "text/plain; version=0.0.4; charset=utf-8",
      ]);
      expect(readMetrics(await answer.text()).value("plinth_info")).to.equal(1);
      await plinth.stop();
      await start();
      expect(await asked(`Bearer ${TOKENS[0]}`)).to.equal(404);
    });

    it("are on the main port with an administrator's token of api-tokens", async () => {
      await start({}, [apiTokensPlugin]);
      const tokens = plinth.app.service(apiTokens);
      const [admin, reader] = [
        await tokens.create({ name: "prometheus", type: "admin" }),
        await tokens.create({ name: "front end", type: "read-only" }),
      ];
      const asked = async ({ accessKey }: { readonly accessKey: string }) =>
        (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${accessKey}` } })).status;
      expect([await asked(admin), await asked(reader)]).to.deep.equal([200, 401]);
      const refused = (await scrape()).value("plinth_auth_total", { kind: "bearer", result: "refused" });
      expect(refused).to.be.at.least(1);
    });

    it("end with their app: no listener is left", async () => {
      await start();
      expect(channels.http.end.hasSubscribers).to.equal(true);
      await plinth.stop();
      for (const { hasSubscribers, name } of [channels.http.end, channels.db.end, channels.pool, channels.auth])
        expect([name, hasSubscribers]).to.deep.equal([name, false]);
    });
  });
});
