import { setTimeout as sleep } from "node:timers/promises";
import type { DatabaseConfig } from "@plinth/core";
import { type FleetProcess, startProcess } from "../fleet-process.js";

/** Milliseconds within which a process has to come up, however busy the machine is. */
const START_LIMIT = 120_000;
const PAUSE = 200;

type Serving = FleetProcess & { readonly url: string };

/** Processes of one app. One that dies is started again, as a supervisor does. */
export class Fleet {
  /** Those that serve. */
  readonly #slots: (Serving | undefined)[];
  readonly #starting: (Promise<void> | undefined)[] = [];
  #isOver = false;
  /** Starts that ended without a process, because the database was not there. */
  failedStarts = 0;
  /** Processes that ended although nobody killed them. */
  deaths = 0;

  constructor(
    private readonly database: DatabaseConfig,
    size: number,
  ) {
    this.#slots = Array.from({ length: size }, () => undefined);
  }

  get size(): number {
    return this.#slots.length;
  }

  /** The addresses of those that serve. */
  get urls(): readonly string[] {
    return this.#slots.flatMap((each) => each?.url ?? []);
  }

  /** Starts those that do not run, one after the other: the first makes the tables. */
  async complete(): Promise<void> {
    for (let slot = 0; slot < this.size; slot += 1) {
      if (!this.#slots[slot]) this.#starting[slot] ??= this.#start(slot);
      await this.#starting[slot];
    }
  }

  /** Kills one that serves, and has it started again; false where it does not serve. */
  async kill(slot: number): Promise<boolean> {
    const killed = this.#slots[slot];
    if (!killed) return false;
    this.#slots[slot] = undefined;
    await killed.kill();
    this.#starting[slot] = this.#start(slot);
    // Who waits for it finds the failure.
    this.#starting[slot]?.catch(() => undefined);
    return true;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#starting);
    const serving = this.#slots.splice(0);
    await Promise.all(serving.map((each) => each?.kill()));
  }

  async #start(slot: number): Promise<void> {
    for (const end = performance.now() + START_LIMIT; !this.#isOver; await sleep(PAUSE)) {
      const started = await startProcess(this.database, "after-write/serve.ts").catch((error: Error) => error);
      if (!(started instanceof Error) && "url" in started.said) {
        this.#serve(slot, { ...started, url: started.said.url });
        return;
      }
      this.failedStarts += 1;
      if (!(started instanceof Error)) await started.end();
      const reason = started instanceof Error ? started.message : JSON.stringify(started.said);
      if (performance.now() > end) throw new Error(`a process does not start any more: ${reason}`);
    }
  }

  #serve(slot: number, serving: Serving): void {
    this.#slots[slot] = serving;
    this.#starting[slot] = undefined;
    void serving.gone.then(() => {
      if (this.#slots[slot] !== serving) return;
      this.deaths += 1;
      this.#slots[slot] = undefined;
      this.#starting[slot] = this.#start(slot);
    });
  }
}
