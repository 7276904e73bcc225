import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { DrillReport } from "#core/app/drill/run-drill.js";
import { serverDatabase, type TestDatabase } from "../../databases.js";
import { archiveProject, fill, partsOf, whileServed, writeParts } from "../app/archive/archive-project.js";
import { runPlinth } from "./plinth-command.js";

interface Result extends DrillReport {
  readonly failures: readonly string[];
}

/** Runs a drill; what it reports, and its exit code. */
async function drill(root: string, ...args: readonly string[]): Promise<{ code: number | null; report: Result }> {
  const { code, stdout, stderr } = await runPlinth(["drill", "--json", ...args], { cwd: root });
  expect(stdout, stderr).to.match(/^\{/);
  return { code, report: JSON.parse(stdout) as Result };
}

/** Names and times of all files of a folder. */
const filesIn = (folder: string) =>
  readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mtimeMs, statSync(join(folder, name)).size]);

describe("plinth drill", function () {
  this.timeout(600_000);
  const database = serverDatabase();
  // Another database than the one that drills restore to.
  const source = archiveProject([], serverDatabase());
  const backups = mkdtempSync(join(tmpdir(), "plinth-backups-"));
  const file = join(backups, "site.tar.gz");

  /** A drill of the newest archive of the folder, which is `file`. */
  let newest: Awaited<ReturnType<typeof drill>>;

  before("export, and drill", async () => {
    await whileServed(source, fill);
    const { code, stderr } = await runPlinth(["export", file], { cwd: source });
    expect(code, stderr).to.equal(0);
    const older = join(backups, "older.tar.gz");
    writeFileSync(older, "not an archive");
    utimesSync(older, 1, 1);
    newest = await drill(archiveProject(), backups);
  });

  it("exports the app, restores it beside, and finds it equal; the app's files stay as they are", async () => {
    const uploads = join(source, ".plinth", "uploads");
    const before = filesIn(uploads);
    const { code, stdout, stderr } = await runPlinth(["drill"], { cwd: source });
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout).to.match(/content +equal, [0-9a-f]{64}/);
    expect(stdout)
      .to.match(/RPO +\d+\.\d s/)
      .and.to.match(/RTO +\d/);
    expect(stdout).to.include("The backup can be restored.");
    expect(filesIn(uploads)).to.deep.equal(before);
  });

  it("takes the newest archive of a folder, which needs no database but its own, and says how old it is", async () => {
    const { code, report } = newest;
    expect(report.failures).to.deep.equal([]);
    expect(code).to.equal(0);
    expect(report.archive).to.equal(file);
    expect(report.foundHash).to.equal(report.wantedHash);
    expect(report.versions).to.be.greaterThan(8);
    const age = (Date.now() - Date.parse(report.createdAt ?? "")) / 1000;
    expect(report.rpo).to.be.within(0, age);
    const late = await drill(archiveProject(), backups, "--rpo", "0.0001", "--rto", "0.0001");
    expect(late.code).to.equal(1);
    expect(late.report.failures).to.have.length(2);
  });

  it("finds what an archive cannot bring back, and ends with 1", async () => {
    const parts = partsOf(readFileSync(file));
    const key = [...parts.keys()].find((name) => name.startsWith("files/")) ?? "";
    parts.delete(key);
    parts.set("files/kept", Buffer.from("another file"));
    parts.delete("checksums.jsonl");
    const tags = String(parts.get("content/api::tag.tag/1.jsonl"));
    const [first = ""] = tags.split("\n");
    const twice = { ...JSON.parse(first), id: 9_000, documentId: "another" };
    parts.set("content/api::tag.tag/1.jsonl", Buffer.from(`${tags}${JSON.stringify(twice)}\n`));
    const { code, report } = await drill(archiveProject(), writeParts(parts));
    expect(code).to.equal(1);
    expect(report.differences.map(({ uid }) => uid)).to.deep.equal(["api::tag.tag"]);
    expect(report.missingFiles).to.deep.equal([key.slice("files/".length)]);
    expect(report.failures).to.deep.equal([
      "api::tag.tag: 2 versions, not the 3 of the archive",
      `the archive lacks the bytes of ${key.slice("files/".length)}`,
    ]);
  });

  it("has a hash that a program of twenty lines finds, too", () => {
    expect(foreignHash(partsOf(readFileSync(file)))).to.equal(newest.report.wantedHash);
  });

  const onServer = async (database: TestDatabase) => {
    const { connection } = database.config() as unknown as { readonly connection: string };
    const first = await drill(source, file, "--database", connection);
    expect(first.report.failures).to.deep.equal([]);
    expect(first.code).to.equal(0);
    const own = archiveProject([], database);
    for (const [root, reason] of [
      [source, /it has \d+ tables/],
      [own, /it is the app's own database/],
    ] as const) {
      const { code, stderr } = await runPlinth(["drill", file, "--database", connection], { cwd: root });
      expect(code).to.equal(1);
      expect(stderr).to.include("PLINTH_DRILL_DATABASE_IN_USE").and.to.match(reason);
    }
  };
  if (database) it("restores to a database of a server, and to no other than an empty one", () => onServer(database));

  it("says by a code what is wrong with its options and its commands", async () => {
    const empty = mkdtempSync(join(tmpdir(), "plinth-no-backups-"));
    const to = ["--database", "postgres://nobody@127.0.0.1:1/nothing"];
    for (const [args, code] of [
      [["--restore", "true"], "PLINTH_ARCHIVE_OPTION_INVALID"],
      [["--rpo", "soon"], "PLINTH_ARCHIVE_OPTION_INVALID"],
      [[empty], "PLINTH_ARCHIVE_UNKNOWN"],
      [[file, ...to, "--restore", "exit 3"], "PLINTH_DRILL_RESTORE_FAILED"],
    ] as const) {
      const { code: ended, stderr } = await runPlinth(["drill", ...args], { cwd: source });
      expect(stderr).to.include(code);
      expect(ended).to.equal(1);
    }
  });
});

/** The hash of an archive by what the guide says of it. */
function foreignHash(parts: ReadonlyMap<string, Buffer>): string {
  const guide = readFileSync(new URL("../../../core/guides/archive.md", import.meta.url), "utf8");
  const code = /cat > content-hash\.mjs <<'END'\n(.*?)\nEND\n/s.exec(guide)?.[1] ?? "";
  const folder = writeParts(parts);
  const module = join(mkdtempSync(join(tmpdir(), "plinth-hash-")), "content-hash.mjs");
  writeFileSync(module, code);
  const { stdout, stderr } = spawnSync(process.execPath, [module, folder], { encoding: "utf8" });
  expect(stderr).to.equal("");
  return stdout.trim();
}
