import { type ChildProcess, fork } from "node:child_process";
import { ownFile } from "../core-package.js";
import { type Reload, type ServingState, STOP } from "./process-messages.js";

/** How long an app may take to stop before its process is killed, in milliseconds. */
const STOP_LIMIT = 15_000;

/** What the process of an app is started with. */
export interface AppProcessFlags {
  /** Of the worker itself. */
  readonly flags: readonly string[];
  /** Of Node, beside those that this process has. */
  readonly nodeFlags: readonly string[];
}

/** A process that serves a project's sources. */
export class AppProcess {
  readonly #child: ChildProcess;
  #isStopping = false;
  /** Resolves once it serves, or has ended before it could. */
  readonly started: Promise<ServingState | "failed">;
  /** Resolves when the process is gone, with whether that was asked for. */
  readonly ended: Promise<boolean>;

  /** Starts the process; it shares the output of this one. */
  constructor(root: string, { flags, nodeFlags }: AppProcessFlags) {
    this.#child = fork(ownFile("cli/develop/worker"), flags, {
      cwd: root,
      execArgv: [...process.execArgv, ...nodeFlags],
    });
    this.ended = new Promise((resolve) => {
      this.#child.once("error", () => resolve(this.#isStopping));
      this.#child.once("exit", () => resolve(this.#isStopping));
    });
    this.started = this.#nextState();
  }

  /** Makes it serve the project as it is now, after changes of these paths. Resolves when it does, or with why not; one caller at a time. */
  reload(paths: readonly string[]): Promise<ServingState | "failed"> {
    const state = this.#nextState();
    const message: Reload = { type: "reload", paths };
    if (this.#child.connected) this.#child.send(message, () => undefined);
    return state;
  }

  /** Asks the app to stop, and waits until its process is gone, so that the port and the database are free. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#child.connected) this.#child.send(STOP, () => undefined);
    const kill = setTimeout(() => this.#child.kill("SIGKILL"), STOP_LIMIT);
    await this.ended;
    clearTimeout(kill);
  }

  #nextState(): Promise<ServingState | "failed"> {
    const answer = new Promise<ServingState>((resolve) =>
      this.#child.once("message", (state) => resolve(state as ServingState)),
    );
    return Promise.race([answer, this.ended.then(() => "failed" as const)]);
  }
}
