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

/** Answers to each client before, between and after what happens to the pooler. */
const PHASE = 50;
/** Of two apps, ten each. */
const CONNECTIONS = 20;

/** A revoked token that was refused. */
interface Refused {
  readonly asked: number;
  readonly ms: number;
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
      await traffic.more(PHASE);
      await pooler.command("RECONNECT");
      const reconnect = await traffic.more(PHASE);
      await pooler.restart();
      const away = traffic.takeOutage();
      const restart = await traffic.more(PHASE);
      const { reads, writes, strange } = await traffic.end();
      const wrong = await Promise.all(
        served.map((role) => runOnServer(`select 1 from ${role}.cars where plate not like '${role}%'`)),
      );
      const astray = wrong.flat().length;
      console.log(
        `[fleet] two schemas through one pgbouncer: ${astray} of ${writes} rows and ${strange} of ${reads} reads in the wrong schema; ` +
          `RECONNECT ${reconnect.ms} ms of 503 (${reconnect.failed}); restart ${away.ms} ms of 503 (${away.failed}), and ${restart.ms} ms (${restart.failed}) once it was back`,
      );
      expect(writes).to.be.greaterThan(100);
      expect([astray, strange]).to.deep.equal([0, 0]);
      // One request for each connection that was cut.
      expect(restart.failed).to.be.at.most(CONNECTIONS);
      expect(reconnect.failed).to.be.at.most(CONNECTIONS);
    });

    it("stops to be ready when its sessions are no longer as it needs them, and is again once they are", async () => {
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

    /** How often each of 100 revoked tokens was asked with until the other process refused it; and milliseconds. */
    async function revokeAll(one: TokenApp, other: TokenApp): Promise<readonly Refused[]> {
      const refused: Refused[] = [];
      for (let i = 0; i < 100; i += 1) {
        const { accessKey, documentId } = await one.tokens.create({ name: `${Math.random()}`, type: "read-only" });
        const statusOf = async () => (await other.ask("GET", "/api/authors", accessKey)).status;
        expect(await statusOf()).to.equal(200);
        await one.tokens.revoke(documentId);
        const since = performance.now();
        let asked = 1;
        // What the process has not heard it would never know.
        for (; (await statusOf()) !== 401; asked += 1) await sleep(5);
        refused.push({ asked, ms: performance.now() - since });
      }
      return refused;
    }

    const report = (name: string, refused: readonly Refused[]): void => {
      const inTime = refused.filter(({ ms }) => ms < 1_000).length;
      const slowest = Math.max(...refused.map(({ ms }) => ms));
      console.log(
        `[fleet] ${name}: ${inTime} of ${refused.length} refused within 1 s, slowest ${slowest.toFixed(0)} ms`,
      );
    };

    it("refuses a token that another process has revoked", async () => {
      const [one, other] = [await start(), await start()];
      while (!other.plinth.app.db.messages.isListening) await sleep(20);
      const refused = await revokeAll(one, other);
      report("token revoked behind pgbouncer", refused);
      expect(refused).to.have.length(100);
    });

    it("refuses it as well where `listen` leads to the pooler: it knows that it hears nothing", async () => {
      const deaf = { listen: pooler.url({ user: role }) };
      const [one, other] = [await start(deaf), await start(deaf)];
      await sleep(1_000);
      const refused = await revokeAll(one, other);
      report("token revoked behind pgbouncer, listening through it", refused);
      expect(refused.map(({ asked }) => asked)).to.deep.equal(Array(100).fill(1));
      expect(other.plinth.app.db.messages.isListening).to.equal(false);
    });
  });
});
