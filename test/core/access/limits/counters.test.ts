import { expect } from "chai";
import { createDatabaseCounters } from "#core/access/limits/counters.js";
import type { Database } from "#core/database/driver/database.js";
import { ATTEMPTS_SQL } from "#core/database/layout/counters.js";
import { eitherDatabase } from "../../../databases.js";

const MINUTE = 60;

eitherDatabase(import.meta.url, (database) => {
  describe("counters in the database", () => {
    let db: Database;
    let ahead = 0;
    const clock = { now: () => Date.now() + ahead, offset: 0 };
    before("make their table", async () => {
      db = await database.connect();
      await db.queryAll(ATTEMPTS_SQL.map((text) => ({ text, values: [] })));
    });
    beforeEach(() => {
      ahead = 0;
    });
    const valuesOf = async (key: string, by: number) => {
      const counts = await createDatabaseCounters({ db, clock }).add([{ key, by, interval: MINUTE }]);
      return counts.map(({ value }) => value);
    };

    it("add up in an interval, which begins with the first addition and ends by the clock of the app", async () => {
      expect(await valuesOf("ada", 1)).to.deep.equal([1]);
      ahead = 59_000;
      expect(await valuesOf("ada", 2)).to.deep.equal([3]);
      expect(await createDatabaseCounters({ db, clock }).read("ada")).to.equal(3);
      ahead = 61_000;
      expect(await createDatabaseCounters({ db, clock }).read("ada")).to.equal(0);
      expect(await valuesOf("ada", 2)).to.deep.equal([2]);
    });

    it("say when an interval ends, for each of several keys, in their order", async () => {
      const counters = createDatabaseCounters({ db, clock });
      await counters.add([{ key: "long", by: 1, interval: 10 * MINUTE }]);
      const [short, long] = await counters.add([
        { key: "short", by: 1, interval: MINUTE },
        { key: "long", by: 1, interval: MINUTE },
      ]);
      expect([short?.value, long?.value]).to.deep.equal([1, 2]);
      expect((short?.endsAt ?? 0) - Date.now()).to.be.within(0, 60_000);
      expect((long?.endsAt ?? 0) - Date.now()).to.be.within(60_000, 600_000);
    });
  });
});
