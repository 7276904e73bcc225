import { expect } from "chai";
import fc from "fast-check";
import { citusDatabase } from "../databases.js";
import { openNewsroom } from "./newsroom.js";
import { RUNS, SEED } from "./runs.js";
import { sequences } from "./steps.js";
import { tryOut } from "./try-out.js";
import { WORLDS } from "./world.js";

/** Each is as long as on the other databases. */
const FEWER_RUNS = Math.ceil(RUNS / 5);

for (const [name, world] of Object.entries(WORLDS)) {
  describe(`random sequences of writes on what is taken for Citus, ${name}`, function () {
    this.timeout(300_000 + FEWER_RUNS * 10_000);
    const database = citusDatabase();
    if (!database) return;
    const newsroom = openNewsroom(database, world);

    it(`leave exactly what the model says, and the totals that are there (${FEWER_RUNS} sequences, seed ${SEED})`, async () => {
      const length = { minLength: 1, maxLength: 24, size: "max" } as const;
      const sequence = sequences({ isAlone: true }, (step) => fc.array(step, length));
      const holds = fc.asyncProperty(sequence, async (chosen) => {
        await tryOut(newsroom(), chosen);
        expect(await wrongTotals()).to.deep.equal([]);
      });
      await fc.assert(holds, { numRuns: FEWER_RUNS, seed: SEED, unbiased: true });
    });

    /** Tables whose notes do not add up to their rows. */
    async function wrongTotals(): Promise<readonly object[]> {
      const { app } = newsroom().plinth;
      const wrong: object[] = [];
      for (const { table } of app.model.contentTypes.values()) {
        const text = `select "table", is_draft, locale, sum(n) from (
          select "table", is_draft, locale, rows as n from plinth_deltas where "table" = '${table}'
          union all select '${table}', published_at is null, locale, -1 from "${table}") c
          group by 1, 2, 3 having sum(n) <> 0`;
        wrong.push(...(await app.db.query({ text, values: [] })));
      }
      return wrong;
    }
  });
}
