import type { Socket } from "node:net";
import { Readable, Writable } from "node:stream";
import { encodeFrame, FRAME, type TerminalSize } from "./frames.js";

/** Bytes of one frame. */
const PIECE = 256 * 1024;

/** What the caller types or pipes in. It is asked for a piece when the command reads, and for none before. */
export class SessionInput extends Readable {
  /** As of a terminal; absent on a pipe. */
  readonly setRawMode: ((isRaw: boolean) => this) | undefined;

  constructor(
    private readonly socket: Socket,
    readonly isTTY: boolean,
  ) {
    super();
    // A prompt that shows a terminal wants each key, and its caller has the keyboard.
    if (!isTTY) return;
    this.setRawMode = (isRaw) => {
      socket.write(encodeFrame(FRAME.rawMode, isRaw ? "1" : "0"));
      return this;
    };
  }

  override _read(): void {
    this.socket.write(encodeFrame(FRAME.wantsInput));
  }

  /** The next piece; an empty one is the end, after which nothing comes. */
  give(bytes: Uint8Array): void {
    if (this.#hasEnded) return;
    this.#hasEnded = bytes.length === 0;
    this.push(this.#hasEnded ? null : Buffer.from(bytes));
  }

  #hasEnded = false;
}

/** What the caller sees, at the pace in which it takes it. */
export class SessionOutput extends Writable {
  readonly isTTY: boolean;
  columns: number;
  rows: number;

  constructor(
    private readonly socket: Socket,
    private readonly kind: typeof FRAME.stdout | typeof FRAME.stderr,
    { isTTY, size }: { readonly isTTY: boolean; readonly size: TerminalSize },
  ) {
    super();
    this.isTTY = isTTY;
    this.columns = size.columns;
    this.rows = size.rows;
    // Of a caller that has gone: who prints a line need not care, and who sends an archive gets the error.
    this.on("error", () => undefined);
  }

  /** Follows the caller's window. */
  resize({ columns, rows }: TerminalSize): void {
    this.columns = columns;
    this.rows = rows;
    this.emit("resize");
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += PIECE) pieces.push(bytes.subarray(at, at + PIECE));
    this.socket.write(Buffer.concat(pieces.map((piece) => encodeFrame(this.kind, piece))), done);
  }
}
