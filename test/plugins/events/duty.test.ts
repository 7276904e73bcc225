import { createPlinth, type PlinthApp } from "@plinth/core";
import { type Consumer, events, eventsPlugin } from "@plinth/plugin-events";
import { expect } from "chai";
import { pino } from "pino";
import { eventually } from "../../core/database/driver/note-app.js";
import { eitherDatabase } from "../../databases.js";
import { startEvents } from "./events-app.js";

/** Never ends, and does not heed its signal. */
const forEver = () => new Promise<void>(() => undefined);

describe("consumers of events, and the duty of their process", () => {
  eitherDatabase(import.meta.url, (database) => {
    let consumer: Consumer;
    const handled: string[] = [];
    const build = (): PlinthApp =>
      createPlinth({
        ...{ root: "/nowhere", environment: "test", log: pino({ level: "silent" }), plugins: [eventsPlugin] },
        app: {
          async bootstrap({ service }) {
            consumer = service(events).consume("kept", { types: ["test.*"] }, (batch) => {
              handled.push(...batch.map(({ type }) => type));
            });
            await consumer.ready;
          },
        },
        config: { database: database.config(), server: { port: 0, closeTimeout: 500 } },
      });

    it("have their place, and are handed nothing, in a process of a command", async () => {
      const plinth = build();
      await plinth.start({ listen: false });
      const service = plinth.app.service(events);
      await service.publish("test.kept");
      await eventually(async () => expect(await service.consumers()).to.have.nested.property("[0].behind", 1));
      // Longer than one that is on duty looks away.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(handled).to.deep.equal([]);
      await plinth.stop();
    });

    it("are handed what comes in a process that works without taking requests", async () => {
      const plinth = build();
      await plinth.start({ listen: false, works: true });
      await plinth.app.service(events).publish("test.worked");
      await eventually(async () => expect(handled).to.include("test.worked"));
      await plinth.stop();
    });

    it("do not keep the process from stopping, though a handler does not end; what it has comes again", async () => {
      const test = await startEvents(database, { config: { server: { closeTimeout: 500 } } });
      const begun: string[] = [];
      const hang = test.app.service(events).consume("hangs", { types: ["test.*"] }, (batch) => {
        begun.push(...batch.map(({ type }) => type));
        return forEver();
      });
      await hang.ready;
      await test.app.service(events).publish("test.hang");
      await eventually(async () => expect(begun).to.deep.equal(["test.hang"]));
      const limit = new Promise<string>((resolve) => setTimeout(resolve, 30_000, "it still runs").unref());
      expect(await Promise.race([test.stop(), limit])).to.equal(undefined);
      if (database.kind === "pglite") return;
      const next = await startEvents(database);
      const again: string[] = [];
      const consume = next.app.service(events).consume("hangs", { types: ["test.*"] }, (batch) => {
        again.push(...batch.map(({ type }) => type));
      });
      await eventually(async () => expect(again).to.deep.equal(["test.hang"]));
      await consume.stop();
      await next.stop();
    });

    it("are said to take long, in the log and by their health, when a handler has run for minutes", async () => {
      const test = await startEvents(database);
      let begun = 0;
      let end: () => void = () => undefined;
      const slow = test.app.service(events).consume("slow", { types: ["test.*"] }, () => {
        begun += 1;
        return new Promise<void>((resolve) => {
          end = resolve;
        });
      });
      await slow.ready;
      await test.app.service(events).publish("test.slow");
      await eventually(async () => expect(begun).to.equal(1));
      const health = () => test.app.health.report().checks["events"];
      expect(health()).to.deep.include({ status: "ok" });
      await test.clock.advance({ minutes: 6 });
      await eventually(async () => expect(health()).to.include({ status: "degraded" }));
      expect(health()).to.have.nested.property("failing.slow").that.includes("5 minutes");
      expect(test.logged.find(({ consumer: name }) => name === "slow")?.msg).to.include("5 minutes");
      end();
      await eventually(async () => expect(health()).to.include({ status: "ok" }));
      await slow.stop();
      await test.stop();
    });
  });
});
