import type { App } from "@plinth/core";
import { channels, type HttpMessage, type ReportedRoute, type ShedMessage } from "@plinth/core/telemetry";
import { Counter, Histogram, type Reading } from "./series.js";
import type { Listening } from "./listening.js";

/** Content-types that have a label of their own. */
const MOST_TYPES = 200;

/** Counts and times of the requests of an app. @param perType - whether they have a label of their content-type */
export class HttpMetrics implements Listening {
  readonly #requests: Counter<string>;
  readonly #seconds: Histogram<string>;
  readonly #shed = new Counter({
    name: "plinth_http_shed_total",
    help: "Requests that were refused because the process has enough to do",
    labels: ["reason"],
  });
  /** What a route is counted under. */
  readonly #labels = new WeakMap<ReportedRoute, readonly string[]>();
  readonly #types: ReadonlySet<string> | undefined;

  constructor(
    private readonly app: App,
    perType: boolean,
  ) {
    const labels = ["api", "operation", "status", ...(perType ? ["type"] : [])];
    this.#types = perType ? new Set([...app.model.contentTypes.keys()].slice(0, MOST_TYPES)) : undefined;
    this.#requests = new Counter({ name: "plinth_http_requests_total", help: "Requests that were answered", labels });
    this.#seconds = new Histogram({
      name: "plinth_http_seconds",
      help: "Time from a request to the end of its answer",
      labels,
    });
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
    return [this.#requests.read(), this.#seconds.read(), this.#shed.read()];
  }

  readonly #count = ({ app, route, operation, response, duration }: HttpMessage): void => {
    if (app !== this.app) return;
    const [api = "other", ofRoute = "none", type] = route ? this.#labelsOf(route) : NO_ROUTE;
    const status = STATUSES[Math.floor(response.statusCode / 100)] ?? "other";
    const values = [api, operation ?? ofRoute, status, ...(this.#types ? [type ?? "none"] : [])];
    this.#requests.add(1, ...values);
    this.#seconds.observe(duration, ...values);
  };

  readonly #countShed = ({ app, reason }: ShedMessage): void => {
    if (app === this.app) this.#shed.add(1, reason);
  };

  #labelsOf(route: ReportedRoute): readonly string[] {
    const known = this.#labels.get(route);
    if (known) return known;
    const { api, operation, action = "" } = route;
    const uid = action.slice(0, action.lastIndexOf("."));
    const type = this.app.model.contentTypes.has(uid) ? uid : "none";
    const labels = [api, operation, type === "none" || this.#types?.has(type) ? type : "other"];
    this.#labels.set(route, labels);
    return labels;
  }
}

const STATUSES: readonly string[] = ["0xx", "1xx", "2xx", "3xx", "4xx", "5xx"];
const NO_ROUTE: readonly string[] = [];
