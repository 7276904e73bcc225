import { contentApiPlugin } from "@plinth/plugin-content-api";
import { metricsPlugin } from "@plinth/plugin-metrics";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { delayReplay, eventually, noteApp } from "../../core/database/driver/note-app.js";
import { type PostgresCluster, startCluster } from "../../postgres-cluster.js";
import { readMetrics } from "./read-metrics.js";

describe("what metrics know of replicas", () => {
  let cluster: PostgresCluster;
  let test: TestApp;
  before("start a primary and a standby", async () => {
    cluster = await startCluster(1);
    const [primary, standby] = cluster.nodes;
    const replicas = { at: [standby!.url()], readers: "all", wait: 0 };
    test = await createTestApp(noteApp(primary!.url(), replicas, [contentApiPlugin, metricsPlugin]));
  });
  after("stop them", async () => {
    await test?.stop();
    await cluster?.close();
  });
  const scrape = async () => readMetrics((await test.app.management.ask("/metrics"))?.body ?? "");
  const reads = async (target: string, why: string) =>
    (await scrape()).value("plinth_reads_total", { target, why }) ?? 0;

  it("is where each read went, and why", async () => {
    await eventually(async () => {
      await test.public.get("/api/notes");
      expect(await reads("replica", "public")).to.be.greaterThan(0);
    });
    const { headers } = await test.withBearer("editor-token").post("/api/notes", { data: { title: "one" } });
    const position = { "Plinth-Position": headers.get("plinth-position") ?? "" };
    await eventually(async () => {
      await test.withBearer("editor-token").get("/api/notes", { headers: position });
      expect(await reads("replica", "caught-up")).to.be.greaterThan(0);
    });
    await delayReplay(cluster.nodes[1]!, "1h");
    const later = await test.withBearer("editor-token").post("/api/notes", { data: { title: "two" } });
    const beyond = { "Plinth-Position": later.headers.get("plinth-position") ?? "" };
    await eventually(async () => {
      await test.withBearer("editor-token").get("/api/notes", { headers: beyond });
      expect(await reads("primary", "behind")).to.be.greaterThan(0);
    });
  });

  it("is how far it is behind, its connections and its times", async () => {
    const { value } = await scrape();
    expect(value("plinth_replica_lag_seconds", { replica: "1" }) ?? 0).to.be.at.least(0);
    expect(value("plinth_db_seconds_count", { node: "replica", kind: "read" })).to.be.greaterThan(0);
    expect(value("plinth_db_connections", { node: "replica", state: "used" })).to.equal(0);
  });
});
