import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresNode } from "../../postgres-cluster.js";
import type { FaultyReceiver, Mood } from "../faulty-receiver.js";
import type { Fleet } from "./fleet.js";
import type { Load, Work } from "./load.js";

/** Numbers from 0 to 1 that look random, by the same seed the same. */
export type Random = () => number;

/** @source https://en.wikipedia.org/wiki/Linear_congruential_generator */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What faults are done to. */
export interface Victims {
  readonly node: PostgresNode;
  readonly fleet: Fleet;
  readonly random: Random;
}

const OTHERS = `from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
const CUT = `select pg_terminate_backend(pid) ${OTHERS}`;
const CUT_SOME = `select pg_terminate_backend(pid) from (select pid ${OTHERS} order by random() limit 3) as chosen`;
const ONE = `select pid ${OTHERS} and state <> 'idle' limit 1`;
const ANY = `select pid ${OTHERS} limit 1`;

/** Milliseconds for which PostgreSQL is not there. */
const DOWN = 600;

/** What can go wrong, by how it is called in the figures. */
const FAULTS = {
  "a process killed": async ({ fleet, random }: Victims) => {
    const first = Math.floor(random() * fleet.size);
    for (let n = 0; n < fleet.size; n += 1) if (await fleet.kill((first + n) % fleet.size)) return;
  },
  "both processes killed": async ({ fleet }: Victims) => {
    for (let slot = 0; slot < fleet.size; slot += 1) await fleet.kill(slot);
  },
  "PostgreSQL stopped at once": async ({ node, random }: Victims) => {
    await node.stopAtOnce();
    await sleep(random() * DOWN);
    await node.start();
  },
  "a server process of PostgreSQL killed": async ({ node }: Victims) => {
    const [found] = [...(await node.ask<{ pid: number }>(ONE)), ...(await node.ask<{ pid: number }>(ANY))];
    if (found) process.kill(found.pid, "SIGKILL");
  },
  "all connections cut": async ({ node }: Victims) => void (await node.ask(CUT)),
  "some connections cut": async ({ node }: Victims) => void (await node.ask(CUT_SOME)),
} as const;

/** Name of a fault. */
export type Fault = keyof typeof FAULTS;

/** How often each comes, of ten: those that cost a start of a process are dear. */
const OFTEN: Readonly<Record<Fault, number>> = {
  "a process killed": 3,
  "both processes killed": 1,
  "PostgreSQL stopped at once": 2,
  "a server process of PostgreSQL killed": 1,
  "all connections cut": 2,
  "some connections cut": 1,
};

const KINDS = Object.keys(FAULTS) as readonly Fault[];
const LOTS = KINDS.flatMap((kind) => Array.from({ length: OFTEN[kind] }, () => kind));

/** Which faults come one after the other: each kind once, in some order, and then by chance. */
export function planFaults(count: number, random: Random): readonly Fault[] {
  const first = [...KINDS].map((kind) => [random(), kind] as const).sort(([a], [b]) => a - b);
  const others = Array.from(
    { length: Math.max(0, count - first.length) },
    () => LOTS[Math.floor(random() * LOTS.length)],
  );
  return [...first.map(([, kind]) => kind), ...(others as Fault[])].slice(0, count);
}

/** Requests that have to be done between two faults, of each kind one at least: each fault hits what works. */
export const WORK = 12;
/** Milliseconds within which they have to be done. */
const RECOVERY = 120_000;

/** Milliseconds from a fault until clients have got something done again. */
export type Recovery = readonly [fault: Fault, ms: number];

/** Does them while clients go on. @param look - after each. @throws where nothing works any more after one */
export async function runFaults(
  faults: readonly Fault[],
  victims: Victims & { readonly load: Load },
  look: () => Promise<void>,
): Promise<readonly Recovery[]> {
  const recoveries: Recovery[] = [];
  await untilDone(victims.load, "the first fault");
  for (const fault of faults) {
    await sleep(victims.random() * 500);
    await retried(() => FAULTS[fault](victims));
    const start = performance.now();
    await look();
    await untilDone(victims.load, fault);
    recoveries.push([fault, performance.now() - start]);
  }
  return recoveries;
}

/** The median and the longest time of each kind, in words. */
export function describeRecoveries(recoveries: readonly Recovery[]): string {
  const describe = (kind: Fault): readonly string[] => {
    const times = recoveries.flatMap(([fault, ms]) => (fault === kind ? [ms] : [])).sort((a, b) => a - b);
    const [middle, last] = [times[Math.floor(times.length / 2)], times.at(-1)];
    return middle === undefined ? [] : [`${times.length} ${kind} (${inSeconds(middle)}, ${inSeconds(last ?? middle)})`];
  };
  return KINDS.flatMap(describe).join(", ");
}

const inSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** A statement may be lost with its connection, because of the fault before. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= 100) throw error;
      await sleep(100);
    }
  }
}

async function untilDone(load: Load, after: string): Promise<void> {
  const before = { ...load.answered };
  const isDone = () => {
    const done = Object.entries(load.answered).map(([work, count]) => count - before[work as Work]);
    return done.every((count) => count > 0) && done.reduce((sum, count) => sum + count, 0) >= WORK;
  };
  for (const end = performance.now() + RECOVERY; !isDone(); await sleep(20))
    if (performance.now() > end) throw new Error(`nothing is done any more, after ${after}`);
}

const MOODS: readonly Mood[] = ["up", "down", "up", "slow", "up", "failing"];
const MOOD_TIME = 1_500;

/** Changes how a receiver is, until it is over; then it is well. @returns how often it was not */
export async function changeMoods(receiver: FaultyReceiver, isOver: () => boolean): Promise<number> {
  let ill = 0;
  for (let n = 0; !isOver(); n += 1) {
    const mood = MOODS[n % MOODS.length] ?? "up";
    ill += mood === "up" ? 0 : 1;
    await receiver.be(mood);
    await sleep(MOOD_TIME * Math.random());
  }
  await receiver.be("up");
  return ill;
}
