import { type App, type ExtensionRef, extensionRef } from "@plinth/core";

/** A job that runs. */
export interface Job<Data = unknown> {
  readonly id: string;
  readonly name: string;
  /** As it was enqueued. */
  readonly data: Data;
  /** That it was enqueued with; the time of the tick for those of `cron`. */
  readonly key: string | undefined;
  /** 1 is the first. What it did in an earlier one may have happened, whole or in part. */
  readonly attempt: number;
  /** Aborted when its time is up, when the process stops, or when another process has taken it over. */
  readonly signal: AbortSignal;
  readonly app: App;
}

/** What a job does, and how it is run. Times are in milliseconds. */
export interface JobDefinition<Data = unknown> {
  /** Letters, digits, and `-`, `_`, `.` and `:` in between: `newsletter`, `shop:invoice`. It is the name of its queue. */
  readonly name: string;
  /** What it does; when it throws, it is run again. A process that dies has it run again as well: it must bear that. */
  run(job: Job<Data>): unknown;
  /** How often it is run again before it is dead; 5 by default. */
  readonly retries?: number;
  /** Before the first time that it is run again; then twice as long each time, a day at most, with some chance in it. Default: 5,000. */
  readonly backoff?: number;
  /** How long an attempt may take; 15 minutes by default, at most a day. */
  readonly timeout?: number;
  /** How many of them a process runs at once; 1 by default. */
  readonly concurrency?: number;
  /** The key of those that are enqueued without one. */
  key?(data: Data): string | undefined;
}

/** How a job is enqueued. */
export interface EnqueueOptions {
  /** Not before; default: at once. */
  readonly at?: Date | undefined;
  /**
   * Of the jobs of a queue with one key, one waits: another is not added to it. One that runs, or has failed and is going
   * to be run again, does not count, because it may have read what was there before.
   */
  readonly key?: string | undefined;
  /** Those with a higher one go first; 0 by default. */
  readonly priority?: number | undefined;
}

/** When a job is enqueued by the clock. */
export interface CronOptions {
  /** Default: UTC. */
  readonly timezone?: string;
}

/** A job that waits. */
export interface WaitingJob<Data = unknown> {
  readonly id: string;
  readonly data: Data;
  /** When it may run. */
  readonly at: Date;
}

/** Work that is done later, at least once, by any process of the app that works. */
export interface Jobs {
  /**
   * Declares a job; in `register`.
   *
   * @throws PLINTH_JOBS_DEFINITION_INVALID, PLINTH_JOBS_LATE (500)
   */
  define<Data>(definition: JobDefinition<Data>): void;
  /**
   * Enqueues a job at the times of a cron expression, once for all processes; in `register`. Of times that no process was
   * there for, those of the last minute count; where there are none, the latest. Its data are `{ tick }`, the time as an ISO string.
   *
   * @param expression - such as `0 3 * * 1`, or with seconds in front.
   * @throws PLINTH_JOBS_DEFINITION_INVALID, PLINTH_JOBS_LATE (500)
   */
  cron(name: string, expression: string, options?: CronOptions): void;
  /**
   * Adds a job; from bootstrap on. In a transaction it is part of that: others see it after the commit, and never after a
   * rollback.
   *
   * @param data - JSON.
   * @returns its id; undefined where one with its key waits already
   * @throws PLINTH_JOBS_UNKNOWN, PLINTH_JOBS_ENQUEUE_INVALID (500)
   */
  enqueue<Data>(name: string, data: Data, options?: EnqueueOptions): Promise<string | undefined>;
  /**
   * Takes back jobs that wait and have not begun, by their keys; those that run, or are run again, go on. In a transaction it is
   * part of that.
   *
   * @returns how many there were
   * @throws PLINTH_JOBS_UNKNOWN (500)
   */
  cancel(name: string, keys: readonly string[]): Promise<number>;
  /** The data of jobs that wait, those that have failed and are run again included. @throws PLINTH_JOBS_UNKNOWN (500) */
  waiting<Data>(name: string): Promise<readonly WaitingJob<Data>[]>;
  /** Waits until nothing runs in this process and nothing waits that could run now; for tests. */
  idle(): Promise<void>;
}

/** For `define` and `cron` in register, and for `enqueue` later. */
export const jobs: ExtensionRef<Jobs> = extensionRef<Jobs>("plugin::jobs.jobs");

declare module "@plinth/core" {
  interface Services {
    "plugin::jobs.jobs": Jobs;
  }
}
