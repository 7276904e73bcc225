import fc from "fast-check";
import { eachDatabase } from "../databases.js";
import { compareAll, compareOverHttp, seeAll } from "./compare.js";
import { Refused } from "./lists.js";
import { Model } from "./model.js";
import { type Newsroom, openNewsroom } from "./newsroom.js";
import { Player } from "./play.js";
import { RUNS, SEED } from "./runs.js";
import { settle } from "./settle.js";
import { type Step, sequences, stepText } from "./steps.js";
import { SLOTS, TYPE_NAMES, WORLDS } from "./world.js";

for (const [name, world] of Object.entries(WORLDS)) {
  describe(`random sequences of writes, ${name}`, function () {
    this.timeout(60_000 + RUNS * 10_000);
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

/** Plays steps in the app and in the model, and compares all there is after each one. */
async function tryOut(newsroom: Newsroom, sequence: readonly Step[]): Promise<void> {
  const model = new Model(newsroom.world);
  const player = new Player(newsroom);
  const played: string[] = [];
  try {
    for (const random of sequence) {
      const step = settle(random, model.exists, model);
      played.push(stepText(step));
      await playBoth(player, model, step);
      compareAll(await seeAll(newsroom, player.names()), model);
    }
    await compareOverHttp(newsroom, model, player.names());
  } catch (error) {
    throw new Error(`${(error as Error).message}\nafter\n  ${played.join("\n  ")}`, { cause: error });
  } finally {
    await newsroom.empty();
  }
}

async function playBoth(player: Player, model: Model, step: Step): Promise<void> {
  const outcome = await player.play(step);
  const isRefused = isRefusedBy(model, step, typeof outcome === "object" ? outcome.now : 0);
  if ((outcome === "refused") !== isRefused)
    throw new Error(`The app ${isRefused ? "accepted" : "refused"} the last step, the model did not.`);
  for (const type of TYPE_NAMES)
    for (const slot of SLOTS) if (!model.exists(type, slot)) player.release({ type, slot });
}

function isRefusedBy(model: Model, step: Step, now: number): boolean {
  try {
    model.run(step, now);
    return false;
  } catch (error) {
    if (error instanceof Refused) return true;
    throw error;
  }
}
