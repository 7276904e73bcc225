import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { packageUrl } from "../../base/package-url.js";
import { EMPTYING, type Emptying } from "./empty-database.js";
import type { Cluster } from "./fresh-cluster.js";

/**
 * What the thread runs. A text, because a thread does not have the loaders of its process, so a file would have to be
 * compiled before; the main thread says where the library is.
 */
const PROGRAM = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { library, place, settings, ...shared } = workerData;
  const errorLines = [];
  const note = (line) => (errorLines.push(line), errorLines.splice(0, errorLines.length - 5), false);
  const RESET = ["S\\0\\0\\0\\x04", "Q\\0\\0\\0\\x0drollback\\0", "Q\\0\\0\\0\\x10discard all\\0"];
  const fail = (error) => {
    const reason = errorLines.filter((line) => /PANIC|FATAL/.test(line)).pop() ?? errorLines.pop();
    parentPort.postMessage({ failure: reason ?? String(error?.message ?? error) });
  };
  const begin = ({ FS }, { tar, entries }, root = "/pglite/data/") => {
    const own = tar.slice();
    for (const { path, content } of entries)
      if (content) FS.writeFile(root + path, own.subarray(content.start, content.end), { canOwn: true });
      else FS.mkdirTree(root + path);
  };
  const open = async () => {
    const { PGlite, MemoryFS } = require(library);
    const startParams = [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ["-c", setting])];
    const options = { ...shared, startParams, onStderr: note };
    if (typeof place === "string") return PGlite.create({ ...options, dataDir: place });
    const fs = new MemoryFS();
    fs.initialSyncFs = async () => begin(fs.pg.Module, place);
    return PGlite.create({ ...options, fs });
  };
  const opened = open();
  opened.then(() => parentPort.postMessage({ isOpen: true }), fail);
  let turn = opened;
  const work = {
    answer: async (pglite, { bytes }) => {
      const answer = (await pglite.execProtocolRaw(bytes)).slice();
      parentPort.postMessage({ answer }, [answer.buffer]);
    },
    reset: async (pglite) => {
      for (const text of RESET) await pglite.execProtocolRaw(Buffer.from(text, "latin1"));
      parentPort.postMessage({ answer: new Uint8Array() });
    },
    empty: async (pglite, { statements, question, memory }) => {
      for (const text of RESET) await pglite.execProtocolRaw(Buffer.from(text, "latin1"));
      for (const text of statements) await pglite.exec(text);
      const { rows } = await pglite.query(question);
      parentPort.postMessage({ isEmpty: rows[0].is_empty && pglite.Module.HEAPU8.length <= memory });
    },
    close: async (pglite) => {
      await pglite.close();
      parentPort.postMessage({ isClosed: true });
    },
  };
  parentPort.on("message", (message) => {
    turn = turn.then((pglite) => work[message.work](pglite, message).then(() => pglite));
    turn.catch(fail);
  });
