import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createPlinth, type DatabaseConfig, type PlinthApp } from "@plinth/core";
import { expect } from "chai";
import { createEnv, type Env } from "#core/app/project/env.js";
import { citusDatabase } from "../databases.js";
import { loadFleet, send } from "../durability/fleet.js";
import { writeProject } from "../projects.js";
import { readBlocks } from "./read-blocks.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const GUIDE = join(ROOT, "core", "guides", "deployment.md");

describe("the tenants of the deployment guide", () => {
  const database = citusDatabase();
  if (!database) return;
  const running: PlinthApp[] = [];
  after("stop them", () => Promise.all(running.map((plinth) => plinth.stop())));

  it("have a schema each, made with their first start, and a content of their own", async () => {
    const block = readBlocks(readFileSync(GUIDE, "utf8")).find(({ text }) => text.includes('engine: "citus"'));
    const project = writeProject({ "database.ts": block?.text ?? "" });
    const { default: configure } = (await import(pathToFileURL(join(project, "database.ts")).href)) as {
      readonly default: (tools: { readonly env: Env }) => DatabaseConfig;
    };
    const { connection } = database.config() as { readonly connection: string };
    const totals: unknown[] = [];
    for (const [index, TENANT] of ["north", "south"].entries()) {
      const config = configure({ env: createEnv({ DATABASE_URL: connection, TENANT }) });
      const plinth = createPlinth(await loadFleet(config));
      running.push(plinth);
      const url = (await plinth.start()) ?? "";
      for (let car = 0; car <= index; car += 1)
        expect((await send(url, "POST", "/api/cars", { plate: `${TENANT} ${car}` })).status).to.equal(201);
      const { body } = await send(url, "GET", "/api/cars?status=draft");
      totals.push(
        (body as { readonly meta?: { readonly pagination?: { readonly total?: number } } }).meta?.pagination?.total,
      );
      expect(plinth.app.db.engine).to.equal("citus");
    }
    expect(totals).to.deep.equal([1, 2]);
  });
});
