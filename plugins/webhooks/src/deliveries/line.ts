import type { ReadyDelivery } from "./delivery-store.js";

/** How many are on their way to an endpoint at once. */
const ABREAST = 4;

/** What goes to one endpoint. All of them may go at the same time: of a document there is one. */
export class Line {
  readonly #queue: ReadyDelivery[] = [];
  readonly #running = new Map<string, Promise<void>>();
  #sending = 0;

  /**
   * @param run - sends one, calls `sent` when that is over, and ends when it is noted; must not throw.
   * @param isShort - called when there is room for more.
   */
  constructor(
    private readonly run: (delivery: ReadyDelivery, sent: () => void) => Promise<void>,
    private readonly isShort: () => void,
  ) {}

  /** Before there is nothing to do: those that are on their way take as long as it takes to find more. */
  get needsMore(): boolean {
    return this.#queue.length < ABREAST;
  }

  /** Ids of those that are to go, are on their way, or are not noted yet. */
  get held(): readonly string[] {
    return [...this.#queue.map(({ id }) => id), ...this.#running.keys()];
  }

  add(delivery: ReadyDelivery): void {
    this.#queue.push(delivery);
    this.#pump();
  }

  /** Begins nothing more. */
  clear(): void {
    this.#queue.length = 0;
  }

  /** Ends when nothing is on its way. */
  async ended(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #pump(): void {
    while (this.#sending < ABREAST) {
      const next = this.#queue.shift();
      if (!next) return;
      this.#begin(next);
    }
  }

  #begin(delivery: ReadyDelivery): void {
    this.#sending += 1;
    let isSending = true;
    const sent = (): void => {
      if (!isSending) return;
      isSending = false;
      this.#sending -= 1;
      this.#pump();
      if (this.needsMore) this.isShort();
    };
    const running = this.run(delivery, sent).then(() => {
      this.#running.delete(delivery.id);
      sent();
      if (this.needsMore) this.isShort();
    });
    this.#running.set(delivery.id, running);
  }
}
