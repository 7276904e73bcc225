import { setTimeout as sleep } from "node:timers/promises";
import type { PlanRequest } from "./app.js";

/** Writers with documents of their own, and such as write to the same ones. */
const WRITERS = 2;
const RIVALS = 2;
const CLIENTS = 2;
/** Documents of each writer, and of the rivals together. */
const DOCUMENTS = 5;
const CONTESTED = 2;
/** Milliseconds between two requests of a client. */
const PAUSE = { write: 15, order: 40, plan: 200 };
const LONGEST = 15_000;
/** Every so many, a release has a document that is refused, or is run one by one. */
const BROKEN = 5;
const EACH = 7;

/** What one client wrote to one document, in its order. */
export interface Series {
  readonly document: string;
  readonly writer: string;
  readonly texts: string[];
}

/** What clients were told that it was done. */
export interface Acknowledged {
  readonly writes: readonly Series[];
  readonly orders: readonly string[];
  readonly releases: readonly string[];
  /** Documents. */
  readonly schedules: readonly string[];
}

/** What clients ask for. */
export type Work = "write" | "order" | "release" | "schedule";

const documents = (length: number): (string | undefined)[] => Array.from({ length }, () => undefined);

/** Clients that write, order and plan all the time, each one request after the other, at any process that serves. */
export class Load implements Acknowledged {
  readonly writes: Series[] = [];
  readonly orders: string[] = [];
  readonly releases: string[] = [];
  readonly schedules: string[] = [];
  /** Requests that were done, by kind. */
  readonly answered: Record<Work, number> = { write: 0, order: 0, release: 0, schedule: 0 };
  /** What other answers were, by status: `503`. */
  readonly refusals = new Map<number, number>();
  #isOver = false;
  readonly #running: Promise<unknown>;

  constructor(private readonly urls: () => readonly string[]) {
    const writers = Array.from({ length: WRITERS }, (_, n) => this.#write(`w${n}`, documents(DOCUMENTS)));
    const contested = documents(CONTESTED);
    const rivals = Array.from({ length: RIVALS }, (_, n) => this.#write(`rival${n}`, contested));
    const clients = Array.from({ length: CLIENTS }, (_, client) => this.#order(client));
    this.#running = Promise.all([...writers, ...rivals, ...clients, this.#plan()]);
  }

  get written(): number {
    return this.writes.reduce((sum, { texts }) => sum + texts.length, 0);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  /** @param ids - of the documents that there are, to which it adds. */
  async #write(writer: string, ids: (string | undefined)[]): Promise<void> {
    for (let n = 1; !this.#isOver; n += 1) {
      const id = ids[n % ids.length];
      const place = id === undefined ? "" : `/${id}`;
      const body = { data: { text: `${writer}-${n}` } };
      const answer = await this.#send("write", id === undefined ? "POST" : "PUT", `/api/notes${place}`, body);
      const document = answer?.data?.documentId;
      if (document !== undefined) {
        ids[n % ids.length] ??= document;
        this.#note({ document, writer, texts: [body.data.text] });
      }
      await sleep(PAUSE.write);
    }
  }

  #note({ document, writer, texts }: Series): void {
    const known = this.writes.find((each) => each.document === document && each.writer === writer);
    if (known) known.texts.push(...texts);
    else this.writes.push({ document, writer, texts });
  }

  async #order(client: number): Promise<void> {
    for (let n = 1; !this.#isOver; n += 1) {
      const key = `order-${client}-${n}`;
      if (await this.#send("order", "POST", "/api/load/orders", { key })) this.orders.push(key);
      await sleep(PAUSE.order);
    }
  }

  async #plan(): Promise<void> {
    for (let n = 1; !this.#isOver; n += 1) {
      const [isBroken, isWhole] = [n % BROKEN === 1, n % EACH !== 0];
      const plan = { key: `r${n}`, delay: 500 + Math.random() * 2_500, documents: 4, isBroken, isWhole };
      if (await this.#send("release", "POST", "/api/load/releases", plan satisfies PlanRequest))
        this.releases.push(plan.key);
      const publication = { ...plan, key: `s${n}` };
      if (await this.#send("schedule", "POST", "/api/load/schedules", publication))
        this.schedules.push(`fine-${publication.key}`);
      await sleep(PAUSE.plan);
    }
  }

  /** The body of an answer; undefined where it was none, or a refusal: what came of it is not known then. */
  async #send(work: Work, method: string, path: string, body: object): Promise<Answer | undefined> {
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
      this.answered[work] += 1;
      return answer;
    } catch {
      return undefined;
    }
  }
}

interface Answer {
  readonly data?: { readonly documentId: string } | null;
}
