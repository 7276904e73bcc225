import { createPlinth } from "@plinth/core";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { ServerClock } from "#core/database/clock.js";
import { eachDatabase } from "../../databases.js";
import { type Entry, fetchData, loadFleet } from "../../durability/fleet.js";

const HOUR = 3_600_000;
/** Milliseconds that an answer may be late on a busy machine: no more than this is known of the time of a server. */
const ROUND_TRIP = 5_000;

describe("the clock of a server", () => {
  const warnings: string[] = [];
  const log = { warn: (_details: object, message: string) => void warnings.push(message) };
  const clocks: ServerClock[] = [];
  const clockAt = (ahead: () => number): ServerClock => {
    const query = () => Promise.resolve([{ now: Date.now() + ahead() }]);
    const clock = new ServerClock({ query: query as never }, log);
    clocks.push(clock);
    return clock;
  };
  afterEach(() => {
    for (const clock of clocks.splice(0)) clock.close();
    warnings.splice(0);
  });

  it("is the median of five answers: one that is late moves nothing", async () => {
    const answers = [0, 90_000, 3, -90_000, 1];
    const clock = clockAt(() => answers.shift() ?? 0);
    await clock.measure();
    expect(Math.abs(clock.offset)).to.be.lessThan(ROUND_TRIP);
    expect(answers).to.have.length(0);
  });

  it("says once how far it is away from this machine's, from half a second on", async () => {
    const clock = clockAt(() => HOUR);
    await clock.measure();
    await clock.measure();
    expect(clock.offset).to.be.within(HOUR - ROUND_TRIP, HOUR + ROUND_TRIP);
    expect(clock.now()).to.be.within(Date.now() + HOUR - ROUND_TRIP, Date.now() + HOUR + ROUND_TRIP);
    expect(warnings).to.have.length(1);
    const near = clockAt(() => 250);
    await near.measure();
    expect(warnings).to.have.length(1);
  });
});

eachDatabase((database) => {
  if (database.kind !== "postgres") return;

  describe("times of an app whose machine's clock is wrong", () => {
    let kit: TestApp;
    before(async () => {
      kit = await createTestApp({ app: {} });
    });
    after(() => kit.stop());

    it("are those of the database: with a clock that is an hour ahead, and with one that is set", async () => {
      await kit.clock.advance({ hours: 1 });
      const plinth = createPlinth(await loadFleet(database.config()));
      const url = (await plinth.start()) ?? "";
      try {
        const { db, clock } = plinth.app;
        const timeOfServer = async (): Promise<number> => {
          const text = "select extract(epoch from clock_timestamp())::float8 * 1000 as now";
          return Number((await db.query<{ now: number }>({ text, values: [] }))[0]?.now);
        };
        /** How far the time of a write is from the time in which the server got it. */
        const createdApart = async (plate: string): Promise<number> => {
          const before = await timeOfServer();
          const { createdAt } = await fetchData<Entry>(url, "POST", "/api/cars", { plate });
          const at = Date.parse(String(createdAt));
          return Math.max(0, before - at, at - (await timeOfServer()));
        };
        const ahead = await createdApart("C 1");
        await kit.clock.advance({ hours: 1 });
        const set = await createdApart("C 2");
        expect(Math.max(ahead, set)).to.be.lessThan(ROUND_TRIP);
        expect(Math.abs(clock.now() - Date.now())).to.be.greaterThan(2 * HOUR - 1_000);
        console.log(
          `[fleet] clock + 1 h: times within ${Math.round(ahead)} ms, within ${Math.round(set)} ms once it is set`,
        );
      } finally {
        await plinth.stop();
      }
    });

    it("is the time of rules, for those who did not sign in and for the bearers of tokens", async () => {
      await kit.clock.advance({ hours: 1 });
      const setup = await loadFleet(database.config());
      const rule = { action: "api::car.car.find", where: { createdAt: { $lt: "{{now}}" } } };
      const access = { public: ["api::car.car.create", rule], tokens: { "a-long-secret": [rule] } };
      const plinth = createPlinth({ ...setup, config: { ...setup.config, access } });
      const url = (await plinth.start()) ?? "";
      try {
        await fetchData<Entry>(url, "POST", "/api/cars", { plate: "C 3" });
        // Half an hour later by the database, and half an hour before by the clock of this machine.
        const text = "update cars set created_at = clock_timestamp() + interval '30 minutes' where plate = 'C 3'";
        await plinth.app.db.query({ text, values: [] });
        const plates = async (headers: Record<string, string>) => {
          const answer = await fetch(`${url}/api/cars?filters[plate]=C 3`, { headers });
          return ((await answer.json()) as { data: readonly unknown[] }).data;
        };
        expect(await plates({})).to.deep.equal([]);
        expect(await plates({ authorization: "Bearer a-long-secret" })).to.deep.equal([]);
      } finally {
        await plinth.stop();
      }
    });
  });
});
