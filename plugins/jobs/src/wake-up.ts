import type { App, Database } from "@plinth/core";

/** What jobs say to each other: the names of queues that got something, separated by spaces. */
const CHANNEL = "jobs";
/** Milliseconds between two messages of a process: each of them locks the list of notifications of the whole server. */
const PAUSE = 50;

/** Tells all processes that there are jobs, after the commit that added them, so that none has to be looked for often. */
export class WakeUp {
  readonly #db: Database;
  readonly #names = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();
  #isPausing = false;

  constructor(private readonly app: App) {
    this.#db = app.db;
  }

  /** Says it once the transaction of the caller, if there is one, has committed. */
  afterCommit(name: string): void {
    this.#db.afterCommit(() => this.tell(name));
  }

  /** Says it now, or within 50 ms. */
  tell(name: string): void {
    this.#names.add(name);
    if (!this.#isPausing) this.#send();
  }

  /** @param wake - gets the names; none: anything may have been added. @returns ends it */
  listen(wake: (names: readonly string[] | undefined) => void): () => void {
    return this.#db.messages.subscribe(CHANNEL, {
      onMessage: (text) => wake(text.split(" ")),
      onLost: () => wake(undefined),
    });
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isPausing = true;
    await this.#sending;
  }

  #send(): void {
    const text = [...this.#names].join(" ");
    this.#names.clear();
    this.#isPausing = true;
    this.#timer = setTimeout(() => {
      this.#isPausing = false;
      if (this.#names.size > 0) this.#send();
    }, PAUSE).unref();
    // A process that does not receive it looks each second.
    this.#sending = this.#db.messages
      .publish(CHANNEL, text)
      .catch((err: unknown) => this.app.log.debug({ err }, "Other processes were not told of a job"));
  }
}
