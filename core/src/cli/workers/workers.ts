import { setTimeout as sleep } from "node:timers/promises";
import { reasonOf } from "../../base/error.js";
import type { Readiness } from "../../http/health.js";
import { Collector } from "./collect.js";
import type { Release } from "./release.js";
import { Together } from "./together.js";
import type { Worker, WorkerEnd } from "./worker.js";

/** Milliseconds that a worker has to live for its end to count as the first one. */
const LIVES = 60_000;
/** The first pause, and the longest, before a worker is started again that has ended more than once, in milliseconds. */
const PAUSE = 1_000;
const MAX_PAUSE = 30_000;

/** What is known of one worker, for those who run the app. */
export interface WorkerReport {
  readonly worker: number;
  readonly pid: number;
  readonly since: Date;
  readonly status: Readiness;
  readonly checks: object;
}

/** How an app is that several workers serve. */
export interface WorkersReport {
  /** `ready` where all are, `degraded` where some are: a balancer goes on to send requests. */
  readonly status: Readiness;
  readonly workers: readonly WorkerReport[];
}

/** What workers are made of. */
export interface WorkersOptions {
  readonly count: number;
  /** The version that new workers are of. @throws an error where there is none */
  readonly newest: () => Release;
  /** Starts the process of a worker. @param told - to be called when it has said how it is. */
  readonly fork: (number: number, release: Release, told: () => void) => Worker;
  /** What those who run the app should know. */
  readonly log: (level: "info" | "warn" | "error", message: string) => void;
}

/** One of the places for workers. */
interface Slot {
  readonly number: number;
  worker: Worker;
  /** How often in a row it has ended soon after its start. */
  failures: number;
}

/**
 * A fixed number of workers. One that ends is started again, in the version that it had: at once the first time, then after 1, 2,
 * 4 ... 30 seconds, until it has lived for a minute.
 */
export class Workers {
  readonly collector = new Collector(() => this.#together.serving);
  readonly #slots: Slot[] = [];
  /** Every process, those included that are about to replace another, or to end. */
  readonly #all = new Set<Worker>();
  readonly #together: Together;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #replacing: Promise<void> | undefined;
  #isAskedAgain = false;

  constructor(private readonly options: WorkersOptions) {
    this.#together = new Together(this.#all, options.count);
  }

  /**
   * Starts the first worker, then the others at once: what a start changes in the database is done when they begin.
   *
   * @param onFirst - gets what the start of the first prints.
   * @returns undefined; or the exit code of one that could not start, after the others have stopped
   */
  async start(onFirst: (text: string) => void): Promise<number | undefined> {
    const release = this.options.newest();
    this.#timer = setInterval(() => this.#tick(), 1_000);
    const first = this.#add(1, release);
    const text = await first.started;
    if (text === undefined) return this.#giveUp([first]);
    onFirst(text);
    if (this.#stop.signal.aborted) return undefined;
    const others = Array.from({ length: this.options.count - 1 }, (_, index) => this.#add(index + 2, release));
    const started = await Promise.all(others.map((worker) => worker.started));
    if (started.includes(undefined)) return this.#giveUp(others.filter((_, index) => started[index] === undefined));
    for (const slot of this.#slots) this.#watch(slot);
    return undefined;
  }

  /** Replaces all by the newest version, one after the other; asked again meanwhile, it does so once more. */
  replace(): Promise<void> {
    this.#isAskedAgain = true;
    this.#replacing ??= this.#replaceAll().finally(() => {
      this.#replacing = undefined;
    });
    return this.#replacing;
  }

  /** Stops all; they finish what they have begun. @returns 1 where one that served ended with an error */
  async stop(): Promise<number> {
    this.#stop.abort();
    this.#together.isStopping = true;
    this.#together.tellAll();
    const { serving } = this.#together;
    const ends = [...this.#all].map(async (worker) => {
      const serves = serving.includes(worker);
      worker.stop();
      const { code } = await worker.ended;
      return serves ? code : 0;
    });
    const codes = await Promise.all(ends);
    clearInterval(this.#timer);
    return codes.some((code) => code !== 0) ? 1 : 0;
  }

  /** Ends all at once. */
  kill(): void {
    for (const worker of this.#all) worker.kill();
  }

  report(): WorkersReport {
    const workers = [...this.#all].map(({ number: worker, pid, since, report: { status, checks } }) => ({
      worker,
      pid,
      since,
      status,
      checks,
    }));
    return { status: this.#together.status, workers };
  }

  #add(number: number, release: Release): Worker {
    const worker = this.#fork(number, release);
    this.#slots.push({ number, worker, failures: 0 });
    return worker;
  }

  #fork(number: number, release: Release): Worker {
    const worker = this.options.fork(number, release, () => this.#together.tellAll());
    this.#all.add(worker);
    void worker.ended.then(() => {
      this.#all.delete(worker);
      this.collector.end(worker);
      this.#together.tellAll();
    });
    void worker.left.then((texts) => this.collector.end(worker, texts));
    void worker.started.then((text) => text !== undefined && this.#together.tell(worker));
    return worker;
  }

  #tick(): void {
    for (const worker of this.#all) {
      const reason = worker.tick();
      if (reason !== undefined) this.options.log("error", `${nameOf(worker)} ${reason}, and was killed`);
    }
    this.#together.tellAll();
  }

  async #giveUp(failed: readonly Worker[]): Promise<number> {
    const codes = await Promise.all(failed.map(async ({ ended }) => (await ended).code));
    await this.stop();
    return codes.find((code) => code !== 0) ?? 1;
  }

