import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { READY, STOP } from "./process-messages.js";

/** How long an app may take to stop before its process is killed, in milliseconds. */
const STOP_LIMIT = 15_000;

/** A process that serves a project's sources. */
export class AppProcess {
  readonly #child: ChildProcess;
  #isStopping = false;
  /** Resolves once it serves, or has ended before it could. */
  readonly started: Promise<"ready" | "failed">;
  /** Resolves when the process is gone, with whether that was asked for. */
  readonly ended: Promise<boolean>;

  /** Starts the process; its output goes where that of this one goes. */
  constructor(root: string, flags: readonly string[]) {
    const main = fileURLToPath(import.meta.url).replace(/app-process(\.[jt]s)$/, "main$1");
    this.#child = fork(main, ["start", "--sources", ...flags], { cwd: root });
    this.ended = new Promise((resolve) => {
      this.#child.once("error", () => resolve(this.#isStopping));
      this.#child.once("exit", () => resolve(this.#isStopping));
    });
    const ready = new Promise<"ready">((resolve) =>
      this.#child.on("message", (message) => message === READY && resolve("ready")),
    );
    this.started = Promise.race([ready, this.ended.then(() => "failed" as const)]);
  }

  /** Asks the app to stop, and waits until its process is gone, so that the port and the database are free. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#child.connected) this.#child.send(STOP, () => undefined);
    const kill = setTimeout(() => this.#child.kill("SIGKILL"), STOP_LIMIT);
    await this.ended;
    clearTimeout(kill);
  }
}
