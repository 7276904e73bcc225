import type { App } from "@plinth/core";
import { channels, type JobMessage, type JobQueueMessage } from "@plinth/core/telemetry";
import type { Listening } from "./listening.js";
import { Counter, gauge, Histogram, type Reading } from "./series.js";

const OLDEST = { name: "plinth_jobs_oldest_seconds", help: "For how long the oldest job that could run has waited" };

/** Counts and times of jobs, by their queues, which are of the app's code. */
export class JobMetrics implements Listening {
  readonly #jobs = new Counter({
    name: "plinth_jobs_total",
    help: "Attempts of jobs, by how they ended",
    labels: ["queue", "result"],
  });
  readonly #seconds = new Histogram({
    name: "plinth_job_seconds",
    help: "Time of an attempt of a job",
    labels: ["queue", "result"],
  });
  /** Milliseconds. */
  readonly #oldest = new Map<string, number>();

  constructor(private readonly app: App) {}

  start(): void {
    channels.job.end.subscribe(this.#count);
    channels.jobQueue.subscribe(this.#note);
  }

  stop(): void {
    channels.job.end.unsubscribe(this.#count);
    channels.jobQueue.unsubscribe(this.#note);
  }

  read(): readonly Reading[] {
    const oldest = [...this.#oldest].map(([queue, age]) => ({ labels: { queue }, value: age / 1000 }));
    return [this.#jobs.read(), this.#seconds.read(), gauge({ ...OLDEST, aggregator: "max" }, ...oldest)];
  }

  readonly #count = ({ app, queue, result = "lost", duration }: JobMessage): void => {
    if (app !== this.app) return;
    this.#jobs.add(1, queue, result);
    this.#seconds.of(queue, result).add(duration);
  };

  readonly #note = ({ app, queue, oldest }: JobQueueMessage): void => {
    if (app === this.app) this.#oldest.set(queue, oldest);
  };
}
