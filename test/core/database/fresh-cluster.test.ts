import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import { freshCluster } from "../../../core/src/database/fresh-cluster.js";

const CACHE = join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache", "plinth");

describe("the cluster that a database in memory begins with", () => {
  it("is made once in a process, and kept for the next one", async function () {
    this.timeout(60_000);
    const cluster = await freshCluster();
    expect(await freshCluster()).to.equal(cluster);
    const kept = readdirSync(CACHE).filter((name) => name.endsWith(".tar.gz"));
    const archives = kept.map((name) => gunzipSync(readFileSync(join(CACHE, name))));
    const text = Buffer.from(await cluster.arrayBuffer());
    expect(archives.some((archive) => archive.equals(text))).to.equal(true);
  });
});
