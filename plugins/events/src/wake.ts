import type { App } from "@plinth/core";

const CHANNEL = "events";
/** Milliseconds between two messages of a process, however many commits there are. */
const PAUSE = 50;

/**
 * Tells readers in all processes that events may have come. Never in the transaction of content: a NOTIFY takes a lock of the
 * whole cluster at the commit. A message that is lost costs a second at most, because readers look each second anyhow.
 */
export class Wake {
  readonly #listeners = new Set<() => void>();
  readonly #left = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #lastSent = Number.NEGATIVE_INFINITY;
  #unsubscribe: (() => void) | undefined;

  constructor(private readonly app: App) {}

  open(): void {
    const tell = (): void => {
      for (const listener of this.#listeners) listener();
    };
    const onLost = (): void => {
      for (const listener of this.#left) listener();
      tell();
    };
    this.#unsubscribe = this.app.db.messages.subscribe(CHANNEL, { onMessage: tell, onLost });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#listeners.clear();
    this.#left.clear();
  }

  /** Calls back whenever events may have come. @returns ends it */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Calls back when the session with the database was lost: the server may have crashed, or be another one. */
  whenLeft(listener: () => void): void {
    this.#left.add(listener);
  }

  /** Sends a message soon; after a commit. */
  send(): void {
    if (this.#timer !== undefined || !this.#unsubscribe) return;
    const pause = Math.max(0, this.#lastSent + PAUSE - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#lastSent = performance.now();
      this.app.db.messages
        .publish(CHANNEL, "")
        .catch((err: unknown) =>
          this.app.log.debug({ err }, "Readers of events were not woken: they look by themselves"),
        );
    }, pause).unref();
  }
}
