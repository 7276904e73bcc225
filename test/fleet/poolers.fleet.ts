import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createPlinth, type PlinthApp } from "@plinth/core";
import { expect } from "chai";
import pg from "pg";
import type { PostgresConfig } from "#core/database/driver/config.js";
import { connectDatabase } from "#core/database/driver/connect.js";
import { giveRoleSettings } from "#core/database/driver/role-settings.js";
import { serverDatabase } from "../databases.js";
import { loadFleet, send } from "../durability/fleet.js";
import { startTokenApp, type TokenApp } from "../plugins/api-tokens/serve-tokens.js";
import { type Pooler, startPooler } from "./pgbouncer.js";
import { Traffic } from "./traffic.js";

const found = serverDatabase();
if (!found) throw new Error("These tests need a server: npm run test:fleet starts one.");
const database = found;
const direct = (user?: string): string => {
  const url = new URL((database.config() as { connection: string }).connection);
  if (user) url.username = user;
  return url.href;
};

async function runOnServer(...statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: direct() });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("an app behind a pooler that hands out sessions by transaction", () => {
  const suffix = randomBytes(4).toString("hex");
  const roles = [`fleet_a_${suffix}`, `fleet_b_${suffix}`, `fleet_c_${suffix}`] as const;
  let pooler: Pooler;
  const configOf = (role: string, options: Partial<PostgresConfig> = {}): PostgresConfig => ({
    client: "postgres",
    pooler: "transaction",
    connection: pooler.url({ user: role }),
    listen: direct(role),
    schema: role,
    ...options,
  });

  before(async () => {
    const { pathname } = new URL(direct());
    await runOnServer(
      ...roles.flatMap((role) => [
        `create role ${role} login`,
        `grant create, connect on database ${pathname.slice(1)} to ${role}`,
      ]),
    );
    pooler = await startPooler({
      to: direct(),
      users: [...roles, "plinth"],
      settings: { default_pool_size: 4, ignore_startup_parameters: "options" },
    });
  });
  after(async () => {
    await pooler.close();
    await runOnServer(...roles.flatMap((role) => [`drop owned by ${role} cascade`, `drop role ${role}`]));
  });

  it("does not start while its sessions are not as it needs them, and says what to do", async () => {
    for (const options of [{}, { pooler: "none" as const }, { schema: "another" }]) {
      const failure = await failureOf(connectDatabase(configOf(roles[0], options)));
      expect(failure).to.include({ code: "PLINTH_DATABASE_SESSION_DIFFERS", status: 503 });
      expect(failure).to.have.property("message").that.includes("search_path").and.includes("--apply");
    }
  });

  it("has to be told where the server is", async () => {
    const { listen: _, ...config } = configOf(roles[0]);
    const failure = await failureOf(connectDatabase(config));
    expect(failure).to.include({ code: "PLINTH_DATABASE_LISTEN_MISSING" });
  });

  describe("with the settings of its role", () => {
    const served = roles.slice(0, 2);
    const apps: PlinthApp[] = [];
    const urls: string[] = [];
    before(async () => {
      for (const role of served) await giveRoleSettings(configOf(role), { apply: true });
      await pooler.command("RECONNECT");
      for (const role of served) {
        const plinth = createPlinth(await loadFleet(configOf(role)));
        apps.push(plinth);
        urls.push((await plinth.start()) ?? "");
      }
    });
    after(() => Promise.all(apps.map((plinth) => plinth.stop())));

    it("starts again beside itself", async () => {
      const again = createPlinth(await loadFleet(configOf(roles[0])));
      const url = (await again.start()) ?? "";
      for (let i = 0; i < 5; i += 1) expect(await send(url, "GET", "/api/cars")).to.have.property("status", 200);
      await again.stop();
    });

    it("keeps to its schema, through RECONNECT and a restart of the pooler", async () => {
      const traffic = new Traffic(urls.map((url, index) => ({ url, prefix: served[index] ?? "" })));
      await sleep(1_500);
      await pooler.command("RECONNECT");
      await sleep(1_500);
      const reconnect = traffic.takeOutage();
      await pooler.restart();
      await sleep(2_500);
      const restart = traffic.takeOutage();
      const { reads, writes, strange } = await traffic.end();
      const wrong = await Promise.all(
        served.map((role) => runOnServer(`select 1 from ${role}.cars where plate not like '${role}%'`)),
      );
      const astray = wrong.flat().length;
      console.log(
        `[fleet] two schemas through one pgbouncer: ${astray} of ${writes} rows and ${strange} of ${reads} reads in the wrong schema; ` +
          `RECONNECT ${reconnect.ms} ms of 503 (${reconnect.failed}); restart ${restart.ms} ms of 503 (${restart.failed})`,
      );
      expect(writes).to.be.greaterThan(100);
      expect([astray, strange]).to.deep.equal([0, 0]);
      expect(restart.ms).to.be.lessThan(1_000);
      expect(reconnect.ms).to.be.lessThan(1_000);
    });

    it("stops to be ready when its sessions are no longer as it needs them, and is again once they are", async function () {
      this.timeout(120_000);
      const url = urls[0] ?? "";
      await runOnServer(
        `alter role ${roles[0]} in database ${new URL(direct()).pathname.slice(1)} set search_path = ${roles[1]}`,
      );
      await pooler.command("RECONNECT");
      const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status;
      while ((await statusOf("/health/ready")) !== 503) await sleep(200);
      expect(await send(url, "POST", "/api/cars", { plate: `${roles[0]} astray` })).to.have.property("status", 503);
      expect(await statusOf("/_health")).to.equal(204);
      await giveRoleSettings(configOf(roles[0]), { apply: true });
      await pooler.command("RECONNECT");
      while ((await statusOf("/health/ready")) !== 200) await sleep(200);
      expect(await send(url, "GET", "/api/cars")).to.have.property("status", 200);
    });
  });

  describe("with API tokens", () => {
    const apps: TokenApp[] = [];
    const role = roles[2];
    const start = async (options: Partial<PostgresConfig> = {}) => {
      const config = () => configOf(role, options);
      apps.push(await startTokenApp({ ...database, config }));
      return apps.at(-1) as TokenApp;
    };
    before(async () => {
      await giveRoleSettings(configOf(role), { apply: true });
      await pooler.command("RECONNECT");
    });
    afterEach(() => Promise.all(apps.splice(0).map(({ plinth }) => plinth.stop())));

    /** Milliseconds until each of 100 revoked tokens was refused by the other process. */
    async function revokeAll(one: TokenApp, other: TokenApp): Promise<readonly number[]> {
      const times: number[] = [];
      for (let i = 0; i < 100; i += 1) {
        const { accessKey, documentId } = await one.tokens.create({ name: `${Math.random()}`, type: "read-only" });
        const statusOf = async () => (await other.ask("GET", "/api/authors", accessKey)).status;
        expect(await statusOf()).to.equal(200);
        await one.tokens.revoke(documentId);
        const since = performance.now();
        while ((await statusOf()) !== 401 && performance.now() - since < 5_000) await sleep(5);
        times.push(performance.now() - since);
      }
      return times;
    }

    const report = (name: string, times: readonly number[]): void => {
      const inTime = times.filter((ms) => ms < 1_000).length;
      console.log(
        `[fleet] ${name}: ${inTime} of ${times.length} refused within 1 s, slowest ${Math.max(...times).toFixed(0)} ms`,
      );
      expect(inTime).to.equal(100);
    };

    it("refuses a token that another process has revoked", async () => {
      const [one, other] = [await start(), await start()];
      while (!other.plinth.app.db.messages.isListening) await sleep(20);
      report("token revoked behind pgbouncer", await revokeAll(one, other));
    });

    it("refuses it as well where `listen` leads to the pooler: it knows that it hears nothing", async () => {
      const deaf = { listen: pooler.url({ user: role }) };
      const [one, other] = [await start(deaf), await start(deaf)];
      await sleep(1_000);
      report("token revoked behind pgbouncer, listening through it", await revokeAll(one, other));
      expect(other.plinth.app.db.messages.isListening).to.equal(false);
    });
  });
});
