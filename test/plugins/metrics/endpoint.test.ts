import type { App } from "@plinth/core";
import { expect } from "chai";
import { createMetricsEndpoint } from "#plugins/metrics/src/endpoint.js";
import { Counter, gauge, Histogram, type Reading } from "#plugins/metrics/src/series.js";
import { readMetrics } from "./read-metrics.js";

/** What a worker says that answered so many requests, the last after some milliseconds. */
function worker(requests: number, milliseconds: number): string {
  const counter = new Counter({ name: "requests_total", help: "Requests", labels: ["api"] });
  const seconds = new Histogram({ name: "seconds", help: "Times", labels: ["api"] });
  counter.add(requests, "rest");
  seconds.of("rest").add(milliseconds);
  const hearing = gauge({ name: "hearing", help: "Whether", aggregator: "min" }, { labels: {}, value: requests % 2 });
  return JSON.stringify([counter.read(), seconds.read(), hearing]);
}

describe("the metrics of several workers", () => {
  const endpoint = createMetricsEndpoint({} as App, () => []);

  it("are sums, and of gauges what each says they are", async () => {
    const { type, body } = await endpoint.combine([worker(2, 3), worker(5, 400)], undefined);
    expect(type).to.equal("text/plain; version=0.0.4; charset=utf-8");
    const { value } = readMetrics(body);
    expect(value("requests_total", { api: "rest" })).to.equal(7);
    expect(value("hearing")).to.equal(0);
    expect(value("seconds_count", { api: "rest" })).to.equal(2);
    expect(value("seconds_sum", { api: "rest" })).to.be.closeTo(0.403, 1e-5);
    const below = (le: string) => value("seconds_bucket", { api: "rest", le });
    expect([below("0.0025"), below("0.005"), below("0.25"), below("0.5"), below("+Inf")]).to.deep.equal([
      0, 1, 1, 2, 2,
    ]);
  });

  it("do not fall when one ends: its counters stay, its gauges go", async () => {
    const kept = (await endpoint.keep?.([worker(2, 3), worker(4, 3)])) ?? "";
    expect((JSON.parse(kept) as Reading[]).map(({ name }) => name)).to.deep.equal(["requests_total", "seconds"]);
    const { value } = readMetrics((await endpoint.combine([worker(1, 3)], kept)).body);
    expect([value("requests_total", { api: "rest" }), value("hearing")]).to.deep.equal([7, 1]);
    expect(value("seconds_count", { api: "rest" })).to.equal(3);
  });

  it("are the same in any order: a rounding would be taken for a new start", async () => {
    const [one, two, three] = [worker(1, 100), worker(1, 200), worker(1, 300)];
    const kept = await endpoint.keep?.([two, three]);
    const [all, later] = await Promise.all([
      endpoint.combine([one, two, three], undefined),
      endpoint.combine([one], kept),
    ]);
    const [before, after] = [all, later].map(({ body }) => readMetrics(body).value("seconds_sum", { api: "rest" }));
    expect(after).to.equal(before);
    const own = (JSON.parse(await endpoint.read()) as Reading[]).find(
      ({ name }) => name === "process_cpu_seconds_total",
    );
    for (const { value } of own?.values ?? []) expect(Number.isInteger(value * 2 ** 20)).to.equal(true);
  });

  it("are node's own before the app has started", async () => {
    const { names } = readMetrics((await endpoint.combine([await endpoint.read()], undefined)).body);
    expect(names).to.include("process_cpu_seconds_total");
    expect(names).not.to.include("plinth_info");
  });
});
