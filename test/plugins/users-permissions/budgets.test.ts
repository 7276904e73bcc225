import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "chai";
import { systemClock } from "#core/database/clock.js";
import { createDatabaseCounters } from "#core/access/limits/counters.js";
import type { Database } from "#core/database/driver/database.js";
import { ATTEMPTS_SQL } from "#core/database/layout/counters.js";
import { createBudgets } from "#plugins/users-permissions/src/rate-limit/rate-limit.js";
import { eitherDatabase } from "../../databases.js";

/** Bytes of the heap that are in use, when nothing is left to collect. */
function usedHeap(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

eitherDatabase(import.meta.url, (database) => {
  describe("budgets that are spent", () => {
    let db: Database;
    before("make the table of attempts", async () => {
      db = await database.connect();
      await db.queryAll(ATTEMPTS_SQL.map((text) => ({ text, values: [] })));
    });

    it("are remembered, so that refusing costs no statement", async () => {
      const budgets = createBudgets(createDatabaseCounters({ db, clock: systemClock }), 60);
      const [spent] = await budgets.spend([{ key: "ada", limit: 0 }]);
      const before = db.statementCount;
      expect(await budgets.spend([{ key: "ada", limit: 0 }])).to.deep.equal([spent]);
      expect(db.statementCount).to.equal(before);
    });

    it("take as little memory for names of any length as for short ones", async () => {
      const budgets = createBudgets(createDatabaseCounters({ db, clock: systemClock }), 60);
      const spend = (i: number) => budgets.spend([{ key: `${i} ${"x".repeat(200_000)}`, limit: 0 }]);
      await spend(0);
      const before = usedHeap();
      for (let i = 1; i <= 200; i++) await spend(i);
      expect(usedHeap() - before, "bytes, of 40 MB of names").to.be.below(10_000_000);
      const { statementCount } = db;
      await spend(1);
      expect(db.statementCount).to.equal(statementCount);
    });
  });
});
