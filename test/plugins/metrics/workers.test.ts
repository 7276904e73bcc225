import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { freePort } from "../../../scripts/postgres-server.mjs";
import { eventually } from "../../core/database/driver/note-app.js";
import { RunningCommand, runPlinth, scaffoldedApp } from "../../core/cli/plinth-command.js";
import { guideServer } from "../../core/cli/workers/guide-server.js";
import { databaseVariables, serverDatabase } from "../../databases.js";
import { Reads } from "../../fleet/reads.js";
import { type ReadMetrics, readMetrics } from "./read-metrics.js";

/** Milliseconds between two reads of a client. */
const PAUSE = 10;
const TOKEN = "a-token-of-the-test-of-workers";
const PLUGINS = `
import { defineConfig } from "@plinth/core";
export default defineConfig({ metrics: { resolve: "@plinth/plugin-metrics", config: { token: "${TOKEN}" } } });
`;
const FIND = { api: "rest", operation: "find", status: "2xx" };

/** Sums that must never fall: of the plugin, and node's own. */
const SUMS: readonly (readonly [name: string, labels: object])[] = [
  ["plinth_http_requests_total", FIND],
  ["plinth_http_seconds_sum", FIND],
  ["plinth_http_seconds_bucket", { ...FIND, le: "+Inf" }],
  ["plinth_db_seconds_count", { node: "primary", kind: "read" }],
  ["plinth_shared_reads_total", { how: "led" }],
  ["process_cpu_seconds_total", {}],
];

const database = serverDatabase();
if (database)
  describe("metrics of several workers", () => {
    const cwd = scaffoldedApp();
    let command: RunningCommand;
    let url = "";
    let management = "";

    before("build and start two", async () => {
      mkdirSync(join(cwd, "config/env/production"), { recursive: true });
      writeFileSync(join(cwd, "config/env/production/server.ts"), guideServer("drainDelay: 300,"));
      writeFileSync(join(cwd, "config/env/production/plugins.ts"), PLUGINS);
      const { code, stdout, stderr } = await runPlinth(["build"], { cwd });
      if (code !== 0) throw new Error(stdout + stderr);
      const [port, other] = [await freePort(), await freePort()];
      [url, management] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${other}`];
      const own = { PORT: String(port), MANAGEMENT_PORT: String(other), LOG_LEVEL: "info" };
      command = new RunningCommand(["start", "--workers", "2"], {
        cwd,
        env: { ...databaseVariables(database), ...own },
      });
      await command.waitFor(/workers +\d+, of process \d+/);
      await pids();
    });
    after("stop them", () => command?.stop("SIGKILL"));

    /** Of both, once they are ready. */
    const pids = (): Promise<readonly number[]> =>
      eventually(async () => {
        const answer = await fetch(`${management}/health/ready`);
        const { status, workers } = (await answer.json()) as { status: string; workers: readonly { pid: number }[] };
        expect([status, workers.length]).to.deep.equal(["ready", 2]);
        return workers.map(({ pid }) => pid);
      });
    const scrape = async (): Promise<ReadMetrics> => {
      const answer = await fetch(`${management}/metrics`);
      expect(answer.status).to.equal(200);
      return readMetrics(await answer.text());
    };
    const requests = async (): Promise<number> => (await scrape()).value("plinth_http_requests_total", FIND) ?? 0;
    const readAll = async (count: number): Promise<void> => {
      // Each on a connection of its own, which either worker may take.
      const read = () => fetch(`${url}/api/articles`, { headers: { connection: "close" } });
      const answers = await Promise.all(Array.from({ length: count }, read));
      for (const answer of answers) expect(answer.status).to.equal(200);
    };

    it("are sums, on the management port and with a token on that of any worker", async () => {
      await readAll(40);
      await eventually(async () => expect(await requests()).to.equal(40));
      const { value } = await scrape();
      expect(value("plinth_info"), "one app").to.equal(1);
      expect(value("plinth_messages_hearing"), "both of them").to.equal(1);
      expect(value("plinth_db_connections", { node: "primary", state: "idle" }), "of both").to.be.at.least(2);
      expect(value("plinth_clock_offset_seconds")).to.be.within(-5, 5);
      for (let turn = 0; turn < 4; turn += 1) {
        const answer = await fetch(`${url}/metrics`, {
          headers: { authorization: `Bearer ${TOKEN}`, connection: "close" },
        });
        expect(readMetrics(await answer.text()).value("plinth_http_requests_total", FIND)).to.equal(40);
      }
    });

    it("lose nothing and never fall while all are replaced", async () => {
      const before = await requests();
      const old = await pids();
      const reads = new Reads(`${url}/api/articles?populate=author`, PAUSE);
      command.signal("SIGHUP");
      let isReplaced = false;
      const replaced = command.waitFor(/2 workers were replaced in/).finally(() => {
        isReplaced = true;
      });
      let [scrapes, last] = [0, await scrape()];
      while (!isReplaced) {
        await sleep(50);
        const next = await scrape();
        for (const [name, labels] of SUMS)
          expect(next.value(name, labels), name).to.be.at.least(last.value(name, labels) ?? 0);
        [scrapes, last] = [scrapes + 1, next];
      }
      await replaced;
      const { count, failures } = await reads.end();
      expect(failures).to.deep.equal([]);
      expect((await pids()).filter((pid) => old.includes(pid))).to.deep.equal([]);
      await eventually(async () => expect(await requests()).to.equal(before + count));
      console.log(
        `[fleet] metrics of workers: ${count} requests counted while both were replaced, none lost; no sum fell in ${scrapes} scrapes`,
      );
    });

    it("keep what was last known of one that was killed", async () => {
      const before = await requests();
      const [killed = 0] = await pids();
      process.kill(killed, "SIGKILL");
      await eventually(async () => expect(await pids()).to.not.include(killed));
      await readAll(10);
      await eventually(async () => expect(await requests()).to.equal(before + 10));
    });
  });
