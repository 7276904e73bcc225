import { eventsPlugin } from "@plinth/plugin-events";
import type { TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { parseConfig } from "../../../plugins/events/src/config.js";
import { citusDatabase, eachDatabase } from "../../databases.js";
import { NOTE, startEvents, toldBy } from "./events-app.js";

const DAY = 86_400_000;
const dayOf = (ahead: number) => new Date(Date.now() + ahead * DAY).toISOString().slice(0, 10).replaceAll("-", "");

describe("the days of events", function () {
  this.timeout(120_000);
  eachDatabase((database) => {
    const partitionsOf = async ({ app }: TestApp): Promise<readonly string[]> => {
      const text =
        "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'plinth_events'::regclass";
      const rows = await app.db.query<{ name: string }>({ text, values: [] });
      return rows.map(({ name }) => name).sort();
    };

    it("are made ahead, each once, and dropped when they are past the retention; no write waits for one", async () => {
      const first = await startEvents(database);
      const names = [...[0, 1, 2, 3].map((ahead) => `plinth_events_d${dayOf(ahead)}`), "plinth_events_rest"];
      expect(await partitionsOf(first)).to.deep.equal(names);
      const { db } = first.app;
      const add = async (days: number) => {
        const text =
          "insert into plinth_events (at, type, locales, origin) values (now() - $1 * interval '1 day', 'test.old', '{}', '{}')";
        await db.query({ text, values: [days] });
      };
      await add(30);
      await add(2);
      // What no day is there for is in the rest, and nothing fails for it.
      const [count] = await db.query({ text: "select count(*)::int as n from plinth_events_rest", values: [] });
      expect(count).to.deep.equal({ n: 2 });
      if (database.kind === "pglite") return first.stop();
      await first.stop();
      const second = await startEvents(database);
      expect(await partitionsOf(second)).to.deep.equal(names);
      const rest = await second.app.db.query({ text: "select count(*)::int as n from plinth_events_rest", values: [] });
      expect(rest).to.deep.equal([{ n: 1 }]);
      await second.stop();
      // Nine days later.
      const clock = { now: () => Date.now() + 9 * DAY, offset: 0 };
      const third = await startEvents(database, { configure: (setup) => ({ ...setup, clock }) });
      const kept = [2, 3, 9, 10, 11, 12].map((ahead) => `plinth_events_d${dayOf(ahead)}`);
      expect(await partitionsOf(third)).to.deep.equal([...kept, "plinth_events_rest"]);
      const told = await toldBy(third, () => third.app.documents(NOTE).create({ data: { text: "a" } }));
      expect(told).to.have.length(1);
      await third.stop();
    });
  });

  it("are as many as the configuration says, which is checked", () => {
    expect(parseConfig({})).to.deep.equal({ retention: 7 });
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

/** The codes of an error and of what caused it; the kernel says in which phase it was. */
const causesOf = (error: unknown): readonly unknown[] =>
  error instanceof Error ? [(error as { readonly code?: unknown }).code, ...causesOf(error.cause)] : [];
