import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createPlinth, loadProject } from "@plinth/core";
import { expect } from "chai";
import pg from "pg";
import { freePort } from "../../scripts/postgres-server.mjs";
import type { PostgresConfig } from "#core/database/driver/config.js";
import { giveRoleSettings } from "#core/database/driver/role-settings.js";
import { serverDatabase } from "../databases.js";
import { fileOf, readBlocks } from "../docs/read-blocks.js";
import { loadFleet, send } from "../durability/fleet.js";
import { writeProject } from "../projects.js";
import { runPooler } from "./pgbouncer.js";

const GUIDE = fileURLToPath(new URL("../../core/guides/deployment.md", import.meta.url));
const found = serverDatabase();
if (!found) throw new Error("These tests need a server: npm run test:fleet starts one.");
const database = found;

/** What a block of the guide's section says. */
function blockOf(path: string): string {
  const [, section = ""] = readFileSync(GUIDE, "utf8").split("## Poolers");
  const block = readBlocks(section).find((each) => fileOf(each) === path);
  if (!block) throw new Error(`The section on poolers has no ${path}`);
  return block.text;
}

describe("the section on poolers of the deployment guide", () => {
  it("shows configurations of pgbouncer and of the app that work together", async () => {
    const server = new URL((database.config() as { connection: string }).connection);
    const admin = new pg.Client({ connectionString: server.href });
    await admin.connect();
    const role = `app_${randomBytes(4).toString("hex")}`;
    const name = server.pathname.slice(1);
    await admin.query(`create role ${role} login; grant create on database ${name} to ${role}`);
    const port = await freePort();
    // Other addresses, and no passwords; all else is as shown.
    const ini = blockOf("pgbouncer.ini")
      .replace("port=5432 dbname=blog", `port=${server.port} dbname=${name}`)
      .replace("6432", String(port))
      .replace("scram-sha-256", "trust")
      .replace(/^auth_file.*$/m, "unix_socket_dir =");
    const pooler = await runPooler(ini, { port, users: [role], database: "blog" });
    const root = writeProject({ "config/env/production/database.ts": blockOf("config/env/production/database.ts") });
    const direct = new URL(server.href);
    direct.username = role;
    const variables = { DATABASE_URL: pooler.url(), DIRECT_URL: direct.href };
    const { config } = await loadProject({ root, code: root }, { variables, environment: "production" });
    const shown = config?.["database"] as PostgresConfig;
    expect(shown).to.deep.include({ pooler: "transaction", connection: pooler.url(), listen: direct.href });
    await giveRoleSettings(shown, { apply: true });
    const plinth = createPlinth(await loadFleet(shown));
    const url = (await plinth.start()) ?? "";
    expect(await send(url, "POST", "/api/cars", { plate: "B 1" })).to.have.property("status", 201);
    expect((await admin.query("select plate from blog.cars")).rows).to.deep.equal([{ plate: "B 1" }]);
    while (!plinth.app.db.messages.isListening) await new Promise((turn) => setTimeout(turn, 20));
    expect((await fetch(`${url}/health/ready`)).status).to.equal(200);
    await plinth.stop();
    await pooler.close();
    await admin.query(`drop owned by ${role} cascade; drop role ${role}`);
    await admin.end();
  });
});
