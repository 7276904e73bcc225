import { expect } from "chai";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import pg from "pg";
import { startPostgres } from "../../scripts/postgres-server.mjs";

const SCRIPT = resolve(import.meta.dirname, "../../scripts/postgres-server.mjs");

describe("the PostgreSQL server of the tests", () => {
  async function ask(url: string, sql: string): Promise<Record<string, unknown>> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const { rows } = await client.query(sql);
      return rows[0];
    } finally {
      await client.end();
    }
  }

  async function answers(url: string): Promise<boolean> {
    return ask(url, "select 1").then(
      () => true,
      (error) => error.code !== "ECONNREFUSED",
    );
  }

  async function startScript(): Promise<{ child: ChildProcess; url: string }> {
    const child = spawn(process.execPath, [SCRIPT], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(child.stdout, "data");
    return { child, url: String(line).trim() };
  }

  it("is empty, speaks UTF-8 and ends with stop, however often it is called", async () => {
    const server = await startPostgres();
    const found = await ask(server.url, "select current_setting('server_encoding') as encoding, upper('ä') as upper");
    expect(found).to.include({ encoding: "UTF8" });
    await Promise.all([server.stop(), server.stop()]);
    expect(await answers(server.url)).to.equal(false);
  });

  it("ends with the script that started it", async () => {
    const { child, url } = await startScript();
    expect(await answers(url)).to.equal(true);
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    expect(code).to.equal(0);
    expect(await answers(url)).to.equal(false);
  });

  it("is ended by the next one when its owner was killed", async () => {
    const { child, url } = await startScript();
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await answers(url)).to.equal(true);
    const next = await startPostgres();
    await next.stop();
    expect(await answers(url)).to.equal(false);
  });
});
