import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ConnectionLimits } from "./connection-limits.js";
import { closeAfter, queuedBytes } from "./node-internals.js";

/** What the connections of a server share. */
export interface ConnectionContext {
  readonly limits: ConnectionLimits;
  /** Works on a request. */
  readonly answer: RequestListener;
  /** Whether answers have to end their connections, because the server is about to stop. */
  readonly isStopping: boolean;
}

/** The progress of the current transfer, and its time; times as of `performance.now()`. */
interface Mark {
  readonly at: number;
  readonly moved: number;
}

/**
 * One client's connection. It handles one request at a time: node delivers all requests of a packet at once, thousands
 * in one, and their answers would fill the memory before the client reads the first.
 */
export class Connection {
  #current: IncomingMessage | undefined;
  #waiting: (readonly [IncomingMessage, ServerResponse])[] = [];
  #response: ServerResponse | undefined;
  #isFull = false;
  #refusal: string | undefined;
  #mark: Mark | undefined;

  constructor(
    readonly socket: Socket,
    private readonly context: ConnectionContext,
  ) {}

  /** Handles a request now, or when the client has read the answers before it. */
  take(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isFull || this.socket.destroyed) return;
    if (!this.#current) {
      this.#start(request, response);
      return;
    }
    this.#waiting.push([request, response]);
    if (this.#waiting.length < this.context.limits.maxPipelined) return;
    this.#isFull = true;
    closeAfter(response);
  }

  #start(request: IncomingMessage, response: ServerResponse): void {
    this.#current = request;
    this.#response = response;
    response.once("close", this.#next);
    if (this.context.isStopping) this.endWithAnswer();
    this.context.answer(request, response);
  }

  readonly #next = (): void => {
    this.#current = undefined;
    this.#response = undefined;
    const next = this.#waiting.shift();
    if (next && !this.socket.destroyed) this.#start(...next);
    else this.#waiting = [];
    if (!this.#current && this.#refusal !== undefined) this.#end(this.#refusal);
  };

  /** Answers a malformed or incomplete request, after the requests before it; then ends the connection. */
  refuse(refusal: string): void {
    this.#isFull = true;
    if (this.#current?.complete) this.#refusal = refusal;
    else this.cut(refusal);
  }

  #end(refusal: string): void {
    if (this.socket.writable) this.socket.end(refusal);
    else this.socket.destroy();
  }

  /** Whether a request is being handled, or the client has not read its answer yet. */
  get isBusy(): boolean {
    return this.#current !== undefined;
  }

  /** Bytes of answers that the client has not read. */
  get unsent(): number {
    return this.socket.writableLength;
  }

  /** Since when the client has been reading its answer, or sending its body, too slowly. */
  get waitsSince(): number {
    return this.#mark?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Measures the client's progress. @returns whether it is too slow */
  isStalled(now: number): boolean {
    const moved = this.#moved();
    if (moved === undefined) {
      this.#mark = undefined;
      return false;
    }
    this.#mark ??= { at: now, moved };
    const { stallTimeout, minRate } = this.context.limits;
    if (now - this.#mark.at < stallTimeout) return false;
    if (moved - this.#mark.moved < (minRate * stallTimeout) / 1000) return true;
    this.#mark = { at: now, moved };
    return false;
  }

  /** Ends the connection at once; a client that has no answer yet gets `refusal`, the text of one. */
  cut(refusal: string): void {
    this.#isFull = true;
    this.#waiting = [];
    if (this.#response?.headersSent) this.socket.destroy();
    else this.#end(refusal);
  }

  /** Adds `Connection: close` to the current answer, if its headers are not sent yet. */
  endWithAnswer(): void {
    if (this.#response && this.#waiting.length === 0) closeAfter(this.#response);
  }

  /**
   * Bytes of the current transfer; undefined where the client has nothing to do: the server works, or the connection is
   * idle.
   */
  #moved(): number | undefined {
    const { socket } = this;
    // It was asked to close, and does not.
    if (socket.writableEnded) return 0;
    if (this.unsent > 0) return socket.bytesWritten - socket.writableLength - queuedBytes(socket);
    // A body that is not read yet, because it has to wait or its parser is busy, is not the client's delay.
    const isReceiving = this.#current?.complete === false && this.#current.readableFlowing === true;
    return isReceiving ? socket.bytesRead : undefined;
  }
}
