import { setTimeout as sleep } from "node:timers/promises";
import { reasonOf } from "../base/error.js";
import type { Finding as DoctorFinding } from "../database/doctor/finding.js";

/** Milliseconds between two probes. */
const INTERVAL = 1_000;
/** Milliseconds in which a check has to answer the caller of `examine`: longer than most clients of servers try. */
const EXAMINATION = 20_000;
/** Milliseconds for which a check may fail before the process is not ready: a failover must not empty the balancer. */
const PATIENCE = 5_000;

/** What a check found. Everything beside `status` is shown on the management port only. */
export interface Finding {
  /** `degraded` is said and changes nothing; `overloaded` and `down` make the process not ready when they last. */
  readonly status: "ok" | "degraded" | "overloaded" | "down";
  /** What `plinth doctor` shows in place of one line of the check: each of them with a weight and advice of its own. */
  readonly problems?: readonly DoctorFinding[];
  readonly [detail: string]: unknown;
}

/** One thing that a process looks at each second, or less often. */
export interface HealthCheck {
  /** Such as `clock`; a check of the same name is replaced. */
  readonly name: string;
  /** A check that throws, or has no answer when it is due again, found `down` where it is vital, else `degraded`. */
  readonly isVital?: boolean;
  /**
   * Milliseconds between two runs, and before the first: a start waits for nothing, and loads nothing. In whole seconds; what
   * it found holds until then. Default: 1,000, and the first at once.
   */
  readonly interval?: number;
  /**
   * What to do when it does not find `ok`: "Make room on the disk." With it `plinth doctor` runs the check, too: what it
   * finds is a warning there, and an error where it throws or finds `down`; or each of its `problems`.
   */
  readonly advice?: string;
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

/** What a check found when it was asked out of turn. */
export interface Examined extends Required<Pick<HealthCheck, "name" | "advice">> {
  readonly finding: Finding;
  /** It threw, or did not answer. */
  readonly hasFailed: boolean;
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

  /** Runs every check that has advice, now, whether or not anything is probed. It takes 20 seconds at most, and never fails. */
  async examine(): Promise<readonly Examined[]> {
    const examined = await Promise.all([...this.#checks.values()].map((check) => check.examine()));
    return examined.filter((each) => each !== undefined);
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
  /** In probes. */
  readonly #interval: number;
  /** Probes until it is due. */
  #probesLeft: number;
  #badSince: number | undefined;

  constructor(private readonly check: HealthCheck) {
    this.#interval = Math.round((check.interval ?? INTERVAL) / INTERVAL);
    this.#probesLeft = this.#interval;
  }

  /** Runs it if it is due, unless its last run is not over yet: that is a finding as well. */
  look(): void {
    this.#probesLeft -= 1;
    if (this.#probesLeft > 0) return;
    this.#probesLeft = this.#interval;
    if (this.#isRunning) this.#fail("it does not answer");
    else void this.#run();
  }

  /** Whether it has found for longer than its patience that the process should get no work. */
  hasLasted(now: number): boolean {
    return this.#badSince !== undefined && now - this.#badSince >= (this.check.patience ?? PATIENCE);
  }

  /** Runs it once more, for somebody who wants advice; undefined where it has none. */
  async examine(): Promise<Examined | undefined> {
    const { name, advice } = this.check;
    if (advice === undefined) return undefined;
    const late = sleep(EXAMINATION, undefined, { ref: false });
    try {
      const finding = await Promise.race([this.check.run(), late]);
      if (finding) return { name, advice, finding, hasFailed: false };
      return { name, advice, finding: this.#failure("it does not answer"), hasFailed: true };
    } catch (error) {
      return { name, advice, finding: this.#failure(reasonOf(error)), hasFailed: true };
    }
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
    this.#note(this.#failure(reason));
  }

  #failure(reason: string): Finding {
    return { status: this.check.isVital ? "down" : "degraded", reason };
  }

  #note(finding: Finding): void {
    this.finding = finding;
    const isBad = finding.status === "down" || finding.status === "overloaded";
    this.#badSince = isBad ? (this.#badSince ?? performance.now()) : undefined;
  }
}
