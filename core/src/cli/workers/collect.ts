import { setTimeout as sleep } from "node:timers/promises";
import type { ManagementAnswer } from "../../http/management-endpoints.js";
import type { Worker } from "./worker.js";

/** Milliseconds that a worker has to say its part; then what it said last counts. */
const PATIENCE = 2_000;

/**
 * Makes one answer of what all workers say on a path of the management port. One of them combines the texts: the parent has
 * none of the app's code.
 */
export class Collector {
  /** What each worker said last, by path. */
  readonly #last = new Map<Worker, Map<string, string>>();
  /** What workers that have ended said last, by path; what `keep` made of several is one text. */
  readonly #ended = new Map<string, readonly string[]>();
  #turn: Promise<unknown> = Promise.resolve();

  /** @param workers - those that serve. */
  constructor(private readonly workers: () => readonly Worker[]) {}

  /** The combined answer; undefined for a path that the app does not know. One question at a time. */
  ask(path: string): Promise<ManagementAnswer | undefined> {
    const answer = this.#turn.then(() => this.#ask(path));
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  /** Has a worker say its part of all that was ever asked, because it is about to end. */
  async readLast(worker: Worker): Promise<void> {
    await Promise.all([...(this.#last.get(worker)?.keys() ?? [])].map((path) => this.#read(worker, path)));
  }

  /** A worker has ended: what it said last stays. */
  end(worker: Worker): void {
    for (const [path, text] of this.#last.get(worker) ?? [])
      this.#ended.set(path, [...(this.#ended.get(path) ?? []), text]);
    this.#last.delete(worker);
  }

  async #ask(path: string): Promise<ManagementAnswer | undefined> {
    const asked = this.workers();
    const texts = await Promise.all(asked.map((worker) => this.#read(worker, path)));
    const living = texts.filter((text) => text !== undefined);
    const [combiner] = asked.filter((_, index) => texts[index] !== undefined);
    if (!combiner) return undefined;
    const ended = await this.#keep(combiner, path);
    return combiner.channel.call("combine", { path, living, ...(ended === undefined ? {} : { ended }) });
  }

  async #read(worker: Worker, path: string): Promise<string | undefined> {
    const known = this.#last.get(worker)?.get(path);
    const late = sleep(PATIENCE, known, { ref: false });
    const text = await Promise.race([worker.channel.call("read", path).catch(() => known), late]);
    // One that ended meanwhile is counted among those that have.
    if (text !== undefined && this.workers().includes(worker))
      this.#last.set(worker, (this.#last.get(worker) ?? new Map<string, string>()).set(path, text));
    return text;
  }

  /** Those that ended, as one text. */
  async #keep(combiner: Worker, path: string): Promise<string | undefined> {
    const texts = this.#ended.get(path) ?? [];
    if (texts.length === 0) return undefined;
    const kept = await combiner.channel.call("keep", { path, texts });
    const since = (this.#ended.get(path) ?? []).slice(texts.length);
    this.#ended.set(path, kept === undefined ? since : [kept, ...since]);
    return kept;
  }
}
