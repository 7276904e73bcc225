import type { App } from "@plinth/core";

/** The channel that tells processes whose versions were deleted. */
const CHANNEL = "history:forgotten";

/** Of how many documents a process remembers that they have a version; some 100 bytes each. */
const MOST = 10_000;

/** Documents of which this process knows that they have a version: their next change needs no look for one. */
export class KnownDocuments {
  readonly #known = new Set<string>();
  #leave: (() => void) | undefined;

  constructor(private readonly app: App) {}

  /** False as well while messages of other processes that delete versions cannot arrive. */
  has(uid: string, documentId: string): boolean {
    return this.app.db.messages.isListening && this.#known.has(keyOf(uid, documentId));
  }

  add(uid: string, documentId: string): void {
    this.#leave ??= this.app.db.messages.subscribe(CHANNEL, {
      onMessage: (key) => void this.#known.delete(key),
      onLost: () => this.#known.clear(),
    });
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.add(keyOf(uid, documentId));
  }

  /** Forgets all, and stops to listen. */
  close(): void {
    this.#leave?.();
    this.#leave = undefined;
    this.#known.clear();
  }
}

/** Tells every process that a document has no version any more; in a transaction, when that is over. */
export const tellForgotten = ({ db }: App, uid: string, documentId: string): Promise<void> =>
  db.messages.publish(CHANNEL, keyOf(uid, documentId));

const keyOf = (uid: string, documentId: string): string => `${uid} ${documentId}`;
