import { Readable } from "node:stream";

/** What keeps a stream alive: a comment, which clients do not see. */
const HEARTBEAT = Buffer.from(":\n\n");

/** The text of one client's stream. A slow client skips what became old before it could be sent. */
export class EventStream extends Readable {
  /** Of the newest message. */
  lastId: string | undefined;
  /** Bytes of all that it has handed on. */
  sentBytes = 0;
  /** The newest message, until it is taken. */
  #next: Buffer | undefined;
  #isWanted = false;
  #hasEnded = false;
  /** When something was sent last, as of `performance.now()`. */
  sentAt = performance.now();

  override _read(): void {
    this.#isWanted = true;
    this.#flush();
  }

  /** Sends a message, unless it is the last one again. */
  send(id: string, text: Buffer): void {
    if (id === this.lastId) return;
    this.lastId = id;
    this.#next = text;
    this.#flush();
  }

  /** Says that it is alive, where nothing else waits to be sent. */
  beat(): void {
    this.#next ??= HEARTBEAT;
    this.sentAt = performance.now();
    this.#flush();
  }

  /** Sends a last text, and ends. */
  finish(text: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.push(text);
    this.push(null);
  }

  #flush(): void {
    if (!this.#isWanted || this.#next === undefined || this.#hasEnded) return;
    const text = this.#next;
    this.#next = undefined;
    this.#isWanted = false;
    this.sentAt = performance.now();
    this.sentBytes += text.length;
    this.push(text);
  }
}
