import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import { freshCluster } from "../../../../core/src/database/driver/fresh-cluster.js";

const ROOT = join(import.meta.dirname, "../../../..");
const PGLITE = join("node_modules", "@electric-sql", "pglite");
const CACHE = join("node_modules", ".cache", "plinth");

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The hashes of the archives that are kept below a folder. Those that others are still writing have longer names. */
const keptIn = (root: string): string[] =>
  readdirSync(join(root, CACHE))
    .filter((name) => name.endsWith(".tar.gz"))
    .map((name) => hashOf(gunzipSync(readFileSync(join(root, CACHE, name)))));

describe("the cluster that a database in memory begins with", () => {
  it("is made once in a process, and kept for the next one", async () => {
    const cluster = await freshCluster();
    expect(await freshCluster()).to.equal(cluster);
    expect(keptIn(ROOT)).to.include(hashOf(new Uint8Array(await cluster.arrayBuffer())));
  });

  it("is the same for processes that make it at one time, and the one that is kept", async function () {
    this.timeout(120_000);
    const folder = mkdtempSync(join(tmpdir(), "plinth-cluster-"));
    try {
      cpSync(join(ROOT, PGLITE), join(folder, PGLITE), { recursive: true });
      cpSync(join(ROOT, "core", "src", "database", "driver", "fresh-cluster.ts"), join(folder, "fresh-cluster.mts"));
      writeFileSync(join(folder, "run.mjs"), RUN);
      const made = await Promise.all([run(folder), run(folder), run(folder)]);
      expect(new Set(made).size).to.equal(1);
      expect(keptIn(folder)).to.deep.equal([made[0]]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

const RUN = `
import { createHash } from "node:crypto";
import { freshCluster } from "./fresh-cluster.mts";
const bytes = new Uint8Array(await (await freshCluster()).arrayBuffer());
process.stdout.write(createHash("sha256").update(bytes).digest("hex"));
`;

async function run(folder: string): Promise<string> {
  const tsx = import.meta.resolve("tsx");
  const child = spawn(process.execPath, ["--import", tsx, "run.mjs"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise((done) => child.once("close", done));
  expect(code).to.equal(0);
  return Buffer.concat(chunks).toString();
}
