import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { HealthReport } from "../../http/health.js";
import { STOP } from "../develop/process-messages.js";
import type { CodeForm } from "../load-setup.js";
import { Channel } from "./channel.js";
import type { AskParent, AskWorker, LastTexts } from "./worker-questions.js";

/** Seconds without a word after which a worker is taken for stuck, and after which it is ended. */
const SILENT = 3;
const STUCK = 30;

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
  /** Folder of the project. */
  readonly root: string;
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
  readonly since = new Date();
  readonly channel: Channel<AskWorker>;
  /** Resolves with what its start prints; undefined: it ended before it served. */
  readonly started: Promise<string | undefined>;
  /** Resolves when it serves no client any more; never where it is killed. */
  readonly left: Promise<LastTexts>;
  readonly ended: Promise<WorkerEnd>;
  readonly #child: ChildProcess;
  #report: HealthReport = { status: "starting", checks: {} };
  #silentFor = 0;
  #isAskedToStop = false;

  /** Starts the process; it shares the output of this one. */
  constructor({ number, root, form, withStack, answers, told }: WorkerOptions) {
    this.number = number;
    const file = fileURLToPath(import.meta.url).replace(/worker(\.[jt]s)$/, "worker-process$1");
    const args = [form, String(number), ...(withStack ? ["--debug"] : [])];
    // The socket of systemd is for this process: workers get theirs over the channel.
    const { LISTEN_FDS: _, LISTEN_PID: _pid, LISTEN_FDNAMES: _names, ...env } = process.env;
    this.#child = fork(file, args, { cwd: root, env });
    this.ended = endOf(this.#child);
    let serves: (text?: string) => void = () => undefined;
    this.started = new Promise((resolve) => {
      serves = resolve;
    });
    void this.ended.then(() => serves());
    const tell = (report: HealthReport): void => {
      this.#report = report;
      this.#silentFor = 0;
      told();
    };
    let leave: AskParent["leave"] = () => undefined;
    this.left = new Promise((resolve) => {
      leave = resolve;
    });
    this.channel = new Channel(this.#child, { ...answers, started: serves, tell, leave } satisfies AskParent);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** How it is, by what it said last: `down` where it says nothing, because its event loop does not turn. */
  get report(): HealthReport {
    return this.#silentFor > SILENT ? { status: "down", checks: {} } : this.#report;
  }

  /** To be called each second; counted in calls, so that a machine that slept ends no worker. @returns whether it is ended as stuck */
  tick(): boolean {
    if (this.#report.status === "starting" || this.#isAskedToStop) return false;
    this.#silentFor += 1;
    if (this.#silentFor < STUCK) return false;
    this.kill();
    return true;
  }

  /** Asks it to stop; it finishes what it has begun. */
  stop(): void {
    if (this.#isAskedToStop) return;
    this.#isAskedToStop = true;
    if (this.#report.status === "starting" || !this.#child.connected) this.#child.kill("SIGTERM");
    else this.#child.send(STOP, () => undefined);
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }
}

function endOf(child: ChildProcess): Promise<WorkerEnd> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ how: error.message, code: 1 }));
    child.once("exit", (code, signal) => resolve({ how: signal ?? `exit code ${code}`, code: code ?? 1 }));
  });
}
