import { closeSync, openSync } from "node:fs";
import type { Logger } from "pino";
import { createLog } from "../../app/create-log.js";
import { shareSocket } from "../../http/address.js";
import { createManagement, type Management } from "../../http/management.js";
import type { SharedSocket } from "../../http/node-internals.js";
import { inheritedSocket } from "../inherited-socket.js";
import type { CodeForm } from "../load-setup.js";
import { stopOnSignal } from "../stop-on-signal.js";
import { print, withProgress } from "../terminal.js";
import { enteredFolder, releaseIn } from "./release.js";
import { Worker } from "./worker.js";
import type { ParentConfig } from "./worker-questions.js";
import { Workers } from "./workers.js";

/** How workers are started. */
export interface StartWorkersOptions {
  readonly count: number;
  readonly form: CodeForm;
  /** Whether stacks of failures are shown. */
  readonly withStack: boolean;
}

/**
 * Serves the project in a folder by several processes. This one has the socket and the management port, and runs nothing of
 * the app: what it has to know of the configuration, the first worker tells. SIGHUP replaces all workers by those of the version
 * that lies in the folder then, or that the symbolic link leads to by whose name it was entered.
 *
 * @throws PLINTH_HTTP_CANNOT_LISTEN. A worker that cannot start at first prints why, and its exit code becomes that of this
 * process.
 */
export async function startWorkers(root: string, options: StartWorkersOptions): Promise<void> {
  await new ParentProcess(root, options).run();
}

/** The process above the workers. */
class ParentProcess {
  readonly #workers: Workers;
  #socket: Promise<SharedSocket> | undefined;
  #management: Management | undefined;
  #log: Logger | undefined;
  #listenFailure: unknown;

  constructor(
    root: string,
    private readonly options: StartWorkersOptions,
  ) {
    const answers = {
      open: (config: ParentConfig) => this.#open(config),
      askAll: (path: string) => this.#workers.collector.ask(path),
    };
    const { form, withStack, count } = options;
    const folder = enteredFolder(process.env, root);
    this.#workers = new Workers({
      count,
      newest: () => releaseIn(folder),
      fork: (number, release, told) => new Worker({ number, release, form, withStack, answers, told }),
      log: (level, message) => this.#log?.[level](message),
    });
  }

  async run(): Promise<void> {
    const kill = () => this.#workers.kill();
    process.once("exit", kill);
    const ending = stopOnSignal(() => this.#stop(), {
      onHangup: () => (isTerminalGone() ? process.kill(process.pid, "SIGTERM") : void this.#workers.replace()),
    });
    const { count } = this.options;
    const code = await withProgress(`starting ${count} workers`, () => this.#workers.start(print));
    if (ending.isWanted) return;
    if (code === undefined) return print(`workers   ${count}, of process ${process.pid}`);
    ending.release();
    await this.#stop();
    if (this.#listenFailure !== undefined) throw this.#listenFailure;
    process.exitCode = code;
  }

  /** The first worker brings the configuration; the address is kept until this process ends. */
  async #open(config: ParentConfig): Promise<SharedSocket> {
    this.#log ??= createLog(config.log);
    this.#socket ??= this.#listen(config);
    return this.#socket;
  }

  async #listen({ host, port, management }: ParentConfig): Promise<SharedSocket> {
    try {
      const socket = await shareSocket({ host, port, socket: inheritedSocket(process.env, process.pid) });
      if (management !== undefined) await this.#manage({ host, port: management });
      return socket;
    } catch (error) {
      this.#listenFailure = error;
      // So that only this process says what is wrong.
      this.#workers.kill();
      throw error;
    }
  }

  async #manage(address: { readonly host: string; readonly port: number }): Promise<void> {
    const onError = (err: unknown): void => this.#log?.error({ err }, "A question on the management port failed");
    const ask = (path: string) => this.#workers.collector.ask(path);
    this.#management = createManagement({ ...address, health: this.#workers, ask, onError });
    const url = await this.#management.listen();
    this.#log?.info(`The management port of all workers is at ${url}`);
  }

  /** Who connects while it stops is taken by the workers until the last of them has closed the socket. */
  async #stop(): Promise<void> {
    const stopped = this.#workers.stop();
    (await this.#socket?.catch(() => undefined))?.close();
    this.#socket = undefined;
    process.exitCode = await stopped;
    await this.#management?.close();
  }
}

/** SIGHUP is also what a process gets when its terminal is closed. */
function isTerminalGone(): boolean {
  if (!process.stdin.isTTY) return false;
  try {
    closeSync(openSync("/dev/tty", "r"));
    return false;
  } catch {
    return true;
  }
}
