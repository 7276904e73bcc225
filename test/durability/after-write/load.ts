import { setTimeout as sleep } from "node:timers/promises";
import type { PlanRequest } from "./app.js";

const WRITERS = 3;
const CLIENTS = 2;
/** Documents of each writer. */
const DOCUMENTS = 5;
/** Milliseconds between two requests of a client. */
const PAUSE = { write: 15, order: 40, plan: 200 };
const LONGEST = 15_000;
/** Every so many, a release has a document that is refused, or is run one by one. */
const BROKEN = 5;
const EACH = 7;

/** What clients were told that it was done. */
export interface Acknowledged {
  /** Numbers by document, in their order. */
  readonly writes: ReadonlyMap<string, readonly number[]>;
  readonly orders: readonly string[];
  readonly releases: readonly string[];
  /** Documents. */
  readonly schedules: readonly string[];
}

/** Clients that write, order and plan all the time, each one request after the other, at any process that serves. */
export class Load implements Acknowledged {
  readonly writes = new Map<string, number[]>();
  readonly orders: string[] = [];
  readonly releases: string[] = [];
  readonly schedules: string[] = [];
  /** Requests that were done. */
  answered = 0;
  /** What other answers were, by status: `503`. */
  readonly refusals = new Map<number, number>();
  #isOver = false;
  readonly #running: Promise<unknown>;

  constructor(private readonly urls: () => readonly string[]) {
    const writers = Array.from({ length: WRITERS }, () => this.#write());
    const clients = Array.from({ length: CLIENTS }, (_, client) => this.#order(client));
    this.#running = Promise.all([...writers, ...clients, this.#plan()]);
  }

  get written(): number {
    return [...this.writes.values()].reduce((sum, { length }) => sum + length, 0);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #write(): Promise<void> {
    const ids: string[] = [];
    for (let n = 1; !this.#isOver; n += 1) {
      const id = ids[n % DOCUMENTS];
      const place = id === undefined ? "" : `/${id}`;
      const body = { data: { text: String(n) } };
      const answer = await this.#send(id === undefined ? "POST" : "PUT", `/api/notes${place}`, body);
      const made = answer?.data?.documentId;
      if (made !== undefined) {
        ids[n % DOCUMENTS] = made;
        const numbers = this.writes.get(made);
        if (numbers) numbers.push(n);
        else this.writes.set(made, [n]);
      }
      await sleep(PAUSE.write);
    }
  }

  async #order(client: number): Promise<void> {
    for (let n = 1; !this.#isOver; n += 1) {
      const key = `order-${client}-${n}`;
      if (await this.#send("POST", "/api/load/orders", { key })) this.orders.push(key);
      await sleep(PAUSE.order);
    }
  }

  async #plan(): Promise<void> {
    for (let n = 1; !this.#isOver; n += 1) {
      const [isBroken, isWhole] = [n % BROKEN === 1, n % EACH !== 0];
      const plan = { key: `r${n}`, delay: 500 + Math.random() * 2_500, documents: 4, isBroken, isWhole };
      if (await this.#send("POST", "/api/load/releases", plan satisfies PlanRequest)) this.releases.push(plan.key);
      const publication = { ...plan, key: `s${n}` };
      if (await this.#send("POST", "/api/load/schedules", publication)) this.schedules.push(`fine-${publication.key}`);
      await sleep(PAUSE.plan);
    }
  }

  /** The body of an answer; undefined where it was none, or a refusal: what came of it is not known then. */
  async #send(method: string, path: string, body: object): Promise<Answer | undefined> {
    const all = this.urls();
    const url = all[Math.floor(Math.random() * all.length)];
    if (url === undefined) {
      await sleep(50);
      return undefined;
    }
    try {
      const response = await fetch(`${url}${path}`, {
        ...{ method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
        signal: AbortSignal.timeout(LONGEST),
      });
      const answer = (await response.json()) as Answer;
      if (!response.ok) this.refusals.set(response.status, (this.refusals.get(response.status) ?? 0) + 1);
      if (!response.ok) return undefined;
      this.answered += 1;
      return answer;
    } catch {
      return undefined;
    }
  }
}

interface Answer {
  readonly data?: { readonly documentId: string } | null;
}
