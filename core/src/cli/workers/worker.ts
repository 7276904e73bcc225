import { type ChildProcess, fork } from "node:child_process";
import { withResolvers } from "../../base/with-resolvers.js";
import type { HealthReport } from "../../http/health.js";
import { STOP } from "../develop/process-messages.js";
import type { CodeForm } from "../load-setup.js";
import { Channel } from "./channel.js";
import type { Release } from "./release.js";
import type { AskParent, AskWorker, LastTexts } from "./worker-questions.js";

/** Seconds without a word after which a worker is taken for stuck, and after which it is killed. */
const SILENT = 3;
const STUCK = 30;
/** Seconds that a start may take: it may wait for changes of tables. */
const STARTS = 600;
/** Seconds that a stop may take beyond `drainDelay` and `closeTimeout`, and as a whole where they are not known yet. */
const MARGIN = 5;
const STOPS = 30;

/** How the process of a worker ended. */
export interface WorkerEnd {
  /** Such as `exit code 1` or `SIGKILL`. */
  readonly how: string;
  /** Its exit code; 1 for a signal. */
  readonly code: number;
}

/** What a worker is started with. */
export interface WorkerOptions {
  /** 1 is the first. */
  readonly number: number;
  readonly release: Release;
  readonly form: CodeForm;
  /** Whether stacks of failures are shown. */
  readonly withStack: boolean;
  readonly answers: Pick<AskParent, "open" | "askAll">;
  /** Called when it has told how it is. */
  readonly told: () => void;
}

/** A process that serves the app, as its parent sees it. */
export class Worker {
  readonly number: number;
  readonly release: Release;
  readonly since = new Date();
  readonly channel: Channel<AskWorker>;
  /** Resolves with what its start prints; undefined: it ended before it served. */
  readonly started: Promise<string | undefined>;
  /** Resolves when it serves no client any more; never where it is killed. */
  readonly left: Promise<LastTexts>;
  readonly ended: Promise<WorkerEnd>;
  readonly #child: ChildProcess;
  #report: HealthReport = { status: "starting", checks: {} };
  #isAskedToStop = false;
  #isKilled = false;
  /** Seconds that its stop may take. */
  #mayStopFor = STOPS;
  #startsFor = 0;
  #silentFor = 0;
  #stopsFor = 0;

  /** Starts the process; it shares the output of this one. */
  constructor({ number, release, form, withStack, answers, told }: WorkerOptions) {
    this.number = number;
    this.release = release;
    const args = [form, String(number), ...(withStack ? ["--debug"] : [])];
    // The socket of systemd is for this process: workers get theirs over the channel.
    const { LISTEN_FDS: _, LISTEN_PID: _pid, LISTEN_FDNAMES: _names, ...env } = process.env;
    this.#child = fork(release.file, args, { cwd: release.folder, env });
    this.ended = endOf(this.#child);
    const started = withResolvers<string | undefined>();
    const left = withResolvers<LastTexts>();
    this.started = started.promise;
    this.left = left.promise;
    void this.ended.then(() => started.resolve(undefined));
    const asked: AskParent = {
      ...answers,
      open: (config) => {
        this.#mayStopFor = (config.drainDelay + config.closeTimeout) / 1_000 + MARGIN;
        return answers.open(config);
      },
      started: started.resolve,
      tell: (report) => {
        this.#report = report;
        this.#silentFor = 0;
        told();
      },
      leave: left.resolve,
    };
    this.channel = new Channel(this.#child, asked);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** How it is, by what it said last: `down` where it says nothing, because its event loop does not turn. */
  get report(): HealthReport {
    return this.#silentFor > SILENT ? { status: "down", checks: {} } : this.#report;
  }

  /**
   * To be called each second; counted in calls, so that a machine that slept ends no worker. One that stands still is killed,
   * also while it stops: it would never read that it is asked to.
   *
   * @returns why it is killed; undefined: it is not
   */
  tick(): string | undefined {
    if (this.#report.status === "starting") this.#startsFor += 1;
    else this.#silentFor += 1;
    if (this.#isAskedToStop) this.#stopsFor += 1;
    const reason = this.#isKilled ? undefined : this.#fault();
    if (reason !== undefined) this.kill();
    return reason;
  }

  /** Asks it to stop; it finishes what it has begun. */
  stop(): void {
    if (this.#isAskedToStop) return;
    this.#isAskedToStop = true;
    if (this.#report.status === "starting" || !this.#child.connected) this.#child.kill("SIGTERM");
    else this.#child.send(STOP, () => undefined);
  }

  kill(): void {
    this.#isKilled = true;
    this.#child.kill("SIGKILL");
  }

  #fault(): string | undefined {
    if (this.#silentFor >= STUCK) return `said nothing for ${STUCK} s`;
    if (this.#stopsFor >= this.#mayStopFor) return `had not stopped after ${Math.round(this.#mayStopFor)} s`;
    if (this.#startsFor >= STARTS) return `had not started after ${STARTS} s`;
    return undefined;
  }
}

function endOf(child: ChildProcess): Promise<WorkerEnd> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ how: error.message, code: 1 }));
    child.once("exit", (code, signal) => resolve({ how: signal ?? `exit code ${code}`, code: code ?? 1 }));
  });
}
