import type { RequestListener, Server } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { rawAnswer, refusalOf } from "./client-error.js";
import { Connection } from "./connection.js";
import type { ConnectionLimits } from "./connection-limits.js";
import { RequestTimeoutError } from "./errors.js";

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

  /** @param answer - works on a request. */
  constructor(
    private readonly log: Logger,
    readonly limits: ConnectionLimits,
    readonly answer: RequestListener,
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
    server.on("request", (request, response) => this.#open.get(request.socket)?.take(request, response));
  }

  /** Starts the check for slow connections. */
  watch(): void {
    this.isStopping = false;
    this.#timer ??= setInterval(() => this.#cutSlow(performance.now()), INTERVAL).unref();
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
    this.#cut(this.#beyond(all), "more than server.maxUnsent is not taken");
  }

  /** Those that wait longest, as many as it takes for the rest to stay within the limit of unsent bytes. */
  #beyond(all: readonly Connection[]): readonly Connection[] {
    const unsent = all.filter((connection) => connection.unsent > 0 && !connection.socket.destroyed);
    let excess = unsent.reduce((sum, connection) => sum + connection.unsent, -this.limits.maxUnsent);
    if (excess <= 0) return [];
    const slowest = unsent.sort((a, b) => a.waitsSince - b.waitsSince);
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
