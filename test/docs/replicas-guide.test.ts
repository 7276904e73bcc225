import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { createEnv, type Env } from "#core/app/project/env.js";
import { eventually, noteApp } from "../core/database/driver/note-app.js";
import { type PostgresCluster, startCluster } from "../postgres-cluster.js";
import { writeProject } from "../projects.js";
import { fileOf, readBlocks } from "./read-blocks.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const GUIDE = join(ROOT, "core", "guides", "deployment.md");
const FILE = "config/env/production/database.ts";

type Config = (tools: { readonly env: Env }) => { readonly replicas: Readonly<Record<string, unknown>> };

describe("the replicas of the deployment guide", () => {
  let cluster: PostgresCluster | undefined;
  let test: TestApp | undefined;
  after("stop them", async () => {
    await test?.stop();
    await cluster?.close();
  });

  it("answer the public, as they are configured there", async () => {
    const block = readBlocks(readFileSync(GUIDE, "utf8")).find(
      (each) => fileOf(each) === FILE && /replicas/.test(each.text),
    );
    const file = join(writeProject({ [FILE]: block?.text ?? "" }), FILE);
    const configure = ((await import(pathToFileURL(file).href)) as { readonly default: Config }).default;
    expect(configure({ env: createEnv({}) }).replicas["at"], "no replica without the variable").to.deep.equal([]);

    cluster = await startCluster(2);
    const [primary, ...standbys] = cluster.nodes;
    const env = createEnv({ REPLICA_URLS: standbys.map((node) => node.url()).join(", ") });
    test = await createTestApp(noteApp(primary?.url() ?? "", configure({ env }).replicas, [contentApiPlugin]));
    const { app } = test;
    await eventually(async () => {
      expect((await test?.public.get("/api/notes"))?.status).to.equal(200);
      expect(app.db.replicas?.pools.some((pool) => pool.statementCount > 0)).to.equal(true);
    });
  });
});
