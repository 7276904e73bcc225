import { expect } from "chai";
import { parseCron } from "#plugins/jobs/src/cron-times.js";
import { CronClock } from "#plugins/jobs/src/worker/cron-clock.js";
import { eachDatabase } from "../../databases.js";
import { type JobsApp, startJobsApp } from "./jobs-app.js";

const MINUTE = 60_000;
const YEAR = 365 * 24 * 60 * MINUTE;
const TIME = Date.parse("2026-05-04T10:00:30Z");

describe("the clock of jobs", () => {
  eachDatabase((database) => {
    let app: JobsApp;
    const said: string[] = [];
    const enqueued: string[] = [];
    before("start an app that runs nothing", async () => {
      app = await startJobsApp(database.config(), { start: { listen: false } });
    });
    beforeEach("forget all times", async () => {
      await app.plinth.app.db.query({ text: "delete from plinth_cron", values: [] });
      said.length = 0;
      enqueued.length = 0;
    });
    after("stop it", () => app?.plinth.stop());

    /** A clock of a process of its own, which shows the time that is set. */
    const clockAt = (now: number) => {
      const time = { now: () => now };
      const log = { warn: (_: object, text: string) => void said.push(text) };
      const definition = { name: "minutely", expression: "* * * * *", timezone: "UTC" };
      const crons = [{ ...definition, times: parseCron(definition.expression, "UTC") }];
      const enqueue = async (_: string, { tick }: { readonly tick: string }) => void enqueued.push(tick);
      const parts = { app: { db: app.plinth.app.db, clock: time, log }, definitions: { crons }, jobs: { enqueue } };
      const clock = new CronClock(parts as unknown as ConstructorParameters<typeof CronClock>[0]);
      const tickAt = async (next: number) => {
        time.now = () => next;
        await clock.tick();
      };
      return { tick: () => clock.tick(), tickAt };
    };

    it("goes on at once, with a warning, where one that was ahead had taken times before it was there", async () => {
      const wrong = clockAt(TIME + YEAR);
      await wrong.tick();
      await wrong.tickAt(TIME + YEAR + MINUTE);
      expect(enqueued.splice(0)).to.deep.equal(["2027-05-04T10:01:00.000Z"]);
      const right = clockAt(TIME);
      await right.tick();
      expect(said).to.have.length(1);
      expect(said[0]).to.include('"minutely"').and.include("2027-05-04T10:01:00.000Z");
      await right.tickAt(TIME + MINUTE);
      await right.tickAt(TIME + 2 * MINUTE);
      expect(enqueued).to.deep.equal(["2026-05-04T10:01:00.000Z", "2026-05-04T10:02:00.000Z"]);
      expect(said).to.have.length(1);
    });

    it("goes on where it was ahead itself, and was set back", async () => {
      const clock = clockAt(TIME);
      await clock.tick();
      await clock.tickAt(TIME + YEAR);
      await clock.tickAt(TIME);
      await clock.tickAt(TIME + MINUTE);
      expect(enqueued).to.deep.equal(["2027-05-04T10:00:00.000Z", "2026-05-04T10:01:00.000Z"]);
      expect(said).to.have.length(1);
    });

    it("misses no time where another process is ahead while it runs", async () => {
      const [right, beside, wrong] = [clockAt(TIME), clockAt(TIME), clockAt(TIME)];
      for (const clock of [right, beside, wrong]) await clock.tick();
      await wrong.tickAt(TIME + YEAR);
      enqueued.length = 0;
      for (const clock of [right, beside]) await clock.tickAt(TIME + MINUTE);
      expect(enqueued).to.deep.equal(["2026-05-04T10:01:00.000Z"]);
      expect(said).to.have.length(1);
    });

    it("takes each time once where clocks differ by seconds, and says nothing", async () => {
      const [early, late] = [clockAt(TIME + 20_000), clockAt(TIME)];
      for (const clock of [early, late]) await clock.tick();
      for (let minute = 1; minute <= 3; minute += 1) {
        await early.tickAt(TIME + minute * MINUTE + 20_000);
        await late.tickAt(TIME + minute * MINUTE);
      }
      const ticks = [1, 2, 3].map((minute) => `2026-05-04T10:0${minute}:00.000Z`);
      expect(enqueued).to.deep.equal(ticks);
      expect(said).to.deep.equal([]);
    });
  });
});
