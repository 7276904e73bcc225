import type { App } from "@plinth/core";
import { channels, type HttpMessage, type ReportedRoute, type ShedMessage } from "@plinth/core/telemetry";
import { Counter, Histogram, type Reading, type Times } from "./series.js";
import type { Listening } from "./listening.js";

/** Content-types that have a label of their own. */
const MOST_TYPES = 200;

/** Why requests are refused; each is shown from the start, so that its first is seen to be one more. */
const REASONS = ["concurrent", "queue", "loop"] as const satisfies readonly ShedMessage["reason"][];

/** In the place of a first digit: the client had gone before it had all of the answer. */
const ABORTED = 0;

const REQUESTS = { name: "plinth_http_requests_total", help: "Requests that were answered" };

/** Counts and times of the requests of an app. @param perType - whether they have a label of their content-type */
export class HttpMetrics implements Listening {
  readonly #seconds: Histogram<string>;
  readonly #shed = new Counter({
    name: "plinth_http_shed_total",
    help: "Requests that were refused because the process has enough to do",
    labels: ["reason"],
  });
  /** By route, operation and first digit of the status. */
  readonly #times = new Map<ReportedRoute | undefined, Map<string | undefined, (Times | undefined)[]>>();
  readonly #types: ReadonlySet<string> | undefined;

  constructor(
    private readonly app: App,
    perType: boolean,
  ) {
    const labels = ["api", "operation", "status", ...(perType ? ["type"] : [])];
    this.#types = perType ? new Set([...app.model.contentTypes.keys()].slice(0, MOST_TYPES)) : undefined;
    this.#seconds = new Histogram({
      name: "plinth_http_seconds",
      help: "Time from a request to the end of its answer",
      labels,
    });
    for (const reason of REASONS) this.#shed.add(0, reason);
  }

  start(): void {
    channels.http.end.subscribe(this.#count);
    channels.shed.subscribe(this.#countShed);
  }

  stop(): void {
    channels.http.end.unsubscribe(this.#count);
    channels.shed.unsubscribe(this.#countShed);
  }

  read(): readonly Reading[] {
    return [this.#seconds.readCounts(REQUESTS), this.#seconds.read(), this.#shed.read()];
  }

  readonly #count = ({ app, route, operation, response, duration }: HttpMessage): void => {
    if (app !== this.app) return;
    const digit = response.writableFinished ? Math.floor(response.statusCode / 100) : ABORTED;
    const byStatus = this.#timesOf(route, operation);
    const times = byStatus[digit] ?? this.#seconds.of(...this.#labelsOf(route, operation, digit));
    byStatus[digit] = times;
    times.add(duration);
  };

  readonly #countShed = ({ app, reason }: ShedMessage): void => {
    if (app === this.app) this.#shed.add(1, reason);
  };

  #timesOf(route: ReportedRoute | undefined, operation: string | undefined): (Times | undefined)[] {
    const ofRoute = this.#times.get(route) ?? new Map<string | undefined, (Times | undefined)[]>();
    const known = ofRoute.get(operation);
    if (known) return known;
    const times: (Times | undefined)[] = [];
    this.#times.set(route, ofRoute.set(operation, times));
    return times;
  }

  #labelsOf(route: ReportedRoute | undefined, operation: string | undefined, digit: number): readonly string[] {
    const status = digit === ABORTED ? "aborted" : digit >= 1 && digit <= 5 ? `${digit}xx` : "other";
    const labels = [route?.api ?? "other", operation ?? route?.operation ?? "none", status];
    return this.#types ? [...labels, this.#typeOf(route, this.#types)] : labels;
  }

  #typeOf(route: ReportedRoute | undefined, types: ReadonlySet<string>): string {
    const { action = "" } = route ?? {};
    const uid = action.slice(0, action.lastIndexOf("."));
    if (!this.app.model.contentTypes.has(uid)) return "none";
    return types.has(uid) ? uid : "other";
  }
}
