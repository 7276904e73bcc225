import { compareAll, compareOverHttp, seeAll } from "./compare.js";
import { Refused } from "./lists.js";
import { Model } from "./model.js";
import type { Newsroom } from "./newsroom.js";
import { Player } from "./play.js";
import { settle } from "./settle.js";
import { type Step, stepText } from "./steps.js";
import { SLOTS, TYPE_NAMES } from "./world.js";

/**
 * Plays steps in the app and in the model, and compares all there is after each one; the app is empty afterwards.
 *
 * @throws an error with the steps that led to a difference
 */
export async function tryOut(newsroom: Newsroom, sequence: readonly Step[]): Promise<void> {
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
