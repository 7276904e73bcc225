import { promisify } from "node:util";
import { ClockBackwardsError, TimeInvalidError } from "../errors.js";
import { MovableTimer, real, type TimerFrame } from "./movable-timer.js";

/** A length of time; its parts are added up. */
export interface Duration {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
  readonly milliseconds?: number;
}

/**
 * The time of this process: of all its apps, and of the test. It runs on, and can be moved forward.
 *
 * A move works like the sleep of a computer: `Date` jumps, and each timer that came due
 * meanwhile runs, once, in the order of the times; one that repeats goes on from there. What measures durations
 * (`performance.now`) and what Node waits for by itself, such as sockets, are not affected. Move it while no request
 * is under way: a time-out is a timer too.
 */
export interface Clock {
  now(): Date;
  /** Moves on, until the timers that came due have run. @throws PLINTH_TESTKIT_TIME_INVALID */
  advance(by: Duration): Promise<void>;
  /** Moves on to a time. @throws PLINTH_TESTKIT_TIME_INVALID, PLINTH_TESTKIT_CLOCK_BACKWARDS */
  advanceTo(time: Date | string): Promise<void>;
  /** Goes back to the real time; every timer keeps its remaining time. */
  reset(): void;
}

const UNITS: Readonly<Record<string, number>> = {
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1_000,
  milliseconds: 1,
};

// Not @sinonjs/fake-timers: its running time fell 127 ms behind in 2 s. See core/decisions/0016-libraries-and-what-stays.md.
let offset = 0;
let users = 0;
const frame: TimerFrame = { now: () => real.Date.now() + offset, waiting: new Set() };

const clock: Clock = {
  now: () => new real.Date(frame.now()),
  advance: (by) => moveBy(lengthOf(by)),
  advanceTo: (time) => {
    const wanted = new real.Date(time);
    const length = wanted.getTime() - frame.now();
    if (Number.isNaN(length)) throw new TimeInvalidError({ given: String(time) });
    if (length < 0) throw new ClockBackwardsError({ wanted: wanted.toISOString(), now: clock.now().toISOString() });
    return moveBy(length);
  },
  reset: () => {
    for (const timer of frame.waiting) timer.due -= offset;
    offset = 0;
  },
};

/** The clock of the process, shared: it is released when all users have released it. */
export function takeClock(): { readonly clock: Clock; release(): void } {
  users += 1;
  if (users === 1) Object.assign(globalThis, replacements);
  let isTaken = true;
  return {
    clock,
    release: () => {
      if (!isTaken) return;
      isTaken = false;
      users -= 1;
      if (users > 0) return;
      clock.reset();
      const { setImmediate: _, ...replaced } = real;
      Object.assign(globalThis, replaced);
    },
  };
}

function lengthOf(by: Duration): number {
  const parts = Object.entries(by).map(([unit, count]) => (UNITS[unit] ?? Number.NaN) * count);
  const length = parts.reduce((sum, part) => sum + part, 0);
  if (!(length >= 0 && length < 1e15)) throw new TimeInvalidError({ given: JSON.stringify(by) });
  return length;
}

async function moveBy(length: number): Promise<void> {
  offset += length;
  const due = [...frame.waiting].filter((timer) => timer.due <= frame.now()).sort((a, b) => a.due - b.due);
  const run = due.map((timer) => timer.untilRun());
  for (const timer of [...frame.waiting].sort((a, b) => a.due - b.due)) timer.rearm();
  await Promise.all(run);
  await new Promise((done) => real.setImmediate(done));
}

type Callback = (...args: unknown[]) => void;

/** Replaces a function of Node that starts timers; `util.promisify` gets Node's own. */
function starter(original: typeof setTimeout | typeof setInterval, repeats: boolean): unknown {
  const start = (callback: Callback, delay = 1, ...args: unknown[]): MovableTimer =>
    new MovableTimer({ delay: Number(delay), repeats, run: () => callback(...args) }, frame);
  return Object.assign(start, { [promisify.custom]: Reflect.get(original, promisify.custom) });
}

function clear(timer: unknown): void {
  const found = timer instanceof MovableTimer ? timer : byId(timer);
  if (found) found.close();
  else real.clearTimeout(timer as NodeJS.Timeout);
}

function byId(id: unknown): MovableTimer | undefined {
  if (typeof id !== "number" && typeof id !== "string") return undefined;
  return [...frame.waiting].find((timer) => Number(timer) === Number(id));
}

const replacements = {
  Date: createMovedDate(frame.now),
  setTimeout: starter(real.setTimeout, false),
  setInterval: starter(real.setInterval, true),
  clearTimeout: clear,
  clearInterval: clear,
};

/** A `Date` with another now; all else, instances included, is the real one. */
function createMovedDate(now: () => number): DateConstructor {
  return new Proxy(real.Date, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new real.Date(now()).toString(),
    get: (target, key, receiver) => (key === "now" ? now : Reflect.get(target, key, receiver)),
  });
}
