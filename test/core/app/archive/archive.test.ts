import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { PlinthApp, PlinthError } from "@plinth/core";
import { expect } from "chai";
import { type ExportReport, exportArchive } from "#core/app/archive/export-archive.js";
import { serverDatabase, type TestDatabase } from "../../../databases.js";
import { eventually } from "../../database/driver/note-app.js";
import { RunningCommand, runPlinth, runProcess } from "../../cli/plinth-command.js";
import {
  archiveProject,
  contentHash,
  fill,
  importHere,
  partsOf,
  storedVersions,
  whileServed,
  writeParts,
} from "./archive-project.js";

const COUNT = 8_000;

/** A million by hand: `ARCHIVE_VERSIONS=1000000`. */
const MANY = Number(process.env["ARCHIVE_VERSIONS"] ?? 10_000);
/** Milliseconds that export, import and another import may take: 200 versions a second. */
const PATIENCE = MANY * 15;

/** A module that prints the most memory that its process had, in kB; what `maxRSS` says may be its parent's. */
const TELLS_MEMORY = `data:text/javascript,${encodeURIComponent(
  `import{existsSync,readFileSync}from"node:fs";process.on("exit",()=>{const f="/proc/self/status";
  const kb=existsSync(f)?/VmHWM:\\s*(\\d+)/.exec(readFileSync(f,"utf8"))[1]:process.resourceUsage().maxRSS;
  process.stderr.write("\\nRSS "+kb+"\\n")});`,
)}`;

/** A module with which a file that is whole never gets its name, so that an export waits in the end. */
const NEVER_RENAMES = `data:text/javascript,${encodeURIComponent(
  `import fs from "node:fs/promises";import{syncBuiltinESMExports}from"node:module";
  fs.rename=()=>new Promise(()=>setInterval(()=>{},1000));syncBuiltinESMExports()`,
)}`;

interface Result {
  readonly uid: string;
  readonly versions: number;
  readonly written: number;
  readonly present: number;
  readonly refused: readonly string[];
}

const sum = (types: readonly Result[], what: "versions" | "written" | "present"): number =>
  types.reduce((total, each) => total + each[what], 0);

/** Runs a statement that may take as long as it wants. */
const unhurried = ({ app: { db } }: PlinthApp, text: string): Promise<unknown> =>
  db.transaction(async () => {
    await db.liftTimeLimits();
    await db.query({ text, values: [] });
  });

/** Runs an import that succeeds. */
async function importInto(root: string, source: string, ...options: readonly string[]): Promise<readonly Result[]> {
  const { code, stdout, stderr } = await runPlinth(["import", source, "--json", ...options], { cwd: root });
  expect(code, stderr).to.equal(0);
  return (JSON.parse(stdout) as { types: readonly Result[] }).types;
}

/** Exports content-types of a project, and keeps nothing of it. */
function exportTypes(root: string, types: readonly string[]): Promise<ExportReport> {
  const output = new PassThrough().resume();
  const say = (line: string) => void line;
  const options = { since: undefined, withFiles: false, withSecrets: false, fromPrimary: true, say };
  return whileServed(root, ({ app }) => exportArchive(app, { output, version: "1.0.0", types, ...options }));
}

