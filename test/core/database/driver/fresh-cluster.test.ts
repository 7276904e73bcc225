import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import { transform } from "esbuild";
import { extract } from "tar-stream";
import { connectDatabase } from "#core/database/driver/connect.js";
import { freshCluster, keptCluster } from "#core/database/driver/fresh-cluster.js";
import { FOR_SECONDS } from "../../../projects.js";

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
    expect(keptIn(ROOT)).to.include(hashOf(cluster.tar));
  });

  it("ends with the files by which a directory is a cluster, so that one that got a part of it is none", async () => {
    const names: string[] = [];
    const archive = extract();
    archive.on("entry", ({ name }, content, next) => {
      names.push(name.replace(/^\//, ""));
      content.resume().once("end", next);
    });
    archive.end(Buffer.from((await freshCluster()).tar));
    await once(archive, "finish");
    expect(names).to.have.length.greaterThan(900);
    expect(names.slice(-2)).to.deep.equal(["global/pg_control", "PG_VERSION"]);
  });

  it("is what a database in a directory begins with, and begins with again where a start was killed meanwhile", async () => {
    const directory = mkdtempSync(join(tmpdir(), "plinth-new-cluster-"));
    const countOf = async () => {
      const db = await connectDatabase({ client: "pglite", directory });
      const [row] = await db.query<{ count: number }>({
        text: "select count(*)::int as count from pg_tables where schemaname = current_schema()",
        values: [],
      });
      await db.query({ text: "create table kept (n integer)", values: [] });
      await db.close();
      return row?.count;
    };
    try {
      mkdirSync(join(directory, "base/5"), { recursive: true });
      writeFileSync(join(directory, "base/5/PG_VERSION"), "of half a cluster");
      expect(await countOf()).to.equal(0);
      const identifier = (file: Buffer) => file.subarray(0, 8).toString("hex");
      const own = identifier(readFileSync(join(directory, "global/pg_control")));
      const archive = Buffer.from((await keptCluster())?.tar ?? []);
      expect(archive.includes(Buffer.from(own, "hex"))).to.equal(true);
      const db = await connectDatabase({ client: "pglite", directory });
      expect(await db.query({ text: "select * from kept", values: [] })).to.deep.equal([]);
      await db.close();
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });

  it("is the same for processes that make it at one time, and the one that is kept", async () => {
    const folder = mkdtempSync(join(tmpdir(), "plinth-cluster-"));
    try {
      cpSync(join(ROOT, PGLITE), join(folder, PGLITE), { recursive: true });
      const source = readFileSync(join(ROOT, "core", "src", "database", "driver", "fresh-cluster.ts"));
      const { code } = await transform(source, { loader: "ts" });
      writeFileSync(join(folder, "fresh-cluster.mjs"), code);
      writeFileSync(join(folder, "run.mjs"), RUN);
      // Each makes a cluster: 3 s of computing.
      const made = await Promise.all([run(folder), run(folder)]);
      expect(new Set(made).size).to.equal(1);
      expect(keptIn(folder)).to.deep.equal([made[0]]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

const RUN = `
import { createHash } from "node:crypto";
import { freshCluster } from "./fresh-cluster.mjs";
const { tar } = await freshCluster();
process.stdout.write(createHash("sha256").update(tar).digest("hex"));
`;

async function run(folder: string): Promise<string> {
  const child = spawn(process.execPath, [...FOR_SECONDS, "run.mjs"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise((done) => child.once("close", done));
  expect(code).to.equal(0);
  return Buffer.concat(chunks).toString();
}
