/** The real functions of time, kept before a clock replaces them. */
export const real = {
  Date: globalThis.Date,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
} as const;

/** The longest delay of Node's timers; longer ones count as 1 ms there. */
const LONGEST = 2 ** 31 - 1;

/** Far from the ids of Node's own timers. */
let lastId = 2 ** 40;

/** What a timer does, and when. */
export interface TimerPlan {
  /** Milliseconds. */
  readonly delay: number;
  readonly repeats: boolean;
  run(): void;
}

/** The time that timers go by. */
export interface TimerFrame {
  /** Milliseconds since 1970. */
  now(): number;
  /** The pending timers; they add and remove themselves. */
  readonly waiting: Set<MovableTimer>;
}

/**
 * A timer of Node whose wait can be cut short.
 *
 * Its members with an underscore are those that Node's own clearTimeout, which a module may hold on to, looks at; no
 * documentation names them. Written against Node 20 to 24; test/plugins/test-kit/clock.test.ts fails on one that differs.
 */
export class MovableTimer implements NodeJS.Timeout {
  /** A module may keep Node's own clearTimeout, which ignores timers that are marked as destroyed. */
  readonly _destroyed = true;
  /** When it runs, in the time of its clock. */
  due = 0;
  readonly #id: number;
  readonly #plan: TimerPlan;
  readonly #frame: TimerFrame;
  readonly #delay: number;
  readonly #listening: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #hasRef = true;
  #isClosed = false;

  constructor(plan: TimerPlan, frame: TimerFrame) {
    lastId += 1;
    this.#id = lastId;
    this.#plan = plan;
    this.#frame = frame;
    this.#delay = plan.delay >= 1 && plan.delay <= LONGEST ? Math.trunc(plan.delay) : 1;
    this.#start(this.#delay);
  }

  /** Restarts with the remaining delay after a change of the time. */
  rearm(): void {
    const { due } = this;
    this.#start(Math.max(0, due - this.#frame.now()));
    this.due = due;
  }

  /** True once it has run or is cancelled. */
  untilRun(): Promise<void> {
    return new Promise((done) => this.#listening.push(done));
  }

  ref(): this {
    this.#hasRef = true;
    this.#timer?.ref();
    return this;
  }

  unref(): this {
    this.#hasRef = false;
    this.#timer?.unref();
    return this;
  }

  hasRef(): boolean {
    return this.#hasRef;
  }

  /** As with Node's own, one that has run starts again. */
  refresh(): this {
    if (!this.#isClosed) this.#start(this.#delay);
    return this;
  }

  close(): this {
    this.#isClosed = true;
    this.#stop();
    this.#tell();
    return this;
  }

  /** Node empties it. */
  get _onTimeout(): () => void {
    return () => this.#run();
  }

  set _onTimeout(_callback: unknown) {
    this.close();
  }

  [Symbol.toPrimitive](): number {
    return this.#id;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #start(wait: number): void {
    real.clearTimeout(this.#timer);
    this.due = this.#frame.now() + wait;
    this.#timer = real.setTimeout(() => this.#run(), wait);
    if (!this.#hasRef) this.#timer.unref();
    this.#frame.waiting.add(this);
  }

  #stop(): void {
    real.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#frame.waiting.delete(this);
  }

  #run(): void {
    if (this.#plan.repeats) this.#start(this.#delay);
    else this.#stop();
    try {
      this.#plan.run();
    } finally {
      this.#tell();
    }
  }

  #tell(): void {
    for (const done of this.#listening.splice(0)) done();
  }
}
