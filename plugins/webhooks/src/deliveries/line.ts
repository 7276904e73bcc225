import type { ReadyDelivery } from "./delivery-store.js";

/** How many are on their way to an endpoint at once. */
const ABREAST = 4;

/** What goes to one endpoint. All of them may go at the same time: of a document there is one. */
export class Line {
  readonly #queue: ReadyDelivery[] = [];
  readonly #running = new Map<string, Promise<void>>();

  /** @param run - sends one; must not throw. @param isShort - called when there is room for more. */
  constructor(
    private readonly run: (delivery: ReadyDelivery) => Promise<void>,
    private readonly isShort: () => void,
  ) {}

  get needsMore(): boolean {
    return this.#queue.length === 0 && this.#running.size < ABREAST;
  }

  /** Ids of those that are on their way. */
  get running(): readonly string[] {
    return [...this.#running.keys()];
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
    while (this.#running.size < ABREAST) {
      const next = this.#queue.shift();
      if (!next) return;
      const running = this.run(next).then(() => {
        this.#running.delete(next.id);
        this.#pump();
        if (this.needsMore) this.isShort();
      });
      this.#running.set(next.id, running);
    }
  }
}
