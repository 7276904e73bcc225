import { Worker } from "node:worker_threads";
import { packageUrl } from "../../base/package-url.js";
import { PasswordsBusyError, PasswordThreadError } from "../errors.js";

/** One password to be hashed, or to be compared with a hash. */
export type PasswordJob =
  | { readonly password: string; readonly rounds: number }
  | { readonly password: string; readonly hash: string };

/** The hash, or whether password and hash belong together. */
export type PasswordResult = string | boolean;

/** Jobs that may wait for each thread: about three seconds of work. */
const MAX_WAITING = 40;

/**
 * What a thread runs. A text, because a thread does not have the loaders of its process, so a file would have to be
 * compiled before; the main thread says where the library is.
 */
const PROGRAM = `
  const { parentPort, workerData } = require("node:worker_threads");
  const library = import(workerData.bcrypt);
  parentPort.on("message", async ({ password, hash, rounds }) => {
    const { default: bcrypt } = await library;
    parentPort.postMessage(hash === undefined ? bcrypt.hashSync(password, rounds) : bcrypt.compareSync(password, hash));
  });
`;

interface Waiting {
  readonly job: PasswordJob;
  readonly resolve: (result: PasswordResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Threads that do one job at a time each. They start when there is work, and do not keep the process alive when idle. */
export class PasswordThreads {
  readonly #idle: Worker[] = [];
  readonly #working = new Map<Worker, Waiting>();
  readonly #queue: Waiting[] = [];
  #isClosed = false;

  /** @param size - how many threads there are at most. */
  constructor(private readonly size: number) {}

  /** @throws PLINTH_PASSWORDS_BUSY (503) when too many wait, PLINTH_PASSWORDS_THREAD_ENDED (500) */
  run(job: PasswordJob): Promise<PasswordResult> {
    return new Promise((resolve, reject) => {
      const waiting = this.#queue.length;
      if (this.#isClosed) throw new PasswordThreadError({ reason: "the app has stopped" });
      if (waiting >= this.size * MAX_WAITING) throw new PasswordsBusyError({ waiting });
      this.#queue.push({ job, resolve, reject });
      this.#next();
    });
  }

  /** Ends all threads; what they were doing fails. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#queue.splice(0)) reject(new PasswordThreadError({ reason: "the app stops" }));
    await Promise.all([...this.#idle, ...this.#working.keys()].map((worker) => worker.terminate()));
  }

  #next(): void {
    if (this.#queue.length === 0) return;
    const worker = this.#idle.pop() ?? (this.#working.size < this.size ? this.#start() : undefined);
    const waiting = worker && this.#queue.shift();
    if (!worker || !waiting) return;
    this.#working.set(worker, waiting);
    worker.ref();
    worker.postMessage(waiting.job);
  }

  #start(): Worker {
    const workerData = { bcrypt: packageUrl("bcryptjs") };
    const worker = new Worker(PROGRAM, { eval: true, workerData, execArgv: [], name: "passwords" });
    worker.on("message", (result: PasswordResult) => {
      this.#working.get(worker)?.resolve(result);
      this.#working.delete(worker);
      worker.unref();
      this.#idle.push(worker);
      this.#next();
    });
    worker.on("error", (cause) => this.#drop(worker, String(cause)));
    worker.on("exit", () => this.#drop(worker, "it was stopped"));
    return worker;
  }

  /** A thread that is gone is replaced with the next job. */
  #drop(worker: Worker, reason: string): void {
    this.#working.get(worker)?.reject(new PasswordThreadError({ reason }));
    this.#working.delete(worker);
    if (this.#idle.includes(worker)) this.#idle.splice(this.#idle.indexOf(worker), 1);
    this.#next();
  }
}
