import type { App } from "@plinth/core";

const CHANNEL = "events";
/** Milliseconds between two messages of a process, however many commits there are. */
const PAUSE = 50;
/** What a process says in which somebody listens; any other message says that there are events. */
const LISTENING = "listening";
/** Milliseconds between two of these, and for how long one holds. */
const SAY_EVERY = 20_000;
const HOLDS = 60_000;

/**
 * Tells readers in all processes that events may have come. Never in the transaction of content: a NOTIFY takes a lock of the
 * whole cluster at the commit, and writes to the log. A message that is lost costs a second at most, because readers look each
 * second anyhow. Where no process has readers, none is sent: those that have say so again and again.
 */
export class Wake {
  readonly #listeners = new Set<() => void>();
  readonly #left = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #saying: NodeJS.Timeout | undefined;
  #lastSent = Number.NEGATIVE_INFINITY;
  /** Until when it counts on readers in other processes. */
  #othersUntil = Number.NEGATIVE_INFINITY;
  #unsubscribe: (() => void) | undefined;

  /** @param now - milliseconds since some moment. */
  constructor(
    private readonly app: Pick<App, "log"> & { readonly db: Pick<App["db"], "messages"> },
    private readonly now: () => number = () => performance.now(),
  ) {}

  open(): void {
    const onMessage = (text: string): void => {
      if (text === LISTENING) this.#expectOthers();
      else this.#tell();
    };
    const onLost = (): void => {
      for (const listener of this.#left) listener();
      this.#expectOthers();
      this.#tell();
    };
    this.#unsubscribe = this.app.db.messages.subscribe(CHANNEL, { onMessage, onLost });
    // Until the others have said it.
    this.#expectOthers();
    this.#say();
  }

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#saying);
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#listeners.clear();
    this.#left.clear();
  }

  /** Calls back whenever events may have come. @returns ends it */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#say();
    return () => void this.#listeners.delete(listener);
  }

  /** Calls back when the session with the database was lost: the server may have crashed, or be another one. */
  whenLeft(listener: () => void): void {
    this.#left.add(listener);
  }

  /** Sends a message soon, where there are readers; after a commit. */
  send(): void {
    if (this.#timer !== undefined || !this.#unsubscribe) return;
    const now = this.now();
    if (this.#listeners.size === 0 && now > this.#othersUntil) return;
    const pause = Math.max(0, this.#lastSent + PAUSE - now);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#lastSent = this.now();
      this.#publish("");
    }, pause).unref();
  }

  /** Says that somebody listens here, now and as long as that is so. */
  #say(): void {
    if (this.#saying !== undefined || !this.#unsubscribe || this.#listeners.size === 0) return;
    this.#publish(LISTENING);
    this.#saying = setTimeout(() => {
      this.#saying = undefined;
      this.#say();
    }, SAY_EVERY).unref();
  }

  #publish(text: string): void {
    this.app.db.messages
      .publish(CHANNEL, text)
      .catch((err: unknown) =>
        this.app.log.debug({ err }, "Readers of events were not woken: they look by themselves"),
      );
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  #expectOthers(): void {
    this.#othersUntil = this.now() + HOLDS;
  }
}