  /** Starts a worker again when it has ended without being asked to. */
  #watch(slot: Slot): void {
    const { worker } = slot;
    const since = performance.now();
    void worker.ended.then(async (end) => {
      if (slot.worker !== worker || this.#stop.signal.aborted) return;
      slot.failures = performance.now() - since > LIVES ? 0 : slot.failures;
      const pause = slot.failures === 0 ? 0 : Math.min(PAUSE * 2 ** (slot.failures - 1), MAX_PAUSE);
      slot.failures += 1;
      await this.#startAgain(slot, end, pause);
    });
  }

  async #startAgain(slot: Slot, end: WorkerEnd, pause: number): Promise<void> {
    const { worker } = slot;
    const when = pause === 0 ? "now" : `in ${pause / 1000} s`;
    this.options.log("warn", `${nameOf(worker)} has ended (${end.how}) and is started again ${when}`);
    await sleep(pause, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    if (slot.worker !== worker || this.#stop.signal.aborted) return;
    slot.worker = this.#fork(slot.number, worker.release);
    this.#watch(slot);
  }

  async #replaceAll(): Promise<void> {
    while (this.#isAskedAgain) {
      this.#isAskedAgain = false;
      await this.#replaceEach();
    }
  }

  async #replaceEach(): Promise<void> {
    const since = performance.now();
    const release = this.#findNewest();
    if (!release) return;
    for (const slot of this.#slots) if (!(await this.#replaceOne(slot, release))) return;
    const seconds = ((performance.now() - since) / 1000).toFixed(1);
    this.options.log("info", `${this.#slots.length} workers were replaced in ${seconds} s, by ${release.folder}`);
  }

  #findNewest(): Release | undefined {
    try {
      return this.options.newest();
    } catch (error) {
      this.options.log("error", `No new worker was started (${reasonOf(error)}); the old ones go on`);
      return undefined;
    }
  }

  /** The new one serves before the old one stops. @returns whether to go on */
  async #replaceOne(slot: Slot, release: Release): Promise<boolean> {
    if (this.#stop.signal.aborted) return false;
    const next = this.#fork(slot.number, release);
    const text = await next.started;
    if (this.#stop.signal.aborted) return false;
    if (text === undefined) {
      const { how } = await next.ended;
      this.options.log("error", `A new worker could not start (${how}); the old ones go on`);
      return false;
    }
    const old = slot.worker;
    Object.assign(slot, { worker: next, failures: 0 });
    this.#watch(slot);
    old.stop();
    await old.ended;
    return true;
  }
}

const nameOf = ({ number, pid }: Worker): string => `Worker ${number} (process ${pid})`;
