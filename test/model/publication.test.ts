import { expect } from "chai";
import fc from "fast-check";
import { serverDatabase } from "../databases.js";
import { openNewsroom } from "./newsroom.js";
import { PARALLEL_RUNS, SEED } from "./runs.js";
import { sequences } from "./steps.js";
import { tryOut } from "./try-out.js";
import { WORLDS } from "./world.js";

/** Tables whose rows a publication cannot name. Unlogged ones are in no publication. */
const NAMELESS = `select relname as name from pg_class c
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relpersistence = 'p'
  and not exists (select from pg_index i where i.indrelid = c.oid and (i.indisreplident or (i.indisprimary and c.relreplident = 'd')))
  and c.relreplident <> 'f'`;

for (const [name, world] of Object.entries(WORLDS)) {
  describe(`with a publication of all tables, ${name}`, function () {
    this.timeout(300_000 + PARALLEL_RUNS * 10_000);
    const database = serverDatabase();
    if (!database) return;
    const newsroom = openNewsroom(database, world);
    const sql = (text: string) => newsroom().plinth.app.db.query({ text, values: [] });

    before("publish all tables", () => sql("create publication everything for all tables"));

    it("every table has what names its rows", async () => {
      expect(await sql(NAMELESS)).to.deep.equal([]);
    });

    it(`random sequences of writes do what they do without (seed ${SEED})`, async () => {
      const length = { minLength: 1, maxLength: 24, size: "max" } as const;
      let steps = 0;
      const sequence = sequences({ isAlone: true }, (step) => fc.array(step, length));
      const holds = fc.asyncProperty(sequence, async (chosen) => {
        steps += chosen.length;
        await tryOut(newsroom(), chosen);
      });
      await fc.assert(holds, { numRuns: PARALLEL_RUNS, seed: SEED, unbiased: true });
      console.log(`[fleet] publication for all tables, ${name}: ${steps} steps of the model, 0 failed`);
    });
  });
}
