import { Readable } from "node:stream";

/** Bytes that may wait for a slow client; it is cut off then, and reads again what it shows. */
const MOST_WAITING = 256 * 1024;

/** The text of one browser's stream of events. */
export class StreamBody extends Readable {
  /** When something was sent last, as of `performance.now()`. */
  sentAt = performance.now();
  #hasEnded = false;

  get hasEnded(): boolean {
    return this.#hasEnded || this.destroyed;
  }

  override _read(): void {
    // It is pushed when there is something.
  }

  send(text: string): void {
    if (this.hasEnded) return;
    this.sentAt = performance.now();
    this.push(text);
    if (this.readableLength > MOST_WAITING) this.finish("");
  }

  /** Sends a last text, and ends. */
  finish(text: string): void {
    if (this.hasEnded) return;
    this.#hasEnded = true;
    if (text !== "") this.push(text);
    this.push(null);
  }
}
