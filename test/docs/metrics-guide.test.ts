import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPlinth, type PlinthApp } from "@plinth/core";
import { eventsPlugin } from "@plinth/plugin-events";
import { jobsPlugin } from "@plinth/plugin-jobs";
import { metricsPlugin } from "@plinth/plugin-metrics";
import { expect } from "chai";
import { pino } from "pino";
import { parse } from "yaml";
import { readMetrics } from "../plugins/metrics/read-metrics.js";
import { fileOf, readBlocks } from "./read-blocks.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const GUIDE = readFileSync(join(ROOT, "core", "guides", "deployment.md"), "utf8");
const ALERTS = readFileSync(join(ROOT, "plugins", "metrics", "alerts.yml"), "utf8");
const TOKEN = "a-token-of-the-guide-to-deployment";

/** What Prometheus asks, as far as the guide uses it. @source https://prometheus.io/docs/prometheus/latest/configuration/configuration/#scrape_config */
interface Scrape {
  readonly job_name: string;
  readonly scheme?: string;
  readonly metrics_path: string;
  readonly authorization?: { readonly type: string; readonly credentials_file: string };
  readonly static_configs: readonly { readonly targets: readonly string[] }[];
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
}

describe("the metrics of the deployment guide", () => {
  let plinth: PlinthApp;
  let url: string;
  before("start an app", async () => {
    plinth = createPlinth({
      root: ROOT,
      plugins: [eventsPlugin, jobsPlugin, metricsPlugin],
      pluginConfigs: { metrics: { token: TOKEN } },
      environment: "test",
      log: pino({ level: "silent" }),
      config: {
        database: { client: "pglite", directory: ":memory:" },
        server: { host: "127.0.0.1", port: 0, management: 0 },
      },
    });
    url = (await plinth.start()) ?? "";
  });
  after("stop it", () => plinth.stop());

  const jobs = () => {
    const block = readBlocks(GUIDE).find((each) => fileOf(each) === "deploy/prometheus.yml");
    return (parse(block?.text ?? "") as { readonly scrape_configs: readonly Scrape[] }).scrape_configs;
  };
  const targetsOf = ({ static_configs: configs }: Scrape) => configs.flatMap(({ targets }) => targets);

  it("are where Prometheus asks on the management port, which is the one of the guide", async () => {
    const [job] = jobs();
    const [, port] = /`management: (\d+)` in `config\/server\.ts`/.exec(GUIDE) ?? [];
    for (const target of targetsOf(job as Scrape)) expect(target).to.match(new RegExp(`:${port}$`));
    const answer = await fetch(`${plinth.management()}${job?.metrics_path}`);
    expect(answer.status).to.equal(200);
    expect(readMetrics(await answer.text()).names).to.include("plinth_info");
  });

  it("are where it asks from outside, with its token only", async () => {
    const job = jobs()[1] as Scrape;
    const { type } = job.authorization ?? {};
    const asked = (authorization: string) => fetch(`${url}${job.metrics_path}`, { headers: { authorization } });
    expect((await asked(`${type} ${TOKEN}`)).status).to.equal(200);
    expect((await asked(`${type} other`)).status).to.equal(401);
  });

  it("are those that the rules for alerts ask for", async () => {
    const text = await (await fetch(`${plinth.management()}/metrics`)).text();
    const { groups } = parse(ALERTS) as { readonly groups: readonly { readonly rules: readonly Rule[] }[] };
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).to.be.at.least(10);
    const { help } = readMetrics(text);
    for (const { alert, expr } of rules) {
      const names = expr.match(/plinth_\w+/g) ?? [];
      expect(names, alert).to.not.be.empty;
      for (const name of names) expect(help(name.replace(/_bucket$/, "")), `${alert}: ${name}`).to.be.a("string");
    }
  });
});
