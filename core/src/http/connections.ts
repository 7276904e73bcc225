import {
  type IncomingMessage,
  maxHeaderSize,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { AsyncResource } from "node:async_hooks";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import type { ConnectionLimits } from "./connection-limits.js";
import { buildErrorAnswer } from "./error-answer.js";
import { HeadersTooLargeError, MalformedRequestError, RequestTimeoutError } from "./errors.js";
import { closeAfter, queuedBytes } from "./node-internals.js";

/** Requests beyond `maxPipelined` that a connection may send and survive: what one or two packets hold. */
const MAX_IGNORED = 4_000;
/** How often connections are looked at, in milliseconds. */
const INTERVAL = 500;

/** The open connections of a server, with their limits. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  #timer: NodeJS.Timeout | undefined;
  /** Whether answers have to end their connections, because the server is about to stop. */
  isStopping = false;
  /** How many there have been. */
  accepted = 0;
  /** Requests that are worked on, wait, or have answers that their clients have not taken yet. */
  busy = 0;
  /** How many were refused since the last look, because there were too many. */
  #refused = 0;

  /**
   * @param answer - works on a request.
   * @param release - called when its answer is taken, or its client has gone.
   */
  constructor(
    private readonly log: Logger,
    readonly limits: ConnectionLimits,
    readonly answer: RequestListener,
    readonly release: () => void = () => undefined,
  ) {}

  /** Attaches to a server. */
  serve(server: Server): void {
    server.on("connection", (socket: Socket) => {
      this.accepted += 1;
      this.#open.set(socket, new Connection(socket, this));
      socket.once("close", () => this.#open.delete(socket));
    });
    server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
      const connection = this.#open.get(socket as Socket);
      const refusal = refusalOf(error);
      if (refusal === undefined || !connection) socket.destroy();
      else connection.refuse(refusal);
    });
    server.on("drop", () => (this.#refused += 1));
    server.on("request", (request, response) => this.#open.get(request.socket)?.take(request, response));
  }

  /** Starts the check for slow connections. */
  watch(): void {
    this.isStopping = false;
    // After the reads of a turn: where the process was late, it has yet to take what clients sent long ago.
    const look = () => setImmediate(() => this.#cutSlow(performance.now()));
    this.#timer ??= setInterval(look, INTERVAL).unref();
  }

  /** Stops the check, once no connection is left. */
  unwatch(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** From now on every answer closes its connection. */
  beginToStop(): void {
    this.isStopping = true;
    for (const connection of this.#open.values()) connection.endWithAnswer();
  }

  /** How many are open. */
  get count(): number {
    return this.#open.size;
  }

  /** Requests that wait for the server: their client has sent all of them, and nothing of the answer is there to take. */
  countWork(): number {
    let count = 0;
    for (const { isWorkedOn } of this.#open.values()) if (isWorkedOn) count += 1;
    return count;
  }

  /** Ends connections on which no request is answered. */
  endIdle(): void {
    for (const { isBusy, socket } of this.#open.values()) if (!isBusy) socket.destroy();
  }

  #cutSlow(now: number): void {
    const all = [...this.#open.values()];
    this.#cut(
      all.filter((connection) => connection.isStalled(now)),
      "they move less than server.minRate",
    );
    this.#cut(this.#beyond(all, now), "more than server.maxUnsent is not taken");
    if (this.#refused > 0)
      this.log.warn({ connections: this.#refused }, "Connections were refused: server.maxConnections are open");
    this.#refused = 0;
  }

  /**
   * Those that wait longest, as many as it takes for the rest to stay within the limit of unsent bytes. Whose answer was not
   * there at the last look has had no time to take it.
   */
  #beyond(all: readonly Connection[], now: number): readonly Connection[] {
    const unsent = all.filter((connection) => connection.unsent > 0 && !connection.socket.destroyed);
    let excess = unsent.reduce((sum, connection) => sum + connection.unsent, -this.limits.maxUnsent);
    if (excess <= 0) return [];
    const slowest = unsent.filter(({ waitsSince }) => waitsSince < now).sort((a, b) => a.waitsSince - b.waitsSince);
    return slowest.filter((connection) => {
      const isOver = excess > 0;
      excess -= connection.unsent;
      return isOver;
    });
  }

  #cut(connections: readonly Connection[], why: string): void {
    if (connections.length === 0) return;
    this.log.warn({ connections: connections.length }, `Connections were cut off: ${why}`);
    const refusal = rawAnswer(new RequestTimeoutError({}));
    for (const connection of connections) connection.cut(refusal);
  }
}

/** What the connections of a server share. */
interface ConnectionContext {
  readonly limits: ConnectionLimits;
  /** Works on a request. */
  readonly answer: RequestListener;
  /** Whether answers have to end their connections, because the server is about to stop. */
  readonly isStopping: boolean;
  /** Requests that have begun and not ended. */
  busy: number;
  /** Called when one has ended. */
  readonly release: () => void;
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
class Connection {
  #current: IncomingMessage | undefined;
  #waiting: (() => void)[] = [];
  #response: ServerResponse | undefined;
  #isFull = false;
  #ignored = 0;
  #refusal: string | undefined;
  #mark: Mark | undefined;

  constructor(
    readonly socket: Socket,
    private readonly context: ConnectionContext,
  ) {}

  /** Handles a request now, or when the client has read the answers before it. */
  take(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isFull || this.socket.destroyed) {
      this.#ignore();
      return;
    }
    if (!this.#current) {
      this.#start(request, response);
      return;
    }
    // In its own async context, and not in that of the request before it.
    this.#waiting.push(AsyncResource.bind(() => this.#start(request, response)));
    if (this.#waiting.length < this.context.limits.maxPipelined) return;
    this.#isFull = true;
    closeAfter(response);
  }

  /** Node keeps what it made of each request until the answers before it are taken: beyond a few thousand, nothing waits for that. */
  #ignore(): void {
    this.#ignored += 1;
    if (this.#ignored > MAX_IGNORED) this.socket.destroy();
  }

  #start(request: IncomingMessage, response: ServerResponse): void {
    this.#current = request;
    this.#response = response;
    this.context.busy += 1;
    response.once("close", this.#next);
    if (this.context.isStopping) this.endWithAnswer();
    this.context.answer(request, response);
  }

  readonly #next = (): void => {
    this.#current = undefined;
    this.#response = undefined;
    this.context.busy -= 1;
    this.context.release();
    const next = this.#waiting.shift();
    if (next && !this.socket.destroyed) next();
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

  /** Whether the server has the whole request, and has not begun to answer it. */
  get isWorkedOn(): boolean {
    return this.#current?.complete === true && this.#response?.headersSent === false;
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

/**
 * The answer to a request that node could not parse, such as a query string beyond its limit, with the error body that
 * every other request gets. It goes to the connection itself, because there is no request object.
 *
 * @returns undefined where the client has gone
 */
export function refusalOf(error: NodeJS.ErrnoException): string | undefined {
  return error.code === "ECONNRESET" ? undefined : rawAnswer(toPlinthError(error));
}

/** The text of a whole answer, which ends its connection, for use without a response object. */
function rawAnswer(error: Error): string {
  const { status, body } = buildErrorAnswer(error);
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(text)}`,
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}

function toPlinthError(cause: NodeJS.ErrnoException): Error {
  if (cause.code === "HPE_HEADER_OVERFLOW") return new HeadersTooLargeError({ max: maxHeaderSize }, { cause });
  if (cause.code === "ERR_HTTP_REQUEST_TIMEOUT") return new RequestTimeoutError({}, { cause });
  return new MalformedRequestError({ reason: cause.code ?? cause.message }, { cause });
}
