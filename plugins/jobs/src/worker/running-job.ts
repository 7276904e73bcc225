import { setTimeout as sleep } from "node:timers/promises";
import { codeOrigin, isPlinthError, reasonOf, withOrigin } from "@plinth/core";
import { channels, inLaterSpan, type JobMessage, type JobResult } from "@plinth/core/telemetry";
import type { CompleteDefinition } from "../definitions.js";
import { JobAbandonedError, JobTimeoutError } from "../errors.js";
import type { HeldAttempt, JobFault, TakenJob } from "../store.js";
import type { WorkerParts } from "./worker-parts.js";

/** How often the end of a job is written before that is given up, and the first pause between, in milliseconds; doubles. */
const WRITES = 7;
const PAUSE = 100;
/** The longest before a job is run again, in milliseconds, and how often the first such pause is doubled. */
const LONGEST_PAUSE = 86_400_000;
const MOST_DOUBLED = 30;
/** What is kept of an error. */
const LONGEST_REASON = 2_000;

/** One attempt of a job in this process. */
export class RunningJob implements HeldAttempt {
  readonly id: string;
  readonly attempt: number;
  readonly name: string;
  /** Resolves when it has ended and that is written; never rejects. */
  readonly ended: Promise<void>;
  readonly #abort = new AbortController();
  #isHeld = true;
  #isAbandoned = false;

  constructor(
    private readonly taken: TakenJob,
    private readonly definition: CompleteDefinition,
    private readonly parts: WorkerParts,
  ) {
    this.id = taken.id;
    this.attempt = taken.attempt;
    this.name = taken.name;
    this.ended = this.#observe();
  }

  /** Whether it is this process that says how it ends; not any more once it has. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Leaves it to another process. */
  abandon(reason: Error): void {
    if (!this.#isHeld) return;
    this.#isAbandoned = true;
    this.#abort.abort(reason);
  }

  async #observe(): Promise<void> {
    const { start, end } = channels.job;
    const { id, name: queue, attempt, waited } = this.taken;
    const startedAt = performance.now();
    const message: JobMessage | undefined = channels.job.hasListeners
      ? { app: this.parts.app, ...{ id, queue, attempt, waited, startedAt }, duration: 0, result: undefined }
      : undefined;
    if (message && start.hasSubscribers) start.publish(message);
    const result = await this.#run();
    if (!message) return;
    message.duration = performance.now() - startedAt;
    message.result = result;
    end.publish(message);
  }

  async #run(): Promise<JobResult> {
    try {
      const { name, attempt, trace, id } = this.taken;
      const attributes = { "plinth.job.id": id, "plinth.job.attempt": attempt };
      const span = { name: `plinth.job ${name}`, attributes, traceparent: trace ?? undefined };
      await inLaterSpan(span, () => this.#attempt());
      this.#isHeld = false;
      return await this.#write("done", async () => {
        await this.parts.store.done(id);
        return true;
      });
    } catch (error) {
      return await this.#fail(error);
    }
  }

  /** Runs it until it ends, or its signal is aborted. What does not heed the signal goes on without a caller. */
  async #attempt(): Promise<void> {
    const { id, name, attempt, attempts, data, key } = this.taken;
    if (attempt > attempts) throw new JobAbandonedError({ name, attempts });
    const { timeout, run } = this.definition;
    const { signal } = this.#abort;
    const timer = setTimeout(() => this.#abort.abort(new JobTimeoutError({ name, timeout })), timeout).unref();
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    const job = { id, name, attempt, data, key: key ?? undefined, signal, app: this.parts.app };
    try {
      await Promise.race([withOrigin(codeOrigin, () => Promise.resolve(job).then(run)), aborted]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #fail(err: unknown): Promise<JobResult> {
    const { app, store } = this.parts;
    const { id, name: job, attempt, attempts } = this.taken;
    const isReturned = isPlinthError(err) && err.code === "PLINTH_JOBS_RETURNED";
    if (this.#isAbandoned) {
      if (!isReturned) app.log.warn({ err, job, id, attempt }, reasonOf(err));
      return isReturned ? "returned" : "lost";
    }
    this.#isHeld = false;
    const isDead = attempt >= attempts;
    this.#report(err, isDead);
    const pause = pauseAfter(attempt, this.definition.backoff);
    // Once, outside of what is tried again: there a fault of its own would look like one of the database.
    const fault = faultOf(err);
    return await this.#write(isDead ? "dead" : "retry", () => store.failed(this.taken, pause, fault));
  }

  /** Says it in the log. It never throws: a job may throw anything, and its end is yet to be written. */
  #report(err: unknown, isDead: boolean): void {
    const { id, name: job, attempt } = this.taken;
    const { log } = this.parts.app;
    const text = isDead
      ? "A job failed for the last time; plinth jobs retry runs it again"
      : "A job failed; it is run again";
    const level = isDead ? "error" : "warn";
    try {
      log[level]({ err, job, id, attempt }, text);
    } catch (unwritable) {
      // The log reads properties, and marks the error: a getter may throw, and an error may be frozen.
      log[level]({ reason: reasonOf(err), job, id, attempt, unwritable: reasonOf(unwritable) }, text);
    }
  }

  /** Says how it ended; where the database cannot be reached for long, another process finds it when its lease is over. */
  async #write(result: JobResult, write: () => Promise<boolean>): Promise<JobResult> {
    for (let tries = 1; ; tries += 1) {
      try {
        return (await write()) ? result : "lost";
      } catch (err) {
        if (tries >= WRITES) {
          const { id, name: job } = this.taken;
          this.parts.app.log.warn({ err, job, id, result }, "The end of a job could not be written; it may run again");
          return "lost";
        }
        await sleep(PAUSE * 2 ** (tries - 1));
      }
    }
  }
}

/** Twice as long each time, with some chance in it: what failed together does not come together again. */
const pauseAfter = (attempt: number, backoff: number): number =>
  Math.min(LONGEST_PAUSE, backoff * 2 ** Math.min(attempt - 1, MOST_DOUBLED) * (0.75 + Math.random() / 2));

function faultOf(error: unknown): JobFault {
  const reason = reasonOf(error).replaceAll("\0", "").slice(0, LONGEST_REASON);
  // JSON of PostgreSQL has no place for half a character, which the cut may leave.
  const message = Buffer.from(reason).toString();
  return isPlinthError(error) ? { message, code: error.code } : { message };
}
