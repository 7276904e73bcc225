import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { codeOrigin, withOrigin } from "../access/origin.js";
import type { PlinthError } from "../base/error.js";
import { option, options, whole } from "../base/options/values.js";
import { channels, type ShedMessage } from "../base/telemetry.js";
import * as v from "@plinth/core/valibot";
import type { Database } from "../database/driver/database.js";
import type { App } from "../kernel/app.js";
import { buildErrorAnswer } from "./error-answer.js";
import { ProcessFullError, ProcessLateError } from "./errors.js";
import { logFault } from "./fault-log.js";
import type { HealthCheck } from "./health.js";
import { LoopDelay } from "./loop-delay.js";

/** `server.limits`: how much a process takes on. */
export const admissionLimits = options({
  maxConcurrent: option(
    whole(1),
    "Requests that are worked on at once; further ones wait. Those whose body or answer is on its way do not count. Default: 20 for each connection of the pool.",
  ),
  maxWaiting: option(
    whole(0),
    "Requests that wait for that; all others are answered 503. Default: twice `maxConcurrent`.",
  ),
  shed: option(
    v.boolean(),
    "Whether requests are answered 503 while more than 32 wait and this process's own work keeps the event loop over 250 ms late for a second, or while everybody has waited over 200 ms for a database connection for half a second. Default: in production.",
  ),
});

/** `server.limits`, with every default filled in. */
export interface AdmissionLimits {
  readonly maxConcurrent: number;
  readonly maxWaiting: number;
  readonly shed: boolean;
}

/** Requests for each connection of the pool; those that wait, for each that is worked on. */
const FOR_EACH_CONNECTION = 20;
const FOR_EACH_WORKED_ON = 2;
/** The embedded database has one connection, and answers as many requests as a small pool. */
const LEAST_CONNECTIONS = 10;

/** Fills in what is left out of `server.limits`. */
export function admissionLimitsOf(
  given: v.InferOutput<typeof admissionLimits>,
  { kind, connections }: Pick<Database, "kind" | "connections">,
  environment: string,
): AdmissionLimits {
  const pool = kind === "pglite" ? LEAST_CONNECTIONS : connections;
  const maxConcurrent = given.maxConcurrent ?? FOR_EACH_CONNECTION * pool;
  return {
    maxConcurrent,
    maxWaiting: given.maxWaiting ?? FOR_EACH_WORKED_ON * maxConcurrent,
    // Elsewhere builds and debuggers stop the loop, and no client asks again.
    shed: given.shed ?? environment === "production",
  };
}

/** The requests of all connections. */
export interface Load {
  /** Requests whose answer has not been taken yet: never less than work. */
  readonly busy: number;
  /** Requests that wait for this process, and not for their client; takes a look at every connection. */
  countWork(): number;
  /** Whether the server is about to stop; then it refuses no client. */
  readonly isStopping: boolean;
}

/** What decides about requests. */
export interface AdmissionOptions {
  readonly app: App;
  readonly limits: AdmissionLimits;
  readonly load: Load;
  /** Why the database has no room for one more request; asked once for each. */
  readonly refusal: () => PlinthError | undefined;
  /** Paths whose GET requests are worked on however much there is to do. */
  readonly exempt: ReadonlySet<string>;
  /** Works on a request. */
  readonly answer: RequestListener;
}

/** Requests that a late process has without refusing any: so few make it late only by what each of them takes. */
const FEW = 32;

/** Milliseconds for which a count of the work holds, and between two looks at who waits. */
const COUNT_HOLDS = 10;
const LOOK = 50;

/** When those that had to wait arrived. */
const arrivals = new WeakMap<IncomingMessage, number>();

/** When a request arrived that is worked on from now on, as of `performance.now()`: its time includes that for which it waited. */
export const arrivedAt = (request: IncomingMessage): number => arrivals.get(request) ?? performance.now();

type Exchange = readonly [IncomingMessage, ServerResponse];
type Refusal = readonly [ShedMessage["reason"], PlinthError];

