import { eventsPlugin } from "@plinth/plugin-events";
import type { TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { parseConfig } from "#plugins/events/src/config.js";
import { Days } from "#plugins/events/src/days.js";
import { eventually } from "../../core/database/driver/note-app.js";
import { causesOf } from "../../causes-of.js";
import { citusDatabase, eitherDatabase } from "../../databases.js";
import { eventsOf, NOTE, readAll, startEvents, toldBy } from "./events-app.js";

const DAY = 86_400_000;

describe("the days of events", () => {
  eitherDatabase(import.meta.url, (database) => {
    let test: TestApp;
    before("start an app", async () => {
      test = await startEvents(database);
    });
    after("stop it", () => test?.stop());
    const namesOfTables = async (): Promise<readonly string[]> => {
      const text =
        "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'plinth_events'::regclass order by inhrelid";
      return (await test.app.db.query<{ name: string }>({ text, values: [] })).map(({ name }) => name);
    };
    /** Looks as the app does each hour, some days later. */
    const lookIn = async (days: number): Promise<void> => {
      const { db, log } = test.app;
      const clock = { now: () => Date.now() + days * DAY, offset: 0 };
      const later = new Days({ db, log, clock }, 7);
      await later.open();
      await later.close();
    };
    const typesOf = async (count: number) => (await readAll(test, 0, count)).events.map(({ type }) => type);

    it("have a table each, which nobody writes to afterwards, and are dropped past the retention", async () => {
      await eventsOf(test).publish("test.first");
      await lookIn(0);
      expect(await namesOfTables()).to.deep.equal(["plinth_events_newest"]);
      await lookIn(1);
      const [closed, ...others] = await namesOfTables();
      expect(closed).to.match(/^plinth_events_\d+$/);
      expect(others).to.deep.equal(["plinth_events_newest"]);
      // An empty day goes on.
      await lookIn(2);
      await eventsOf(test).publish("test.second");
      await lookIn(7);
      expect(await typesOf(2)).to.deep.equal(["test.first", "test.second"]);
      expect(await namesOfTables()).to.have.length(3);
      await lookIn(8);
      expect(await namesOfTables()).to.deep.equal(["plinth_events_newest"]);
      const refused = await eventsOf(test)
        .read(0)
        .catch((error: unknown) => error);
      expect(refused).to.include({ code: "PLINTH_EVENTS_PAST_RETENTION" });
      const told = await toldBy(test, () => test.app.documents(NOTE).create({ data: { text: "a" } }));
      expect(told).to.have.length(1);
    });

    it("end while events are written: none is lost, and none fails", async () => {
      const place = await eventsOf(test).latest();
      let isOver = false;
      let count = 0;
      const write = async () => {
        while (!isOver) {
          count += 1;
          await eventsOf(test).publish("test.busy", {}, count);
          await new Promise(setImmediate);
        }
      };
      const writing = Promise.all(Array.from({ length: 4 }, write));
      const before = (await namesOfTables()).length;
      for (let day = 1; day <= 4; day += 1) {
        const known = count;
        while (count < known + 20) await new Promise(setImmediate);
        await lookIn(1);
      }
      isOver = true;
      await writing;
      expect((await namesOfTables()).length).to.be.greaterThan(before);
      const found = await collectFrom(place, count);
      expect(found.toSorted((a, b) => a - b)).to.deep.equal(Array.from({ length: count }, (_, index) => index + 1));
    });

    const collectFrom = async (start: number, count: number): Promise<number[]> => {
      const found: number[] = [];
      let place = start;
      await eventually(async () => {
        const page = await eventsOf(test).read(place, { types: ["test.busy"] });
        found.push(...page.events.map(({ data }) => data as number));
        place = page.place;
        expect(found.length).to.be.at.least(count);
      });
      return found;
    };
  });

  it("are as many as the configuration says, which is checked", () => {
    expect(parseConfig({})).to.include({ retention: 7 });
    for (const wrong of [{ retention: 0 }, { days: 3 }])
      expect(() => parseConfig(wrong))
        .to.throw()
        .with.property("code", "PLINTH_EVENTS_CONFIG_INVALID");
  });

  describe("on Citus", () => {
    const citus = citusDatabase();
    if (!citus) return;
    it("are refused, because the order of transactions is not known there", async () => {
      const refused = await startEvents(citus, { plugins: [eventsPlugin] }).catch((error: unknown) => error);
      expect(causesOf(refused)).to.include("PLINTH_EVENTS_CITUS");
    });
  });
});
