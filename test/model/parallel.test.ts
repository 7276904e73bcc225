import { AsyncLocalStorage } from "node:async_hooks";
import { AssertionError } from "chai";
import fc from "fast-check";
import { eachDatabase } from "../databases.js";
import { clockOfDifferentTimes } from "./clock.js";
import { compareAll, compareOverHttp, seeAll } from "./compare.js";
import { Refused } from "./lists.js";
import { Model } from "./model.js";
import { type Newsroom, openNewsroom, type Witness } from "./newsroom.js";
import { Player } from "./play.js";
import { PARALLEL_RUNS, SEED } from "./runs.js";
import { settle } from "./settle.js";
import { type Step, sequences, stepText, type WriteStep } from "./steps.js";
import { endsOf, SLOTS, TYPE_NAMES, type World, WORLDS } from "./world.js";

const CLIENTS = 8;
const STEPS = 6;
const exactly = (length: number) => ({ minLength: length, maxLength: length });

/** What a client did, and when: how many were done when it began, its order among all, the time that the documents tell. */
interface Deed {
  readonly step: Step;
  readonly begun: number;
  order?: number;
  now: number;
}

for (const [name, world] of Object.entries(WORLDS)) {
  describe(`${CLIENTS} clients that write at once, ${name}`, function () {
    this.timeout(300_000 + PARALLEL_RUNS * 10_000);
    eachDatabase((database) => {
      const current = new AsyncLocalStorage<Deed>();
      let count = 0;
      // A write that waits for another one comes to its end after the other has committed. So of two that depend on each
      // other the one that is heard first has committed first.
      const witness: Witness = ({ documents = [] }) => {
        const deed = current.getStore();
        if (!deed) return;
        count += 1;
        deed.order = count;
        deed.now = Date.parse(String(documents[0]?.["updatedAt"]));
      };
      const newsroom = openNewsroom(database, world, { witness, clock: clockOfDifferentTimes() });
      const play: Play = async (player, step) => {
        const deed: Deed = { step, begun: count, now: 0 };
        const outcome = await current.run(deed, () => player.play(step));
        if (outcome === "refused") delete deed.order;
        return deed;
      };

      it(`leave what the model says of their writes in the order of commits (${PARALLEL_RUNS} runs, seed ${SEED})`, async () => {
        const clients = sequences({ isAlone: false }, (step) =>
          fc.array(fc.array(step, exactly(STEPS)), exactly(CLIENTS)),
        );
        const holds = fc.asyncProperty(clients, (chosen) => tryOut(newsroom(), chosen, play));
        await fc.assert(holds, { numRuns: PARALLEL_RUNS, seed: SEED, endOnFailure: true });
      });
    });
  });
}

type Play = (player: Player, step: Step) => Promise<Deed>;

/** Lets all clients play at once, and compares what is there afterwards with the model of their deeds. */
async function tryOut(newsroom: Newsroom, sequences: readonly (readonly Step[])[], play: Play): Promise<void> {
  const player = new Player(newsroom);
  const deeds: Deed[] = [];
  try {
    for (const step of beginnings()) deeds.push(await playOne(player, step, play));
    await Promise.all(sequences.map(async (sequence) => deeds.push(...(await playAll(player, sequence, play)))));
    const seen = await seeAll(newsroom, player.names());
    const model = explain(newsroom.world, inOrder(deeds), (candidate) => compareAll(seen, candidate));
    await compareOverHttp(newsroom, model, player.names());
  } catch (error) {
    const lines = inOrder(deeds).map(({ step }) => stepText(step));
    throw new Error(`${(error as Error).message}\nafter\n  ${lines.join("\n  ")}`, { cause: error });
  } finally {
    await newsroom.empty();
  }
}

/** All documents are there before the clients begin, so that they get in each other's way. */
function beginnings(): readonly WriteStep[] {
  const body = { title: "start", relations: {} };
  const made = { kind: "write", locale: "en", publishes: true, body, door: "code" } as const;
  return TYPE_NAMES.flatMap((type) => SLOTS.map((slot) => ({ ...made, type, slot })));
}

async function playAll(player: Player, sequence: readonly Step[], play: Play): Promise<readonly Deed[]> {
  const deeds: Deed[] = [];
  for (const random of sequence) {
    const isThere = (type: Step["type"], slot: Step["slot"]) => player.id({ type, slot }) !== undefined;
    // Only what runs in our async context is heard of.
    if (isThere(random.type, random.slot))
      deeds.push(await playOne(player, { ...settle(random, isThere), door: "code" }, play));
  }
  return deeds;
}

async function playOne(player: Player, step: Step, play: Play): Promise<Deed> {
  const deed = await play(player, step);
  const left = step.kind === "delete" ? await player.newsroom.documents(step.type).count(of(player, step)) : 1;
  if (left === 0) player.release(step);
  return deed;
}

const of = (player: Player, step: Step) => ({ filters: { documentId: player.id(step) ?? "" }, locale: "*" });

/** A deed that has come to its end. */
type Done = Deed & { readonly order: number };

const inOrder = (deeds: readonly Deed[]): readonly Done[] =>
  deeds.filter((deed): deed is Done => deed.order !== undefined).sort((a, b) => a.order - b.order);

/** The model of the deeds in the order of commits, or in one that is as good. @throws what differs in the order of commits */
function explain(world: World, deeds: readonly Done[], compare: (model: Model) => void): Model {
  const explained = (order: readonly Done[]): Model => {
    const model = replay(world, order);
    compare(model);
    return model;
  };
  try {
    return explained(deeds);
  } catch (error) {
    for (const order of otherOrders(deeds)) {
      try {
        return explained(order);
      } catch (other) {
        if (!(other instanceof AssertionError || other instanceof Refused)) throw other;
      }
    }
    throw error;
  }
}

/**
 * Who publishes, discards or writes a relation from its other side takes the links that others keep as they are at one
 * moment, and waits only for those who have changed them by then. Who changes one right after that moment may commit
 * first, and yet comes later. So such a deed may as well stand before those that came to their end while it ran.
 */
function otherOrders(deeds: readonly Done[]): readonly (readonly Done[])[] {
  return deeds.flatMap((deed, index) => {
    if (!readsLinksOfOthers(deed.step)) return [];
    const first = deeds.findIndex(({ order }) => order > deed.begun);
    const rest = deeds.filter((other) => other !== deed);
    const places = Array.from({ length: index - first }, (_, distance) => index - 1 - distance);
    return places.map((place) => rest.toSpliced(place, 0, deed));
  });
}

function readsLinksOfOthers(step: Step): boolean {
  if (step.kind !== "write") return step.kind === "publish" || step.kind === "discardDraft";
  return step.publishes || endsOf(step.type).some(({ name, isInverse }) => isInverse && name in step.body.relations);
}

function replay(world: World, deeds: readonly Done[]): Model {
  const model = new Model(world);
  for (const { step, now } of deeds) model.run(settle(step, model.exists), now);
  return model;
}
