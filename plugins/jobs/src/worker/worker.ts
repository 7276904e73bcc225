import { setTimeout as sleep } from "node:timers/promises";
import { reasonOf } from "@plinth/core";
import { channels } from "@plinth/core/telemetry";
import { JobLostError, JobReturnedError } from "../errors.js";
import { CronClock } from "./cron-clock.js";
import { WorkQueue } from "./work-queue.js";
import type { WorkerParts } from "./worker-parts.js";

/** How often a process looks whether there is something that no message told it of, in milliseconds. */
const LOOK_INTERVAL = 1_000;
/** How often within a lease a process says that it still has its jobs. */
const BEATS = 3;
/** What jobs get that heed their signal, in milliseconds. */
const LAST_WORD = 500;

/** What a worker saw when it looked last. */
export interface WorkerState {
  readonly running: number;
  /** Milliseconds for which the oldest job that could run has waited. */
  readonly oldest: number;
  /** Why it does not know; undefined where it does. */
  readonly reason: string | undefined;
}

/** Runs the jobs of one process, while it is there to work. */
export class Worker {
  readonly #queues = new Map<string, WorkQueue>();
  readonly #cron: CronClock;
  /** Starts and stops follow each other. */
  #turn: Promise<void> = Promise.resolve();
  #leave: (() => void) | undefined;
  #look: NodeJS.Timeout | undefined;
  #beat: NodeJS.Timeout | undefined;
  /** For a job that is due before the next look. */
  #soon: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #beating: Promise<void> | undefined;
  #oldest = 0;
  #reason: string | undefined;

  constructor(private readonly parts: WorkerParts) {
    this.#cron = new CronClock(parts);
  }

  /** Undefined while it does not work. */
  get state(): WorkerState | undefined {
    if (!this.#leave) return undefined;
    const running = [...this.#queues.values()].reduce((sum, queue) => sum + queue.running.size, 0);
    return { running, oldest: this.#oldest, reason: this.#reason };
  }

  /** Begins to work; it may begin again after a stop. */
  start(): void {
    this.#turn = this.#turn.then(() => this.#begin());
  }

  /** Begins nothing more, and waits for what runs; after the time limit, in milliseconds, other processes go on with it. */
  stop(timeout: number): Promise<void> {
    this.#turn = this.#turn.then(() => this.#end(timeout));
    return this.#turn;
  }

  #begin(): void {
    if (this.#leave) return;
    const { definitions, wakeUp, config } = this.parts;
    for (const name of definitions.names) this.#queues.set(name, new WorkQueue(definitions.get(name), this.parts));
    this.#leave = wakeUp.listen((names) => this.#wake(names ?? definitions.names));
    this.#look = setInterval(() => void this.#lookAround(), LOOK_INTERVAL).unref();
    this.#beat = setInterval(() => void this.#holdOn(), config.lease / BEATS).unref();
    void this.#lookAround();
  }

  /** Waits until nothing runs, and nothing waits that could. At once where this process does not work. */
  async idle(): Promise<void> {
    await this.#turn;
    while (this.#leave) {
      const queues = [...this.#queues.values()];
      await Promise.all(queues.map((queue) => queue.ended()));
      const waiting = (await this.parts.store.look([...this.#queues.keys()])).filter(isDue);
      if (waiting.length === 0 && queues.every(({ isIdle }) => isIdle)) return;
      await Promise.all(waiting.map(({ name }) => this.#queues.get(name)?.fill()));
    }
  }

  async #end(timeout: number): Promise<void> {
    if (!this.#leave) return;
    this.#leave();
    this.#leave = undefined;
    clearInterval(this.#look);
    clearTimeout(this.#soon);
    const queues = [...this.#queues.values()];
    for (const queue of queues) queue.close();
    await Promise.all([this.#looking, within(timeout, () => Promise.all(queues.map((queue) => queue.ended())))]);
    await this.#giveBack(queues);
    clearInterval(this.#beat);
    await this.#beating;
    this.#queues.clear();
  }

  #wake(names: readonly string[]): void {
    for (const name of names) void this.#queues.get(name)?.fill();
  }

  #lookAround(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookOnce(): Promise<void> {
    try {
      await this.#cron.tick();
      const states = await this.parts.store.look(this.parts.definitions.names);
      this.#oldest = Math.max(0, ...states.map(({ waited }) => waited ?? 0));
      this.#reason = undefined;
      this.#report(states);
      this.#wake(states.filter(isDue).map(({ name }) => name));
      this.#lookSoon(states);
    } catch (err) {
      // Its next look says more; who watches sees it in the health of the process.
      if (this.#reason === undefined) this.parts.app.log.warn({ err }, "Jobs could not be looked for");
      this.#reason = reasonOf(err);
    }
  }

  /** Jobs whose time comes before the next look are begun at it. */
  #lookSoon(states: readonly { readonly waited: number | null }[]): void {
    clearTimeout(this.#soon);
    const left = Math.min(...states.map(({ waited }) => (waited === null || waited >= 0 ? LOOK_INTERVAL : -waited)));
    if (left < LOOK_INTERVAL && this.#leave) this.#soon = setTimeout(() => void this.#lookAround(), left + 1).unref();
  }

  #report(states: readonly { readonly name: string; readonly waited: number | null }[]): void {
    const { app } = this.parts;
    if (!channels.jobQueue.hasSubscribers) return;
    for (const { name: queue, waited } of states)
      channels.jobQueue.publish({ app, queue, oldest: Math.max(0, waited ?? 0) });
  }

  #holdOn(): Promise<void> {
    this.#beating ??= this.#beatOnce()
      .catch((err: unknown) => this.parts.app.log.warn({ err }, "It could not be said that this process runs its jobs"))
      .finally(() => {
        this.#beating = undefined;
      });
    return this.#beating;
  }

  async #beatOnce(): Promise<void> {
    const held = [...this.#queues.values()].flatMap((queue) => queue.held());
    if (held.length === 0) return;
    const kept = await this.parts.store.keep(held);
    for (const job of held) if (!kept.has(job.id)) job.abandon(new JobLostError({ name: job.name }));
  }

  async #giveBack(queues: readonly WorkQueue[]): Promise<void> {
    const left = queues.flatMap((queue) => queue.held());
    if (left.length === 0) return;
    for (const job of left) job.abandon(new JobReturnedError({ name: job.name }));
    await within(LAST_WORD, () => Promise.all(queues.map((queue) => queue.ended())));
    const { store, app, wakeUp } = this.parts;
    try {
      await store.giveBack(left);
      for (const { name } of left) wakeUp.tell(name);
    } catch (err) {
      const ids = left.map(({ id }) => id);
      app.log.warn({ err, ids }, "Jobs could not be given back; another process takes them when their lease is over");
    }
  }
}

const isDue = ({ waited }: { readonly waited: number | null }): boolean => waited !== null && waited >= 0;

/** Waits for work, or until its time is up. */
async function within(limit: number, work: () => Promise<unknown>): Promise<void> {
  const stop = new AbortController();
  const over = sleep(limit, undefined, { signal: stop.signal }).catch(() => undefined);
  await Promise.race([work(), over]);
  stop.abort();
}