/**
 * Takes on as many requests as a process can do, has some wait, and refuses the rest before anything of them is read. Up to
 * `maxConcurrent` a request costs a few comparisons.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #loop = new LoopDelay();
  readonly #full: Refusal;
  readonly #late: Refusal;
  /** In the order in which they came. */
  #waiting: Exchange[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The work when it was counted last, how many may begin until it is counted again, and when it was. */
  #work = 0;
  #free = 0;
  #countedAt = 0;
  /** Since the last look of the health check. */
  #refused = 0;

  constructor(options: AdmissionOptions) {
    const { maxConcurrent, maxWaiting } = options.limits;
    this.#options = options;
    this.#full = ["concurrent", new ProcessFullError({ maxConcurrent, maxWaiting })];
    this.#late = ["loop", new ProcessLateError({})];
  }

  /** Answers a request now, or when its turn comes, or refuses it. */
  readonly take: RequestListener = (request, response) => {
    const { limits, load, answer } = this.#options;
    const refusal = load.isStopping ? undefined : this.#refusal();
    const hasRoom = !refusal && (load.busy <= limits.maxConcurrent || load.isStopping);
    if (hasRoom || this.#isExempt(request)) answer(request, response);
    else if (refusal) this.#refuse(response, refusal);
    else this.#takeLater(request, response);
  };

  /** The answer to a request was taken, or its client has gone. */
  release(): void {
    if (this.#waiting.length > 0) this.#begin();
  }

  /** For `app.health`: overloaded while requests are refused. */
  readonly check: HealthCheck = {
    name: "load",
    run: () => {
      const refused = this.#refused;
      this.#refused = 0;
      const { busy } = this.#options.load;
      return { status: refused > 0 ? "overloaded" : "ok", busy, waiting: this.#waiting.length, refused };
    },
  };

  watch(): void {
    if (this.#options.limits.shed) this.#loop.watch();
  }

  unwatch(): void {
    this.#loop.unwatch();
    this.#stopLooking();
  }

  /** Asked only where there is no room. */
  #isExempt({ method, url = "" }: IncomingMessage): boolean {
    const [path = ""] = url.split("?", 1);
    return method === "GET" && this.#options.exempt.has(path);
  }

  #refusal(): Refusal | undefined {
    if (!this.#options.limits.shed) return undefined;
    if (this.#loop.isLate && this.#hasMany()) return this.#late;
    const error = this.#options.refusal();
    return error && ["queue", error];
  }

  /** Asked only while the loop is late; `busy` counts slow clients too, and is never less than work. */
  #hasMany(): boolean {
    const { load } = this.#options;
    if (load.busy <= FEW) return false;
    this.#count();
    return this.#work > FEW;
  }

  #takeLater(request: IncomingMessage, response: ServerResponse): void {
    if (this.#waiting.length === 0 && this.#takePlace()) this.#options.answer(request, response);
    else if (this.#waiting.length >= this.#options.limits.maxWaiting) this.#refuse(response, this.#full);
    else {
      arrivals.set(request, performance.now());
      this.#waiting.push([request, response]);
      this.#timer ??= setInterval(() => this.#begin(), LOOK).unref();
    }
  }

  /** Has those begin for whom there is a place, and refuses all once the process is overloaded: they came last. */
  #begin(): void {
    while (this.#waiting.length > 0) {
      if (!this.#takePlace()) return;
      const next = this.#waiting.shift();
      if (!next || next[1].destroyed) continue;
      const [request, response] = next;
      const refusal = this.#options.load.isStopping ? undefined : this.#refusal();
      if (refusal) this.#refuse(response, refusal);
      // Not as the caller of the request that has ended, which leads here.
      else withOrigin(codeOrigin, () => this.#options.answer(request, response));
    }
    this.#stopLooking();
  }

  #stopLooking(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #takePlace(): boolean {
    this.#count();
    if (this.#free <= 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Counting looks at every connection, of which slow clients may have thousands: so not for every request. */
  #count(): void {
    const now = performance.now();
    if (now - this.#countedAt < COUNT_HOLDS) return;
    this.#waiting = this.#waiting.filter(([, response]) => !response.destroyed);
    const waiting = this.#waiting.filter(([request]) => request.complete).length;
    this.#work = this.#options.load.countWork();
    this.#free = this.#options.limits.maxConcurrent - this.#work + waiting;
    this.#countedAt = now;
  }

  #refuse(response: ServerResponse, [reason, error]: Refusal): void {
    const { app } = this.#options;
    this.#refused += 1;
    if (channels.shed.hasSubscribers) channels.shed.publish({ app, reason });
    logFault(app.log, error, { reason });
    const { status, headers, body } = buildErrorAnswer(error);
    const text = JSON.stringify(body);
    const length = Buffer.byteLength(text);
    const own = { "Content-Type": "application/json; charset=utf-8", "Content-Length": length };
    response.writeHead(status, { ...own, ...headers }).end(text);
  }
}
