import type { CompleteDefinition } from "../definitions.js";
import type { TakenJob } from "../store.js";
import { RunningJob } from "./running-job.js";
import type { WorkerParts } from "./worker-parts.js";

/** The jobs of one name that a process runs: as many at once as their definition says. */
export class WorkQueue {
  readonly running = new Set<RunningJob>();
  #filling: Promise<void> = Promise.resolve();
  #isFilling = false;
  /** Something came while jobs were being taken. */
  #isAsked = false;
  /** As many were taken as there was room for. */
  #mayHaveMore = false;
  #isClosed = false;

  constructor(
    private readonly definition: CompleteDefinition,
    private readonly parts: WorkerParts,
  ) {}

  /** Takes as many jobs as there is room for, and runs them. */
  fill(): Promise<void> {
    this.#isAsked = true;
    if (!this.#isFilling) {
      this.#isFilling = true;
      this.#filling = this.#fill();
    }
    return this.#filling;
  }

  /** Takes no more. */
  close(): void {
    this.#isClosed = true;
  }

  /** Those that are not about to end. */
  held(): readonly RunningJob[] {
    return [...this.running].filter(({ isHeld }) => isHeld);
  }

  /** Nothing runs, and nothing is being taken: what is taken is neither due nor among the running until its answer is there. */
  get isIdle(): boolean {
    return !this.#isFilling && this.running.size === 0;
  }

  /** Waits until nothing runs. */
  async ended(): Promise<void> {
    while (!this.isIdle) await Promise.all([this.#filling, ...[...this.running].map(({ ended }) => ended)]);
  }

  async #fill(): Promise<void> {
    try {
      while (this.#isAsked && !this.#isClosed) {
        this.#isAsked = false;
        await this.#take(this.definition.concurrency - this.running.size);
      }
    } catch (err) {
      this.parts.app.log.warn({ err, job: this.definition.name }, "Jobs could not be taken; they are looked for again");
    } finally {
      this.#isFilling = false;
    }
  }

  async #take(room: number): Promise<void> {
    const { store } = this.parts;
    const { name } = this.definition;
    this.#mayHaveMore = room === 0;
    if (room === 0) return;
    const own = [...this.running].map(({ id }) => id);
    const taken = await store.take(name, room, own);
    this.#mayHaveMore = taken.length === room;
    // The process began to stop meanwhile.
    if (this.#isClosed && taken.length > 0) return await store.giveBack(taken);
    const ids = taken.filter(({ isAbandoned }) => isAbandoned).map(({ id }) => id);
    if (ids.length > 0)
      this.parts.app.log.warn({ job: name, ids }, "Jobs are tried again, because their process is gone");
    for (const job of taken) this.#run(job);
  }

  #run(taken: TakenJob): void {
    const job = new RunningJob(taken, this.definition, this.parts);
    this.running.add(job);
    void job.ended.then(() => {
      this.running.delete(job);
      if (this.#mayHaveMore && !this.#isClosed) void this.fill();
    });
  }
}
