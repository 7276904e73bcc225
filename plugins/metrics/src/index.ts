/** The public entry of the metrics plugin. */
import { definePlugin } from "@plinth/core";
import { CallerMetrics } from "./caller-metrics.js";
import { type MetricsConfig, parseConfig } from "./config.js";
import { DatabaseMetrics } from "./database-metrics.js";
import { DeliveryMetrics } from "./delivery-metrics.js";
import { createMetricsEndpoint } from "./endpoint.js";
import { EventMetrics } from "./event-metrics.js";
import { HttpMetrics } from "./http-metrics.js";
import { JobMetrics } from "./job-metrics.js";
import type { Listening } from "./listening.js";
import { createMetricsRoute, createReadersPolicy, READERS } from "./route.js";

export type { MetricsConfig } from "./config.js";

/** What each app listens to, from bootstrap on. */
const listening = new WeakMap<object, readonly Listening[]>();

/** `GET /metrics` for Prometheus, on the management port, and on the main one with a token. */
export const metricsPlugin = definePlugin<MetricsConfig>({
  name: "metrics",
  after: ["api-tokens"],
  config: parseConfig,
  register({ app, config, has, policy, registry, route }) {
    registry("management").add(
      "metrics",
      createMetricsEndpoint(app, () => listening.get(app) ?? []),
    );
    if (config.token.length === 0 && !has("api-tokens")) return;
    policy(READERS, createReadersPolicy(app, config));
    route("metrics", createMetricsRoute(app));
  },
  bootstrap({ app, config, has }) {
    const callers = [new HttpMetrics(app, config.perType), new CallerMetrics(app)];
    const later = [
      ...(has("events") ? [new EventMetrics(app)] : []),
      ...(has("jobs") ? [new JobMetrics(app)] : []),
      ...(has("webhooks") ? [new DeliveryMetrics(app)] : []),
    ];
    const all = [...callers, new DatabaseMetrics(app), ...later];
    for (const each of all) each.start();
    listening.set(app, all);
  },
  destroy({ app }) {
    for (const each of listening.get(app) ?? []) each.stop();
    listening.delete(app);
  },
});

export default metricsPlugin;
