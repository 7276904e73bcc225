/** What goes over the socket once a command has begun, by its first byte. */
export const FRAME = {
  /** To the caller: bytes of its stdout. */
  stdout: 1,
  /** To the caller: bytes of its stderr. */
  stderr: 2,
  /** To the caller: the command reads, and wants the next bytes of stdin. */
  wantsInput: 3,
  /** To the caller: `1` when keys are wanted as they are typed, `0` when lines are. */
  rawMode: 4,
  /** To the caller: the exit code, as text; the last frame. */
  exit: 5,
  /** From the caller: bytes of its stdin; none at its end. */
  input: 6,
  /** From the caller: it got a signal. */
  signal: 7,
  /** From the caller: its terminal has another size, columns and rows, as `120x40`. */
  size: 8,
} as const;

/** A number of FRAME. */
export type FrameKind = (typeof FRAME)[keyof typeof FRAME];

/** How large a terminal is, in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** One byte for the kind, four for the length of what follows. */
const HEAD = 5;
/** Bytes of content that one frame may have. */
const LARGEST = 1024 ** 2;

/** A part of the conversation. */
export interface Frame {
  readonly kind: number;
  readonly content: Buffer;
}

/** The bytes of a frame. */
export function encodeFrame(kind: FrameKind, content: Uint8Array | string = ""): Buffer {
  const bytes = Buffer.from(content);
  const head = Buffer.alloc(HEAD);
  head.writeUInt8(kind);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** Puts frames together from the pieces in which they arrive. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** @returns the frames that are complete; undefined when what arrives is no frame */
  read(bytes: Buffer): readonly Frame[] | undefined {
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const frames: Frame[] = [];
    while (rest.length >= HEAD) {
      const end = HEAD + rest.readUInt32BE(1);
      if (end - HEAD > LARGEST) return undefined;
      if (rest.length < end) break;
      frames.push({ kind: rest.readUInt8(), content: rest.subarray(HEAD, end) });
      rest = rest.subarray(end);
    }
    this.#rest = rest;
    return frames;
  }
}

/** The content of a frame of size. */
export const encodeSize = ({ columns, rows }: TerminalSize): string => `${columns}x${rows}`;

/** What a frame of size says; the usual size where it says nothing. */
export function parseSize(content: Buffer): TerminalSize {
  const [, columns = 80, rows = 24] = /^(\d+)x(\d+)$/.exec(content.toString()) ?? [];
  return { columns: Number(columns), rows: Number(rows) };
}
