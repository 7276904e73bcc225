import { setTimeout as sleep } from "node:timers/promises";
import type { TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { Days } from "#plugins/events/src/days.js";
import { eventually } from "../../core/database/driver/note-app.js";
import { eitherDatabase, serverDatabase } from "../../databases.js";
import { collect, eventsOf, startEvents } from "./events-app.js";

const DAY = 86_400_000;

describe("where readers of events begin and end", () => {
  eitherDatabase("pglite", (database) => {
    let test: TestApp;
    before("start an app", async () => {
      test = await startEvents(database);
    });
    after("stop it", () => test?.stop());
    const codeOf = (attempt: Promise<unknown>) =>
      attempt.then(
        () => "done",
        ({ code }: { code: string }) => code,
      );
    /** Looks as the app does each hour, some days later. */
    const lookIn = async (days: number): Promise<void> => {
      const { db, log } = test.app;
      const later = new Days({ db, log, clock: { now: () => Date.now() + days * DAY, offset: 0 } }, 7);
      await later.open();
      await later.close();
    };

    it("leaves out what a consumer has not handled that runs and is behind, when it is skipped", async () => {
      const seen: unknown[] = [];
      let isFirst = true;
      const slow = await collect(test, "behind", { types: ["test.behind"], batch: 1 }, async ([event]) => {
        seen.push(event?.data);
        if (!isFirst) return;
        isFirst = false;
        await eventsOf(test).skip("behind");
      });
      await test.app.db.transaction(async () => {
        for (let n = 1; n <= 5; n += 1) await eventsOf(test).publish("test.behind", {}, n);
      });
      await slow.reach(1);
      await eventsOf(test).publish("test.behind", {}, "new");
      await eventually(async () => expect(seen).to.include("new"));
      expect(seen).to.deep.equal([1, "new"]);
      await slow.stop();
    });

    it("reads in a transaction while others wait for its end", async () => {
      await eventsOf(test).publish("test.read");
      let others: Promise<unknown> = Promise.resolve();
      let begin: () => void = () => undefined;
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const work = test.app.db.transaction(async () => {
        await test.app.db.query({ text: "select pg_current_xact_id()", values: [] });
        begin();
        await sleep(100);
        return (await eventsOf(test).read(0)).events.length;
      });
      await begun;
      others = eventsOf(test).read(0);
      const limit = sleep(20_000, "each waits for the other", { ref: false });
      expect(await Promise.race([work, limit])).to.be.a("number");
      await others;
    });

    it("says that some may be missing where they were dropped between two of its looks", async () => {
      const place = await eventsOf(test).latest();
      await eventsOf(test).publish("test.dropped");
      await lookIn(1);
      await eventsOf(test).publish("test.left");
      const { db } = test.app;
      const query = db.query.bind(db);
      let isDone = false;
      const interrupted: typeof query = async (statement) => {
        if (!isDone && statement.text.includes("order by e.id limit")) {
          isDone = true;
          await lookIn(9);
        }
        return await query(statement);
      };
      Object.assign(db, { query: interrupted });
      const code = await codeOf(eventsOf(test).read(place)).finally(() => Object.assign(db, { query }));
      expect([isDone, code]).to.deep.equal([true, "PLINTH_EVENTS_PAST_RETENTION"]);
    });
  });

  describe("while a transaction writes for long", () => {
    const server = serverDatabase();
    if (!server) return;
    let one: TestApp;
    before("start an app with a consumer that is behind", async () => {
      one = await startEvents(server);
      await (await collect(one, "known", { types: ["test.*"] })).stop();
      await eventsOf(one).publish("test.old");
    });
    after("stop it", () => one?.stop());
    const whileWriting = (work: () => Promise<void>) =>
      one.app.db.transaction(async () => {
        await one.app.db.query({ text: "select pg_current_xact_id()", values: [] });
        await work();
      });

    it("skips nothing without saying so, in a process that has just begun", async () => {
      const fresh = await startEvents(server);
      // Not asked of the other one, which would know what is settled from then on.
      const placeOf = async () => (await eventsOf(one).consumers()).find(({ name }) => name === "known")?.place;
      const before = await placeOf();
      await whileWriting(async () => {
        const refused = await eventsOf(fresh)
          .skip("known")
          .catch((error: unknown) => error);
        expect(refused).to.include({ code: "PLINTH_EVENTS_NOT_SETTLED", status: 503 });
        expect(await placeOf()).to.equal(before);
      });
      await eventually(async () => {
        await eventsOf(fresh).skip("known");
        expect(await placeOf()).to.be.greaterThan(before ?? 0);
      });
      await fresh.stop();
    });

    it("begins a new consumer with what comes, however long that takes, and says what it waits for", async () => {
      const fresh = await startEvents(server);
      const seen: unknown[] = [];
      const consumer = eventsOf(fresh).consume("new", { types: ["test.*"] }, (batch) => {
        seen.push(...batch.map(({ type }) => type));
      });
      let isReady = false;
      const ready = consumer.ready.then(() => {
        isReady = true;
      });
      await whileWriting(async () => {
        await eventually(async () => {
          const said = fresh.logged.find(({ consumer: name }) => name === "new");
          expect(said?.msg).to.include("waits for transactions");
        }, 30_000);
        expect(isReady).to.equal(false);
        await eventsOf(fresh).publish("test.meanwhile");
      });
      await ready;
      await eventsOf(one).publish("test.new");
      await eventually(async () => expect(seen).to.include("test.new"));
      expect(seen).to.not.include("test.old");
      expect(seen[0]).to.equal("test.meanwhile");
      await consumer.stop();
      await fresh.stop();
    });
  });
});
