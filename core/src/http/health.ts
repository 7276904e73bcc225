import { reasonOf } from "../base/error.js";

/** Milliseconds between two probes. */
const INTERVAL = 1_000;
/** Milliseconds for which a check may fail before the process is not ready: a failover must not empty the balancer. */
const PATIENCE = 5_000;

/** What a check found. Everything beside `status` is shown on the management port only. */
export interface Finding {
  /** `degraded` is said and changes nothing; `overloaded` and `down` make the process not ready when they last. */
  readonly status: "ok" | "degraded" | "overloaded" | "down";
  readonly [detail: string]: unknown;
}

/** One thing that a process looks at each second. */
export interface HealthCheck {
  /** Such as `clock`; a check of the same name is replaced. */
  readonly name: string;
  /** A check that throws, or has no answer within a second, found `down` where it is vital, else `degraded`. */
  readonly isVital?: boolean;
  /** Milliseconds for which `overloaded` or `down` must last until the process is not ready. Default: 5,000. */
  readonly patience?: number;
  run(): Finding | Promise<Finding>;
}

/** Whether a process should get work, as a balancer wants to know it. */
export type Readiness = "ready" | "degraded" | "starting" | "draining" | "overloaded" | "down";

/** The answer to `GET /health/ready`, with all that is known. */
export interface HealthReport {
  readonly status: Readiness;
  /** By the name of the check. */
  readonly checks: Readonly<Record<string, Finding>>;
}

/**
 * What a process knows of itself. A probe runs every check each second; the caller gets what it found last, so that asking
 * costs nothing and waits for nothing.
 */
export class Health {
  readonly #checks = new Map<string, WatchedCheck>();
  #phase: "starting" | "running" | "draining" = "starting";
  #timer: NodeJS.Timeout | undefined;

  /** Adds a check, from the next probe on. @returns removes it */
  add(check: HealthCheck): () => void {
    const watched = new WatchedCheck(check);
    this.#checks.set(check.name, watched);
    return () => {
      if (this.#checks.get(check.name) === watched) this.#checks.delete(check.name);
    };
  }

  /** The process takes requests: from now on it is as ready as its checks say. */
  begin(): void {
    this.#phase = "running";
    this.#timer ??= setInterval(() => this.#probe(), INTERVAL).unref();
    this.#probe();
  }

  /** The process is about to stop: it is not ready any more, and nothing is probed. */
  drain(): void {
    this.#phase = "draining";
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** How ready all workers of the app are together, where this process is one of them; its parent says so. */
  together: Readiness | undefined;

  /** The answer for those outside: a worker answers for all, because a client cannot choose which one does. */
  get outward(): Readiness {
    return this.together ?? this.report().status;
  }

  /** What the last probe found. */
  report(): HealthReport {
    const checks = Object.fromEntries([...this.#checks].map(([name, { finding }]) => [name, finding]));
    return { status: this.#phase === "running" ? this.#readiness() : this.#phase, checks };
  }

  #readiness(): Readiness {
    const all = [...this.#checks.values()];
    const lasting = all.filter((check) => check.hasLasted(performance.now())).map(({ finding }) => finding.status);
    if (lasting.includes("down")) return "down";
    if (lasting.includes("overloaded")) return "overloaded";
    return all.every(({ finding }) => finding.status === "ok") ? "ready" : "degraded";
  }

  #probe(): void {
    for (const check of this.#checks.values()) check.look();
  }
}

/** A check, with what it found last. Before its first answer nothing is wrong: the app has just started with it. */
class WatchedCheck {
  finding: Finding = { status: "ok" };
  #isRunning = false;
  #badSince: number | undefined;

  constructor(private readonly check: HealthCheck) {}

  /** Runs it, unless its last run is not over yet: that is a finding as well. */
  look(): void {
    if (this.#isRunning) this.#fail("it does not answer");
    else void this.#run();
  }

  /** Whether it has found for longer than its patience that the process should get no work. */
  hasLasted(now: number): boolean {
    return this.#badSince !== undefined && now - this.#badSince >= (this.check.patience ?? PATIENCE);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      this.#note(await this.check.run());
    } catch (error) {
      this.#fail(reasonOf(error));
    }
    this.#isRunning = false;
  }

  #fail(reason: string): void {
    this.#note({ status: this.check.isVital ? "down" : "degraded", reason });
  }

  #note(finding: Finding): void {
    this.finding = finding;
    const isBad = finding.status === "down" || finding.status === "overloaded";
    this.#badSince = isBad ? (this.#badSince ?? performance.now()) : undefined;
  }
}
