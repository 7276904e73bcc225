import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ConnectionLimits } from "./connection-limits.js";

/** What the connections of a server share. */
export interface ConnectionContext {
  readonly limits: ConnectionLimits;
  /** Works on a request. */
  readonly answer: RequestListener;
  /** Whether answers have to end their connections, because the server is about to stop. */
  readonly isStopping: boolean;
}

/** How far the transfer was that is under way, and when; times as of `performance.now()`. */
interface Mark {
  readonly at: number;
  readonly moved: number;
}

/**
 * One client's connection. It works on one request at a time: node hands over all that a packet holds at once, and
 * thousands fit into one, whose answers would be made long before the first is taken.
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

  /** Works on a request now, or when the answers before it have been taken. */
  take(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isFull || this.socket.destroyed) return;
    if (!this.#current) {
      this.#start(request, response);
      return;
    }
    this.#waiting.push([request, response]);
    if (this.#waiting.length < this.context.limits.maxPipelined) return;
    this.#isFull = true;
    response.shouldKeepAlive = false;
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

  /** Answers what cannot be read as a request, or to its end, after the requests before it; and ends the connection with that. */
  refuse(refusal: string): void {
    this.#isFull = true;
    if (this.#current?.complete) this.#refusal = refusal;
    else this.cut(refusal);
  }

  #end(refusal: string): void {
    if (this.socket.writable) this.socket.end(refusal);
    else this.socket.destroy();
  }

  /** Whether a request is worked on, or its answer is not taken yet. */
  get isBusy(): boolean {
    return this.#current !== undefined;
  }

  /** Bytes of answers that the client has not taken. */
  get unsent(): number {
    return this.socket.writableLength;
  }

  /** Since when the client has been taking its answer, or sending its body, without having moved on enough. */
  get waitsSince(): number {
    return this.#mark?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Looks how far the client has come. @returns whether it is too slow */
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

  /** Has the answer that is being made end the connection, if that can still be said in it. */
  endWithAnswer(): void {
    if (this.#response && this.#waiting.length === 0) this.#response.shouldKeepAlive = false;
  }

  /** Bytes that have moved of what the client has to move now; undefined where it has not: the server works, or nothing goes on. */
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

/**
 * Bytes of the write under way that the system has not taken. A large answer is one write, which is done when all of it
 * is: only this shows its progress. Node's own timeouts of sockets look at the same figure.
 */
function queuedBytes(socket: Socket): number {
  return (socket as { readonly _handle?: { readonly writeQueueSize?: number } })._handle?.writeQueueSize ?? 0;
}
