import { setTimeout as sleep } from "node:timers/promises";
import type { ManagementAnswer } from "../../http/management-endpoints.js";
import { WorkerSilentError } from "../errors.js";
import type { Worker } from "./worker.js";
import type { LastTexts } from "./worker-questions.js";

/** Milliseconds that a worker has to answer; for its part of an answer, what it said last counts then. */
const PATIENCE = 2_000;

/**
 * Makes one answer of what all workers say on a path of the management port. One of them combines the texts: the parent has
 * none of the app's code.
 */
export class Collector {
  /** What each worker that has not ended said last, by path. */
  readonly #last = new WeakMap<Worker, Map<string, string>>();
  readonly #gone = new WeakSet<Worker>();
  /** What workers that have ended said last, by path; what `keep` made of several is one text. */
  readonly #ended = new Map<string, readonly string[]>();
  #turn: Promise<unknown> = Promise.resolve();

  /** @param workers - those that serve. */
  constructor(private readonly workers: () => readonly Worker[]) {}

  /**
   * The combined answer; undefined for a path that the app does not know. One question at a time.
   *
   * @throws PLINTH_CLI_WORKER_SILENT when no worker answers, or the one that combines does not
   */
  ask(path: string): Promise<ManagementAnswer | undefined> {
    const answer = this.#turn.then(() => this.#ask(path));
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  /** A worker serves no client any more, or has ended: what it said last stays. @param texts - where it says so itself. */
  end(worker: Worker, texts?: LastTexts): void {
    if (this.#gone.has(worker)) return;
    const last = texts ? Object.entries(texts) : (this.#last.get(worker) ?? []);
    for (const [path, text] of last) this.#ended.set(path, [...(this.#ended.get(path) ?? []), text]);
    this.#gone.add(worker);
    this.#last.delete(worker);
  }

  async #ask(path: string): Promise<ManagementAnswer | undefined> {
    const asked = this.workers().filter((worker) => !this.#gone.has(worker));
    const answers = await Promise.all(asked.map((worker) => this.#read(worker, path)));
    const living = asked.flatMap((worker) => this.#last.get(worker)?.get(path) ?? []);
    const combiner = asked.find((worker, index) => answers[index] !== undefined && !this.#gone.has(worker));
    if (!combiner && living.length > 0) throw new WorkerSilentError({ reason: `none answers within ${PATIENCE} ms` });
    if (!combiner) return undefined;
    // Who ends from here on is among the living: the others are taken in the same turn.
    const ended = await this.#keep(combiner, path);
    return inTime(combiner.channel.call("combine", { path, living, ...(ended === undefined ? {} : { ended }) }));
  }

  async #read(worker: Worker, path: string): Promise<string | undefined> {
    const text = await inTime(worker.channel.call("read", path)).catch(() => undefined);
    // One that ended meanwhile is counted among those that have.
    if (text !== undefined && !this.#gone.has(worker))
      this.#last.set(worker, (this.#last.get(worker) ?? new Map<string, string>()).set(path, text));
    return text;
  }

  /** Those that ended, as one text. */
  async #keep(combiner: Worker, path: string): Promise<string | undefined> {
    const texts = this.#ended.get(path) ?? [];
    if (texts.length === 0) return undefined;
    const kept = await inTime(combiner.channel.call("keep", { path, texts }));
    const since = (this.#ended.get(path) ?? []).slice(texts.length);
    this.#ended.set(path, kept === undefined ? since : [kept, ...since]);
    return kept;
  }
}

/** @throws PLINTH_CLI_WORKER_SILENT when an answer takes too long */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = sleep(PATIENCE, undefined, { ref: false }).then(() => {
    throw new WorkerSilentError({ reason: `it did not answer within ${PATIENCE} ms` });
  });
  return Promise.race([answer, late]);
}