`;

/**
 * What the server is started with. PGlite fills its buffers with zeros when it opens: those of PostgreSQL's default of 128 MB
 * are a fifth of the processor time of that, and 60 MB more memory.
 */
const SETTINGS = ["shared_buffers=32MB"];

/** Where the thread keeps its database: a directory, or memory, where it begins with a copy of a cluster. */
export type EmbeddedPlace = string | Cluster;

/** Messages of the thread. */
type ThreadAnswer =
  | { readonly isOpen: true }
  | { readonly isClosed: true }
  | { readonly isEmpty: boolean }
  | { readonly answer: Uint8Array }
  | { readonly failure: string };

/** Messages to the thread. */
type ThreadRequest =
  | { readonly work: "answer"; readonly bytes: Uint8Array }
  | ({ readonly work: "empty"; readonly memory: number } & Emptying)
  | { readonly work: "reset" | "close" };

/** Receives the messages of a thread. */
export interface ThreadListener {
  answered(bytes: Uint8Array): void;
  /** It has ended, or is unusable. Called once. */
  failed(reason: string): void;
}

/** What is called when a thread has done what it was asked for, or cannot. */
interface Waiting {
  readonly opened: () => void;
  readonly closed: () => void;
  readonly emptied: (isEmpty: boolean) => void;
  readonly failed: (reason: string) => void;
}

/** Bytes that PGlite may have taken of its thread's memory where the thread is used again: it takes 128 MB, and gives none back. */
const MEMORY = 256 * 2 ** 20;

const ignored = (): void => undefined;

/** A thread with one PGlite in it, spoken to in PostgreSQL's own protocol. Statements run one after the other. */
export class EmbeddedThread {
  readonly #worker: Worker;
  #listener: ThreadListener;
  #unanswered = 0;
  #hasFailed = false;
  #waiting: Waiting = { opened: ignored, closed: ignored, emptied: ignored, failed: ignored };

  private constructor(worker: Worker, listener: ThreadListener) {
    this.#worker = worker;
    this.#listener = listener;
    worker.on("message", (answer: ThreadAnswer) => this.#receive(answer));
    worker.on("error", (error) => this.#fail(error.message));
    worker.on("exit", () => this.#fail("its thread ended"));
  }

  /** Opens the database, and makes it where there is none. @throws Error with the database's own words */
  static async open(place: EmbeddedPlace, listener: ThreadListener): Promise<EmbeddedThread> {
    const workerData = { place, settings: SETTINGS, ...(await embeddedLibrary()) };
    const worker = new Worker(PROGRAM, { eval: true, workerData, execArgv: [], name: "database" });
    const thread = new EmbeddedThread(worker, listener);
    try {
      await thread.#until("opened");
      return thread;
    } catch (error) {
      await thread.end();
      throw error;
    }
  }

  /** Whether it answers: it has not failed, and was not ended. */
  get isUsable(): boolean {
    return !this.#hasFailed;
  }

  /** Number of requests without an answer. */
  get unanswered(): number {
    return this.#unanswered;
  }

  /** Sends messages of the protocol; the listener gets the answers. */
  send(bytes: Uint8Array): void {
    this.#post({ work: "answer", bytes });
  }

  /** Makes the session a new one; an open transaction is rolled back. */
  reset(): void {
    this.#post({ work: "reset" });
  }

  /** Lets another one receive its messages, when there is no answer to come. */
  passTo(listener: ThreadListener): void {
    this.#listener = listener;
  }

  /**
   * Makes the database as it was when it was new.
   *
   * @returns false where that is not possible: something is left that goes with no schema, it has taken much memory, a statement
   *   runs, or the thread is unusable
   */
  async empty(): Promise<boolean> {
    if (this.#hasFailed || this.#unanswered > 0) return false;
    const emptied = this.#until("emptied");
    this.#post({ work: "empty", memory: MEMORY, ...EMPTYING });
    return emptied.catch(() => false);
  }

  /** Closes the database and ends the thread. */
  async close(): Promise<void> {
    if (!this.#hasFailed) {
      const closed = this.#until("closed");
      this.#post({ work: "close" });
      await closed;
    }
    await this.end();
  }

  /** Ends the thread at once, also in the middle of a statement; the next one recovers the database from its log. */
  async end(): Promise<void> {
    this.#hasFailed = true;
    await this.#worker.terminate();
  }

  #until<Event extends Exclude<keyof Waiting, "failed">>(event: Event): Promise<Parameters<Waiting[Event]>[0]> {
    return new Promise((done, fail) => {
      this.#waiting = { ...this.#waiting, [event]: done, failed: (reason) => fail(new Error(reason)) };
    });
  }

  /** An idle thread does not keep the process alive. */
  #post(request: ThreadRequest): void {
    this.#unanswered += 1;
    this.#worker.ref();
    this.#worker.postMessage(request);
  }

  #receive(answer: ThreadAnswer): void {
    if ("failure" in answer) this.#fail(answer.failure);
    else if ("isOpen" in answer) this.#waiting.opened();
    else if ("isClosed" in answer) this.#waiting.closed();
    else this.#answered(answer);
  }

  #answered(message: Extract<ThreadAnswer, { answer: Uint8Array } | { isEmpty: boolean }>): void {
    this.#unanswered -= 1;
    if (this.#unanswered === 0) this.#worker.unref();
    if ("isEmpty" in message) this.#waiting.emptied(message.isEmpty);
    else this.#listener.answered(message.answer);
  }

  #fail(reason: string): void {
    this.#waiting.failed(reason);
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#listener.failed(reason);
  }
}

/** Node has it; its types come with those of browsers only. @source https://nodejs.org/api/globals.html#webassembly */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

const PACKAGE = "@electric-sql/pglite";

/** What the threads of all embedded databases of a process share; keys as PGlite names its options. */
interface EmbeddedLibrary {
  /** Path of the module that a thread requires. Imported, it would be searched for names, for 0.06 s of processor time. */
  readonly library: string;
  readonly pgliteWasmModule: object;
  readonly fsBundle: Blob;
}

let loaded: Promise<EmbeddedLibrary> | undefined;

/**
 * Reads and compiles PGlite once in a process. A thread that compiles it for itself takes twice the processor time to open
 * a database (4.2 s and 1.8 s on a busy machine), and V8 forgets the compiled code when the last thread ends.
 */
function embeddedLibrary(): Promise<EmbeddedLibrary> {
  loaded ??= loadLibrary();
  return loaded;
}

async function loadLibrary(): Promise<EmbeddedLibrary> {
  const read = (name: string) => readFile(fileURLToPath(packageUrl(`${PACKAGE}/${name}`)));
  const [wasm, bundle] = await Promise.all([read("pglite.wasm"), read("pglite.data")]);
  const pgliteWasmModule = await WebAssembly.compile(new Uint8Array(wasm));
  return {
    library: fileURLToPath(packageUrl(PACKAGE)),
    pgliteWasmModule,
    fsBundle: new Blob([new Uint8Array(bundle)]),
  };
}
