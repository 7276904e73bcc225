import type { App } from "@plinth/core";
import type { ManagementEndpoint } from "@plinth/core/http";
import client from "prom-client";
import type { Listening } from "./listening.js";
import { readNode, readProcess } from "./process-metrics.js";
import type { Reading } from "./series.js";

/** Where metrics are, on the management port and on the main one. */
export const METRICS_PATH = "/metrics";

/**
 * `GET /metrics`: what this process counted, as JSON; of several workers the sums, in Prometheus' text form.
 *
 * @param all - none before the app has started.
 */
export function createMetricsEndpoint(app: App, all: () => readonly Listening[]): ManagementEndpoint {
  return {
    path: METRICS_PATH,
    read: async () => {
      const listening = all();
      const own = listening.length === 0 ? [] : await readProcess(app);
      return JSON.stringify([...listening.flatMap((each) => each.read()), ...own, ...(await readNode())]);
    },
    combine: async (living, ended) => {
      const registry = combine(ended === undefined ? living : [...living, ended]);
      return { type: registry.contentType, body: await registry.metrics() };
    },
    keep: async (texts) => {
      const sums = (await combine(texts).getMetricsAsJSON()) as unknown as readonly Reading[];
      return JSON.stringify(sums.filter(({ type }) => type !== "gauge"));
    },
  };
}

const combine = (texts: readonly string[]) =>
  client.AggregatorRegistry.aggregate(texts.map((text) => JSON.parse(text) as readonly Reading[]));
