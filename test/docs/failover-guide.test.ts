import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createPlinth, type DatabaseConfig, type PlinthApp } from "@plinth/core";
import { expect } from "chai";
import { createEnv, type Env } from "#core/app/project/env.js";
import { loadFleet, send } from "../durability/fleet.js";
import { type PostgresCluster, startCluster } from "../postgres-cluster.js";
import { readBlocks } from "./read-blocks.js";

const GUIDE = fileURLToPath(new URL("../../core/guides/deployment.md", import.meta.url));
/** Inside of the project, so that packages are found from there. */
const FILE = fileURLToPath(new URL("../.cache/failover-guide/database.ts", import.meta.url));

/** Milliseconds for which "there is no primary" is believed, and between two tries to write. */
const NO_PRIMARY_TIME = 250;
const PAUSE = 20;

describe("the configuration of several hosts in the deployment guide", () => {
  let cluster: PostgresCluster;
  let plinth: PlinthApp;

  before(async () => {
    cluster = await startCluster(1);
    mkdirSync(dirname(FILE), { recursive: true });
  });
  after(async () => {
    await plinth.stop();
    await cluster.close();
    rmSync(dirname(FILE), { recursive: true });
  });

  /** What the block of the guide makes of some variables. */
  async function configOf(variables: Readonly<Record<string, string>>): Promise<DatabaseConfig> {
    const block = readBlocks(readFileSync(GUIDE, "utf8")).find(({ text }) => text.includes("DATABASE_HOSTS"));
    writeFileSync(FILE, block?.text ?? "");
    const { default: make } = (await import(pathToFileURL(FILE).href)) as {
      default: (tools: { env: Env }) => DatabaseConfig;
    };
    return make({ env: createEnv(variables) });
  }

  it("serves from the primary, and from the next one when it is gone", async () => {
    const [primary, standby] = cluster.nodes;
    const password = join(dirname(FILE), "password");
    writeFileSync(password, "a password\n");
    const database = await configOf({
      DATABASE_HOSTS: cluster.nodes.map(({ address }) => address).join(","),
      DATABASE_NAME: "postgres",
      DATABASE_USER: "plinth",
      DATABASE_PASSWORD_FILE: password,
    });
    plinth = createPlinth(await loadFleet(database));
    const url = (await plinth.start()) ?? "";
    const write = async (plate: string): Promise<number> => (await send(url, "POST", "/api/cars", { plate })).status;
    expect(await write("G 1")).to.equal(201);
    await cluster.caughtUp();
    await primary?.kill();
    expect(await write("G 2")).to.equal(503);
    await standby?.promote();
    const promoted = performance.now();
    let refused = 0;
    for (; (await write("G 3")) !== 201; refused += 1) await sleep(PAUSE);
    const took = performance.now() - promoted;
    console.log(
      `[fleet] guide, several hosts: writes again ${Math.round(took)} ms after promotion, ${refused} were refused`,
    );
    expect(refused).to.be.at.most(NO_PRIMARY_TIME / PAUSE + 2);
  });
});
