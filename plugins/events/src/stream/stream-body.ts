import { Readable } from "node:stream";

/** The text of one client's stream. What the client has not taken yet is one page of events at most. */
export class StreamBody extends Readable {
  /** Whether the client has taken what was sent, and more may be. */
  isWanted = false;
  /** When something was sent last, as of `performance.now()`. */
  sentAt = performance.now();
  #hasEnded = false;
  readonly #wanted: () => void;

  /** @param wanted - called when more may be sent. */
  constructor(wanted: () => void) {
    super();
    this.#wanted = wanted;
  }

  get hasEnded(): boolean {
    return this.#hasEnded || this.destroyed;
  }

  override _read(): void {
    if (this.isWanted) return;
    this.isWanted = true;
    this.#wanted();
  }

  send(text: string): void {
    if (this.hasEnded) return;
    this.sentAt = performance.now();
    this.isWanted = this.push(text);
  }

  /** Sends a last text, and ends. */
  finish(text: string): void {
    if (this.hasEnded) return;
    this.#hasEnded = true;
    this.push(text);
    this.push(null);
  }
}
