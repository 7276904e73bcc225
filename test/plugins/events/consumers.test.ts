import { channels, type DatabaseMessage } from "@plinth/core/telemetry";
import type { Event } from "@plinth/plugin-events";
import type { TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { ownEvents } from "#plugins/events/src/events-service.js";
import { listenTo } from "../../core/base/listen.js";
import { eitherDatabase, serverDatabase } from "../../databases.js";
import { ARTICLE, collect, eventsOf, NOTE, startEvents } from "./events-app.js";

const DAY = 86_400_000;

describe("consumers of events", () => {
  const heard = listenTo({ db: channels.db.end });

  eitherDatabase("postgres", (database) => {
    let test: TestApp;
    before("start an app", async () => {
      test = await startEvents(database);
    });
    after("stop it", () => test?.stop());
    const write = (text: string) => test.app.documents(NOTE).create({ data: { text } });
    const dataOf = (events: readonly Event[]) => events.map(({ data }) => data);

    it("get what they want, from their first day on, and go on where they were", async () => {
      await write("before");
      const notes = await collect(test, "notes", { types: ["entry.create"], uids: [NOTE] });
      await test.app.documents(ARTICLE).create({ data: { title: "a" } });
      const first = await write("first");
      expect((await notes.reach(1)).map(({ documentId }) => documentId)).to.deep.equal([first.documentId]);
      await notes.stop();
      const second = await write("second");
      const again = await collect(test, "notes", { types: ["entry.create"], uids: [NOTE] });
      expect((await again.reach(1)).map(({ documentId }) => documentId)).to.deep.equal([second.documentId]);
      await again.stop();
      const states = await eventsOf(test).consumers();
      expect(states.find(({ name }) => name === "notes")).to.include({ behind: 0 });
    });

    it("get the same again where they fail, and those behind it afterwards", async () => {
      let failures = 0;
      const tried = await collect(test, "failing", { types: ["test.*"], batch: 2 }, (batch) => {
        if (failures === 0 && dataOf(batch).includes(3)) {
          failures += 1;
          throw new Error("not yet");
        }
      });
      await test.app.db.transaction(async () => {
        for (const n of [1, 2, 3, 4, 5]) await eventsOf(test).publish("test.tried", {}, n);
      });
      expect(dataOf(await tried.reach(5))).to.deep.equal([1, 2, 3, 4, 5]);
      expect(failures).to.equal(1);
      const said = test.logged.find(({ consumer }) => consumer === "failing");
      expect(said?.msg).to.include("not yet").and.include("tried again");
      await tried.stop();
    });

    it("get the same again where they fail with something that is no error, and their health says why", async () => {
      const { health } = test.app.service(ownEvents);
      const unreadable = Object.defineProperty(new Error("x"), "message", {
        get: () => {
          throw new Error("no");
        },
      });
      const failures: readonly (readonly [unknown, string])[] = [
        [undefined, "undefined"],
        [null, "null"],
        ["out of order", "out of order"],
        [Object.freeze(new Error("frozen")), "frozen"],
        [unreadable, "cannot be read"],
      ];
      for (const [index, [failure, reason]] of failures.entries()) {
        const name = `odd-${index}`;
        let isBroken = true;
        const odd = await collect(test, name, { types: ["test.odd"] }, () =>
          isBroken ? Promise.reject(failure) : undefined,
        );
        await eventsOf(test).publish("test.odd", {}, index);
        await until(() => test.logged.some(({ consumer }) => consumer === name));
        expect(test.logged.find(({ consumer }) => consumer === name)?.msg).to.include(reason);
        const { status, failing } = (await health.run()) as { status: string; failing: Record<string, string> };
        expect(status).to.equal("degraded");
        expect(failing[name]).to.include(reason);
        isBroken = false;
        expect(dataOf(await odd.reach(1))).to.deep.equal([index]);
        await odd.stop();
      }
    });

    it("get four batches at once where order does not matter", async () => {
      let running = 0;
      let most = 0;
      const abreast = await collect(
        test,
        "abreast",
        { types: ["test.abreast"], batch: 1, ordered: false },
        async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setTimeout(resolve, 20));
          running -= 1;
        },
      );
      await test.app.db.transaction(async () => {
        for (let n = 0; n < 9; n += 1) await eventsOf(test).publish("test.abreast", {}, n);
      });
      const all = dataOf(await abreast.reach(9)) as number[];
      expect(all.sort()).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8]);
      expect(most).to.equal(4);
      await abreast.stop();
    });

    it("have names and types that are right", async () => {
      const first = await collect(test, "once");
      expect(() => eventsOf(test).consume("once", {}, () => undefined))
        .to.throw()
        .with.property("code", "PLINTH_EVENTS_CONSUMER_TWICE");
      expect(() => eventsOf(test).consume("other", { types: ["entry.%"] }, () => undefined))
        .to.throw()
        .with.property("code", "PLINTH_EVENTS_TYPE_INVALID");
      for (const batch of [0, -1, 1.5, 1_001])
        expect(() => eventsOf(test).consume("other", { batch }, () => undefined))
          .to.throw()
          .with.property("code", "PLINTH_EVENTS_BATCH_INVALID");
      await first.stop();
      const unknown = await eventsOf(test)
        .skip("nobody")
        .catch((error: unknown) => error);
      expect(unknown).to.include({ code: "PLINTH_EVENTS_CONSUMER_UNKNOWN", status: 404 });
    });

    it("are left behind by `skip`, which begins with what comes", async () => {
      const skipped = await collect(test, "skipped", { types: ["test.skipped"] });
      await skipped.stop();
      await eventsOf(test).publish("test.skipped", {}, "lost");
      await eventsOf(test).skip("skipped");
      const again = await collect(test, "skipped", { types: ["test.skipped"] });
      await eventsOf(test).publish("test.skipped", {}, "found");
      expect(dataOf(await again.reach(1))).to.deep.equal(["found"]);
      await again.stop();
    });

    it("are woken by a message, of which there is one in 50 ms however much is written", async () => {
      heard.db.length = 0;
      const start = performance.now();
      for (let n = 0; n < 60; n += 1) await eventsOf(test).publish("test.wake", {}, n);
      await new Promise((resolve) => setTimeout(resolve, 120));
      const sent = (heard.db as DatabaseMessage[]).filter(
        ({ text, pool }) => pool === test.app.db.knex && text.includes("pg_notify"),
      );
      // The embedded database is in one process, which needs no message.
      if (database.kind === "postgres") expect(sent.length).to.be.greaterThan(0);
      expect(sent.length).to.be.at.most((performance.now() - start) / 50 + 1);
    });

    it("say what is gone: one that was away too long fails, or is told and goes on", async () => {
      const old = await startEvents(database, { pluginConfigs: { events: { retention: 2 } } });
      const service = eventsOf(old);
      const early = await service.latest();
      const missing = await collect(old, "away");
      await missing.stop();
      const gaps: object[] = [];
      const told = await collect(old, "told", { types: ["test.*"] });
      await told.stop();
      await service.publish("test.gone", {}, 1);
      await old.stop();
      // Four days later.
      const later = await startEvents(database, {
        pluginConfigs: { events: { retention: 2 } },
        configure: (setup) => ({ ...setup, clock: { now: () => Date.now() + 4 * DAY, offset: 0 } }),
      });
      if (database.kind === "postgres") {
        const refused = await eventsOf(later)
          .read(early)
          .catch((error: unknown) => error);
        expect(refused).to.include({ code: "PLINTH_EVENTS_PAST_RETENTION", status: 410 });
        const away = eventsOf(later).consume("away", {}, () => undefined);
        await until(() => later.logged.some(({ consumer }) => consumer === "away"));
        await away.stop();
        const onGap = (gap: object) => void gaps.push(gap);
        const again = await collect(later, "told", { types: ["test.*"], onGap });
        await eventsOf(later).publish("test.new", {}, 2);
        expect(dataOf(await again.reach(1))).to.deep.equal([2]);
        expect(gaps).to.have.length(1);
        await again.stop();
      }
      await later.stop();
    });
  });

  describe("in two processes on PostgreSQL", () => {
    const server = serverDatabase();
    if (!server) return;
    let one: TestApp;
    let two: TestApp;
    before("start two apps", async () => {
      one = await startEvents(server);
      two = await startEvents(server);
    });
    after("stop them", async () => {
      await one?.stop();
      await two?.stop();
    });

    it("begin with what comes in a process that starts while a transaction writes", async () => {
      await eventsOf(one).publish("test.long-ago");
      const fresh = await startEvents(server);
      let begun: ReturnType<typeof collect> | undefined;
      await one.app.db.transaction(async () => {
        await one.app.db.query({ text: "select pg_current_xact_id()", values: [] });
        await eventsOf(one).publish("test.before");
        begun = collect(fresh, "fresh", { types: ["test.*"] });
        await new Promise((resolve) => setTimeout(resolve, 100));
      });
      const handed = await begun;
      await eventsOf(one).publish("test.after");
      const all = await handed?.reach(1);
      await until(() => all?.at(-1)?.type === "test.after");
      expect(all?.map(({ type }) => type)).to.not.include("test.long-ago");
      await handed?.stop();
      await fresh.stop();
    });

    it("run in one of them, and go on in the other when it stops", async () => {
      const first = await collect(one, "shared", { types: ["test.shared"] });
      await eventsOf(two).publish("test.shared", {}, 0);
      await first.reach(1);
      const second = await collect(two, "shared", { types: ["test.shared"] });
      for (let n = 1; n < 5; n += 1) await eventsOf(two).publish("test.shared", {}, n);
      await first.reach(5);
      expect(second.all).to.deep.equal([]);
      await first.stop();
      await eventsOf(one).publish("test.shared", {}, 5);
      expect((await second.reach(1)).map(({ data }) => data)).to.deep.equal([5]);
      await second.stop();
    });

    it("go on in the other when the session of the first is gone, and none gets lost", async () => {
      const first = await collect(one, "killed", { types: ["test.killed"] });
      await eventsOf(one).publish("test.killed", {}, 0);
      await first.reach(1);
      const second = await collect(two, "killed", { types: ["test.killed"] });
      const text = `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database()) and pid <> pg_backend_pid()`;
      await two.app.db.query({ text, values: [] });
      for (let n = 1; n < 30; n += 1) await eventsOf(two).publish("test.killed", {}, n);
      await until(() => new Set([...first.all, ...second.all].map(({ data }) => data)).size === 30);
      await Promise.all([first.stop(), second.stop()]);
    });
  });
});

/** Waits until something holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}
