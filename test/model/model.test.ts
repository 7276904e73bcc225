import fc from "fast-check";
import { eachDatabase } from "../databases.js";
import { openNewsroom } from "./newsroom.js";
import { RUNS, SEED } from "./runs.js";
import { sequences } from "./steps.js";
import { tryOut } from "./try-out.js";
import { WORLDS } from "./world.js";

for (const [name, world] of Object.entries(WORLDS)) {
  describe(`random sequences of writes, ${name}`, function () {
    this.timeout(300_000 + RUNS * 10_000);
    eachDatabase((database) => {
      const newsroom = openNewsroom(database, world);

      it(`leave exactly what the model says after each step (${RUNS} sequences, seed ${SEED})`, async () => {
        const length = { minLength: 1, maxLength: 24, size: "max" } as const;
        const sequence = sequences({ isAlone: true }, (step) => fc.array(step, length));
        const holds = fc.asyncProperty(sequence, (chosen) => tryOut(newsroom(), chosen));
        await fc.assert(holds, { numRuns: RUNS, seed: SEED, unbiased: true });
      });
    });
  });
}