describe("plinth export and import", function () {
  this.timeout(600_000);
  const database = serverDatabase();
  let schemas = 0;
  const source = projectOnServer();
  const place = mkdtempSync(join(tmpdir(), "plinth-archive-test-"));
  const file = join(place, "site.tar.gz");
  let wanted = "";

  before("export", async () => {
    wanted = await whileServed(source, async (plinth, url) => {
      await fill(plinth);
      return contentHash(plinth, url);
    });
    const { code, stderr } = await runPlinth(["export", file, "--with-secrets"], { cwd: source });
    expect(code, stderr).to.equal(0);
  });

  /** A project in a schema of its own; on the embedded database where there is no server. Each start takes half as long. */
  function projectOnServer(): string {
    schemas += 1;
    const config = () => ({ ...(database as TestDatabase).config(), schema: `archive_${schemas}` });
    return archiveProject([], database && { ...database, config });
  }

  it("brings all of it to an empty app with the same model, and writes nothing the second time", async () => {
    const root = projectOnServer();
    const planned = await importInto(root, file, "--dry-run");
    expect(sum(planned, "written")).to.be.greaterThan(8);
    const first = await importInto(root, file);
    expect(first.flatMap(({ refused }) => refused)).to.deep.equal([]);
    const [here, there] = [await whileServed(source, storedVersions), await whileServed(root, storedVersions)];
    expect(there).to.deep.equal(here);
    expect(await whileServed(root, contentHash)).to.equal(wanted);
    const bytes = (project: string) => {
      const folder = join(project, ".plinth", "uploads");
      return readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString("base64")]);
    };
    expect(bytes(root)).to.deep.equal(bytes(source));
    expect(bytes(root)).to.have.length.greaterThan(0);
    expect(sum(await importInto(root, file), "written")).to.equal(0);
    for (const conflict of ["newer", "overwrite"] as const)
      expect(sum(await importHere(root, file, conflict), "written"), conflict).to.equal(0);
  });

  it("is read by twenty lines that know only tar, gzip, JSON and sha256", () => {
    const parts = partsOf(readFileSync(file));
    const linesOf = (name: string) => String(parts.get(name)).trim().split("\n");
    const checksums = linesOf("checksums.jsonl").map((line) => JSON.parse(line));
    expect(checksums.map(({ path }) => path)).to.deep.equal([...parts.keys()].slice(0, -1));
    for (const { path, sha256, bytes, lines } of checksums) {
      const part = parts.get(path) ?? Buffer.alloc(0);
      expect(createHash("sha256").update(part).digest("hex"), path).to.equal(sha256);
      expect(part.length).to.equal(bytes);
      if (lines !== null) expect(part.filter((byte) => byte === 0x0a).length, path).to.equal(lines);
    }
    const titles = linesOf("content/api::article.article/1.jsonl").map((line) => JSON.parse(line).values.title);
    expect(titles).to.have.members(["First, changed", "First\u2028line", "Première", "Only a draft"]);
    const manifest = JSON.parse(String(parts.get("manifest.json")));
    expect(manifest).to.include({ format: 1, secrets: true });
    expect([...parts.keys()].filter((name) => name.startsWith("files/"))).to.have.length.greaterThan(0);
  });

  it("leaves passwords, tokens and bytes out where nobody asks for them, and takes types and a time", async () => {
    const plain = join(place, "plain.tar.gz");
    const { code, stderr } = await runPlinth(["export", plain, "--no-files"], { cwd: source });
    expect(code, stderr).to.equal(0);
    const text = [...partsOf(readFileSync(plain)).entries()];
    expect(text.some(([name]) => name.startsWith("files/"))).to.equal(false);
    expect(text.map(([, part]) => String(part)).join("")).to.not.match(/\$2[aby]\$/);
    const some = ["export", "-", "--types", "api::tag.tag", "--since", "2126-01-01T00:00:00Z"];
    const filtered = await runPlinth(some, { cwd: source });
    expect(filtered.code, filtered.stderr).to.equal(0);
    expect(filtered.stderr).to.include("exported 0 versions");
  });

  it("replaces what is there as --on-conflict says", async () => {
    const root = projectOnServer();
    await importHere(root, file);
    const parts = partsOf(readFileSync(file));
    const tags = String(parts.get("content/api::tag.tag/1.jsonl")).replaceAll('"one"', '"uno"');
    const older = writeParts(
      new Map([
        ["manifest.json", '{"format":1}'],
        ["content/api::tag.tag/1.jsonl", tags],
      ]),
    );
    const named = () =>
      whileServed(root, async ({ app }) =>
        (await app.documents("api::tag.tag").findMany({ sort: "name" })).map((tag) => tag["name"]),
      );
    expect(sum(await importHere(root, older), "written")).to.equal(0);
    expect(sum(await importHere(root, older, "newer"), "written")).to.equal(0);
    expect(sum(await importHere(root, older, "overwrite"), "written")).to.equal(1);
    expect(await named()).to.deep.equal(["two", "uno"]);
    const newer = tags
      .replaceAll("uno", "eins")
      .replaceAll(/"updatedAt": ?"[^"]+"/g, '"updatedAt":"2126-01-01T00:00:00.000Z"');
    writeFileSync(join(older, "content/api::tag.tag/1.jsonl"), newer);
    expect(sum(await importHere(root, older, "newer"), "written")).to.equal(2);
    expect(await named()).to.deep.equal(["eins", "two"]);
  });

  it("goes from one app to another by a pipe", async () => {
    const root = projectOnServer();
    const { code, stdout, stderr } = await runProcess(["import", "-", "--json"], {
      cwd: root,
      input: readFileSync(file),
    });
    expect(code, stderr).to.equal(0);
    expect(sum((JSON.parse(stdout) as { types: Result[] }).types, "written")).to.be.greaterThan(8);
  });

  it("refuses what is damaged or does not fit by a code, and changes nothing", async () => {
    const root = archiveProject(["price"]);
    const whole = archiveProject();
    const parts = partsOf(readFileSync(file));
    const changed = (name: string, from: string, to: string) =>
      writeParts(new Map<string, Buffer | string>([...parts, [name, String(parts.get(name)).replace(from, to)]]));
    const cut = join(place, "cut.tar.gz");
    writeFileSync(cut, readFileSync(file).subarray(0, 2000));
    const byHand = (more: readonly (readonly [string, string])[]) =>
      writeParts(new Map([["manifest.json", '{"format":1}'] as const, ...more]));
    const refusals: readonly (readonly [string, string, string, string])[] = [
      [root, file, "PLINTH_ARCHIVE_MODEL_DIFFERS", 'api::article.article.price is "decimal" there and missing here'],
      [whole, cut, "PLINTH_ARCHIVE_DAMAGED", "the archive"],
      [whole, changed("content/api::tag.tag/1.jsonl", "one", "uno"), "PLINTH_ARCHIVE_DAMAGED", "sha256 differs"],
      [whole, changed("checksums.jsonl", "people.jsonl", "people2.jsonl"), "PLINTH_ARCHIVE_DAMAGED", "is missing"],
      [whole, byHand([["content/api::tag.tag/1.jsonl", "{"]]), "PLINTH_ARCHIVE_DAMAGED", "line 1, is not JSON"],
      [whole, byHand([["content/api::tag.tag/1.jsonl", "{}"]]), "PLINTH_ARCHIVE_DAMAGED", "line 1, is no version"],
      [whole, byHand([["other.txt", ""]]), "PLINTH_ARCHIVE_DAMAGED", "is no part of an archive"],
      [whole, writeParts(new Map([["manifest.json", '{"format":2}']])), "PLINTH_ARCHIVE_UNKNOWN", "format 2"],
    ];
    for (const [app, archive, code, words] of refusals) {
      const error = await importHere(app, archive).catch((err: PlinthError) => err);
      expect(error).to.include({ code });
      expect((error as PlinthError).message).to.include(words);
      expect(existsSync(join(app, ".plinth", "data")), words).to.equal(false);
    }
    const told = await runPlinth(["import", cut], { cwd: whole });
    expect([told.code, told.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && text.includes("Error PLINTH_ARCHIVE_DAMAGED"),
      told.stderr,
    );
    const wrong = await runPlinth(["import", file, "--on-conflict", "merge"], { cwd: whole });
    expect(wrong.stderr).to.include("PLINTH_ARCHIVE_OPTION_INVALID");
  });

  it("exports no content-type that is not there", async () => {
    const error = await exportTypes(source, ["api::nothing.nothing"]).catch((err: PlinthError) => err);
    expect(error).to.include({ code: "PLINTH_ARCHIVE_OPTION_INVALID" });
    expect((error as PlinthError).message)
      .to.include("--types")
      .and.include("api::nothing.nothing");
  });

  it("goes on where it was after a kill, from a folder that nobody packed", async () => {
    const root = archiveProject();
    const at = "2026-01-01T00:00:00.000Z";
    const times = { locale: "", publishedAt: at, createdAt: at, updatedAt: at };
    const lines = Array.from({ length: COUNT }, (_, index) => {
      const version = {
        id: index + 1,
        documentId: `tag${index}`,
        ...times,
        values: { name: `Tag ${index}` },
        links: {},
      };
      return `${JSON.stringify(version)}\n`;
    });
    const seed = writeParts(
      new Map([
        ["manifest.json", '{"format":1}'],
        ["content/api::tag.tag/1.jsonl", lines.join("")],
      ]),
    );
    const ended = new RunningCommand(["import", seed], { cwd: root });
    await ended.waitFor(/versions: [1-9]\d* of/);
    await ended.stop("SIGKILL");
    const [resumed] = await importInto(root, seed);
    expect((resumed?.written ?? 0) + (resumed?.present ?? 0)).to.equal(COUNT);
    expect(resumed?.present).to.be.greaterThan(0);
    expect(resumed?.written).to.be.greaterThan(0);
    const count = ({ app }: PlinthApp) => app.documents("api::tag.tag").count({});
    expect(await whileServed(root, count)).to.equal(COUNT);
  });

  it("leaves nothing of a killed export or import in the folder of temporary files, nor beside the archive", async () => {
    const temporary = mkdtempSync(join(tmpdir(), "plinth-archive-temporary-"));
    const backups = mkdtempSync(join(tmpdir(), "plinth-archive-backups-"));
    const env = { TMPDIR: temporary };
    const held = { ...env, NODE_OPTIONS: `--import=${NEVER_RENAMES}` };
    const left = (folder: string) => readdirSync(folder).filter((name) => name.startsWith("plinth-temporary-"));
    /** Kills a command that waits with a file in its folder. */
    const killed = async (command: RunningCommand, folder: string) => {
      await eventually(async () => expect(readdirSync(folder, { recursive: true })).to.have.length.greaterThan(3));
      await command.stop("SIGKILL");
      expect(left(folder)).to.have.length(1);
    };
    const done = async (args: readonly string[], cwd: string) => {
      const { code, stderr } = await runProcess(args, { cwd, env });
      expect(code, stderr).to.equal(0);
    };
    await killed(new RunningCommand(["export", join(backups, "monday.tar.gz")], { cwd: source, env: held }), backups);
    await done(["export", join(backups, "tuesday.tar.gz")], source);
    expect(readdirSync(backups)).to.deep.equal(["tuesday.tar.gz"]);
    const root = projectOnServer();
    const half = new RunningCommand(["import", "-"], { cwd: root, env });
    half.sendPart(readFileSync(file).subarray(0, 2000));
    await killed(half, temporary);
    await done(["import", file], root);
    expect(left(temporary)).to.deep.equal([]);
  });

  it("says where the folder of an export is missing", async () => {
    const { code, stderr } = await runPlinth(["export", join(place, "nowhere", "site.tar.gz")], { cwd: source });
    expect(code).to.equal(1);
    expect(stderr).to.include("PLINTH_ARCHIVE_OPTION_INVALID").and.include("in a folder that exists");
  });

  it("needs less than 250 MB of memory, and an import that is run again writes nothing", async function () {
    this.timeout(600_000 + PATIENCE);
    const root = archiveProject([], database);
    await whileServed(root, (plinth) =>
      unhurried(
        plinth,
        `insert into tags (document_id, locale, published_at, created_at, updated_at, name)
          select 'tag' || g, '', now(), now(), now(), g || repeat(md5(g::text), 64) from generate_series(1, ${MANY}) g`,
      ),
    );
    const archive = join(place, "large.tar.gz");
    const measured = async (...args: readonly string[]) => {
      const began = performance.now();
      const env = { NODE_OPTIONS: `--import=${TELLS_MEMORY}` };
      const { code, stdout, stderr } = await runProcess(args, { cwd: root, env });
      expect(code, stderr).to.equal(0);
      const seconds = (performance.now() - began) / 1000;
      return { stdout, seconds, megabytes: Number(/^RSS (\d+)$/m.exec(stderr)?.[1]) / 1024 };
    };
    const out = await measured("export", archive, "--types", "api::tag.tag");
    await whileServed(root, (plinth) => unhurried(plinth, "delete from tags"));
    const back = await measured("import", archive);
    const again = await measured("import", archive, "--json");
    expect(await whileServed(root, ({ app }) => app.documents("api::tag.tag").count({}))).to.equal(MANY);
    const { types } = JSON.parse(again.stdout) as { types: readonly Result[] };
    const figures = [out, back, again].map(
      ({ megabytes, seconds }) => `${megabytes.toFixed()} MB ${seconds.toFixed()} s`,
    );
    console.log(
      `[fleet] archive: ${MANY} versions of 2 kB, export ${figures[0]}, import ${figures[1]}, ` +
        `run again ${figures[2]} and writes ${sum(types, "written")}`,
    );
    expect(sum(types, "written")).to.equal(0);
    // The embedded database is in the process itself.
    if (database) expect(Math.max(...[out, back, again].map(({ megabytes }) => megabytes))).to.be.lessThan(250);
  });
});
