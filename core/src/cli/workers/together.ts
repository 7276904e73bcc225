import type { Readiness } from "../../http/health.js";
import type { Worker } from "./worker.js";

/** How ready all workers are together: each of them answers outside for all. */
export class Together {
  isStopping = false;
  #told: Readiness = "starting";

  /**
   * @param workers - every one that has not ended; read each time.
   * @param count - how many there should be.
   */
  constructor(
    private readonly workers: ReadonlySet<Worker>,
    private readonly count: number,
  ) {}

  /** `ready` where as many are as there should be, `degraded` where some are. */
  get status(): Readiness {
    if (this.isStopping) return "draining";
    const states = [...this.workers].map(({ report: { status } }) => status);
    const ready = states.filter((status) => status === "ready").length;
    if (ready >= this.count) return "ready";
    if (ready > 0 || states.includes("degraded")) return "degraded";
    return (["overloaded", "starting", "down"] as const).find((status) => states.includes(status)) ?? "starting";
  }

  /** Those that have started. */
  get serving(): readonly Worker[] {
    return [...this.workers].filter(({ report: { status } }) => status !== "starting");
  }

  /** Tells all where it has changed. */
  tellAll(): void {
    const { status } = this;
    if (status === this.#told) return;
    this.#told = status;
    for (const worker of this.serving) this.tell(worker);
  }

  /** Tells one that has just started. */
  tell(worker: Worker): void {
    // One that has ended needs to know nothing.
    worker.channel.call("together", this.#told).catch(() => undefined);
  }
}
