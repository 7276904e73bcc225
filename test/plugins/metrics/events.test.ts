import { contentApiPlugin } from "@plinth/plugin-content-api";
import { events, eventsPlugin } from "@plinth/plugin-events";
import { metricsPlugin } from "@plinth/plugin-metrics";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { eventually, NOTE, noteApp } from "../../core/database/driver/note-app.js";
import { eitherDatabase } from "../../databases.js";
import { readMetrics } from "./read-metrics.js";

describe("what metrics know of events", () => {
  eitherDatabase(import.meta.url, (database) => {
    let test: TestApp;
    before("start an app", async () => {
      const plugins = [contentApiPlugin, eventsPlugin, metricsPlugin];
      test = await createTestApp({ ...noteApp("", {}, plugins), database: database.config() });
    });
    after("stop it", () => test?.stop());
    const scrape = async () => readMetrics((await test.app.management.ask("/metrics"))?.body ?? "");
    const of = (consumer: string) => ({ consumer });

    if (database.kind === "pglite")
      it("is what each consumer did, what it has before it, and how old that is", async () => {
        let isFailing = true;
        const service = test.app.service(events);
        const consumer = service.consume("index", { types: ["entry.create"] }, () => {
          if (isFailing) throw new Error("not yet");
        });
        await consumer.ready;
        for (const title of ["one", "two", "three"]) await test.app.documents(NOTE).create({ data: { title } });
        await service.publish("shop.opened");
        await eventually(async () => {
          const { value } = await scrape();
          expect(value("plinth_events_pending", of("index"))).to.equal(3);
          expect(value("plinth_event_lag_seconds", of("index"))).to.be.greaterThan(0);
          expect(value("plinth_events_total", { ...of("index"), result: "retry" })).to.be.greaterThan(0);
        }, 30_000);
        const lag = async () => (await scrape()).value("plinth_event_lag_seconds", of("index")) ?? 0;
        const first = await lag();
        await eventually(async () => expect(await lag()).to.be.greaterThan(first));
        isFailing = false;
        await eventually(async () => {
          const { value } = await scrape();
          expect(value("plinth_events_pending", of("index"))).to.equal(0);
          expect(value("plinth_event_lag_seconds", of("index"))).to.equal(0);
          expect(value("plinth_events_total", { ...of("index"), result: "done" })).to.equal(3);
        }, 60_000);
        await consumer.stop();
      });

    if (database.kind === "postgres")
      it("is how old the transaction is that readers wait for", async () => {
        const age = async () => (await scrape()).value("plinth_events_writer_age_seconds") ?? 0;
        await test.app.db.transaction(async () => {
          await test.app.documents(NOTE).create({ data: { title: "held" } });
          await eventually(async () => expect(await age()).to.be.greaterThan(1), 30_000);
        });
        await eventually(async () => expect(await age()).to.equal(0), 30_000);
      });
  });
});
