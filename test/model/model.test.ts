import fc from "fast-check";
import { eachDatabase } from "../databases.js";
import { compareAll, compareOverHttp } from "./compare.js";
import { Refused } from "./lists.js";
import { Model } from "./model.js";
import { type Newsroom, openNewsrooms } from "./newsroom.js";
import { Player } from "./play.js";
import { settle } from "./settle.js";
import { type Step, stepText, steps } from "./steps.js";
import { TYPE_NAMES, SLOTS, WORLDS } from "./world.js";

/** How many sequences are tried on each database; PLINTH_MODEL_SEED repeats a run. */
const RUNS = Number(process.env["PLINTH_MODEL_RUNS"] ?? 100);
const SEED = Number(process.env["PLINTH_MODEL_SEED"] ?? Math.trunc(Math.random() * 2 ** 31));

describe("random sequences of writes", function () {
  this.timeout(RUNS * 10_000);
  eachDatabase((database) => {
    const newsrooms = openNewsrooms(database, WORLDS);

    it(`leave exactly what the model says, after each step (${RUNS} sequences, seed ${SEED})`, async () => {
      const sequences = fc.tuple(
        fc.nat(WORLDS.length - 1),
        fc.array(steps({ editsComponents: true }), { minLength: 1, maxLength: 24, size: "max" }),
      );
      const holds = fc.asyncProperty(sequences, ([world, sequence]) => tryOut(newsrooms[world] as Newsroom, sequence));
      await fc.assert(holds, { numRuns: RUNS, seed: SEED });
    });
  });
});

/** Plays steps in the app and in the model, and compares all there is after each one. */
async function tryOut(newsroom: Newsroom, sequence: readonly Step[]): Promise<void> {
  const model = new Model(newsroom.world);
  const player = new Player(newsroom);
  const played: string[] = [];
  try {
    for (const random of sequence) {
      const step = settle(random, model);
      played.push(stepText(step));
      await playBoth(player, model, step);
      await compareAll(newsroom, model, player.names());
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
  const expected = runModel(model, step, typeof outcome === "object" ? outcome.now : 0);
  if ((outcome === "refused") !== (expected === "refused"))
    throw new Error(`The app ${outcome === "refused" ? "refused" : "accepted"} the last step, the model did not.`);
  for (const type of TYPE_NAMES)
    for (const slot of SLOTS) if (!model.exists(type, slot)) player.release({ type, slot });
}

function runModel(model: Model, step: Step, now: number): "done" | "refused" {
  try {
    model.run(step, now);
    return "done";
  } catch (error) {
    if (error instanceof Refused) return "refused";
    throw error;
  }
}
