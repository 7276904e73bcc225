import pg from "pg";
import type { SentRequest } from "./candidates.js";
import { type ProcessUse, useOf } from "./process-use.js";
import type { SampleServer } from "./sample-server.js";

/** What one request cost. */
export interface Cost {
  readonly status: number;
  /** Of the answer. */
  readonly bytes: number;
  /** Seconds of processor of node and of PostgreSQL; on systems without /proc the seconds that it took. */
  readonly processor: number;
  /** Megabytes that node, and that all its connections in PostgreSQL, held more than before at most. */
  readonly nodeMemory: number;
  readonly postgresMemory: number;
}

/** Milliseconds between two looks at the processes. */
const INTERVAL = 10;
/** A request that is not answered by then has failed. */
const TIMEOUT = 30_000;

const BACKENDS = `select pid, state from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

/** Sends requests to a server, one at a time, and measures what each costs. */
export class Meter {
  private constructor(
    private readonly server: SampleServer,
    /** Sees the connections of the server; not there on PGlite, which runs in node. */
    private readonly client: pg.Client | undefined,
  ) {}

  static async open(server: SampleServer): Promise<Meter> {
    if (server.database.client === "pglite") return new Meter(server, undefined);
    const client = new pg.Client({ connectionString: String(server.database.connection) });
    await client.connect();
    return new Meter(server, client);
  }

  async measure({ path, init }: SentRequest): Promise<Cost> {
    const { pid } = this.server;
    const node = new Watch([pid]);
    const postgres = new Watch((await this.#backends()).map((each) => each.pid));
    const look = () => {
      node.look();
      postgres.look();
    };
    const timer = setInterval(look, INTERVAL);
    const begun = performance.now();
    try {
      const response = await fetch(this.server.url + path, { ...init, signal: AbortSignal.timeout(TIMEOUT) });
      const bytes = (await response.arrayBuffer()).byteLength;
      await this.#untilIdle(postgres);
      look();
      const seconds = (performance.now() - begun) / 1000;
      const processor = node.isSeen ? node.processor + postgres.processor : seconds;
      return { status: response.status, bytes, processor, nodeMemory: node.memory, postgresMemory: postgres.memory };
    } finally {
      clearInterval(timer);
    }
  }

  close(): Promise<void> {
    return this.client?.end() ?? Promise.resolve();
  }

  /** A statement may outlive its request. */
  async #untilIdle(postgres: Watch): Promise<void> {
    for (;;) {
      const backends = await this.#backends();
      postgres.add(backends.map(({ pid }) => pid));
      if (backends.every(({ state }) => state !== "active")) return;
      await new Promise((done) => setTimeout(done, INTERVAL));
    }
  }

  async #backends(): Promise<readonly { readonly pid: number; readonly state: string }[]> {
    return (await this.client?.query(BACKENDS))?.rows ?? [];
  }
}

const NOTHING: ProcessUse = { processor: 0, memory: 0 };

/** What some processes use from now on, together. */
class Watch {
  readonly #first = new Map<number, ProcessUse>();
  readonly #last = new Map<number, ProcessUse>();
  readonly #before: number;
  #most: number;

  constructor(pids: readonly number[]) {
    for (const pid of pids) {
      const use = useOf(pid);
      if (!use) continue;
      this.#first.set(pid, use);
      this.#last.set(pid, use);
    }
    this.#before = sum(this.#last, "memory");
    this.#most = this.#before;
  }

  /** Processes that were started since: all that they used counts. */
  add(pids: readonly number[]): void {
    for (const pid of pids) if (!this.#last.has(pid)) this.#last.set(pid, NOTHING);
  }

  look(): void {
    for (const pid of this.#last.keys()) {
      const use = useOf(pid);
      if (use) this.#last.set(pid, use);
    }
    this.#most = Math.max(this.#most, sum(this.#last, "memory"));
  }

  get isSeen(): boolean {
    return this.#first.size > 0;
  }

  get processor(): number {
    return sum(this.#last, "processor") - sum(this.#first, "processor");
  }

  get memory(): number {
    return this.#most - this.#before;
  }
}

function sum(uses: ReadonlyMap<number, ProcessUse>, what: keyof ProcessUse): number {
  return [...uses.values()].reduce((all, use) => all + use[what], 0);
}
