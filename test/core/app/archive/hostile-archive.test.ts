import { existsSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { PlinthError } from "@plinth/core";
import { expect } from "chai";
import type { ReadLimits } from "#core/app/archive/read-guard.js";
import { type ArchiveEntry, archiveEntry } from "../../../tar-archive.js";
import { runPlinth } from "../../cli/plinth-command.js";
import { archiveProject, importHere, writeParts } from "./archive-project.js";

const MANIFEST: ArchiveEntry = { name: "manifest.json", bytes: Buffer.from('{"format":1}') };
const PART = "content/api::tag.tag/1.jsonl";
const SIZE_FIELD = 124;

/** A packed archive of entries whose headers may lie. */
function pack(...entries: readonly (ArchiveEntry | Buffer)[]): string {
  const place = join(mkdtempSync(join(tmpdir(), "plinth-hostile-")), "x.tar.gz");
  const blocks = entries.map((entry) => (Buffer.isBuffer(entry) ? entry : archiveEntry(entry)));
  writeFileSync(place, gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)])));
  return place;
}

/** An entry whose header claims a size: 11 octal digits, or bytes for those of base 256. */
function claiming(name: string, size: string | Buffer): Buffer {
  const entry = archiveEntry({ name });
  entry.write("\0".repeat(12), SIZE_FIELD, "latin1");
  if (Buffer.isBuffer(size)) size.copy(entry, SIZE_FIELD);
  else entry.write(size, SIZE_FIELD);
  entry.write(" ".repeat(8), 148);
  const sum = entry.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  entry.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return entry;
}

/** A record of a pax header. */
const pax = (key: string, value: string): ArchiveEntry => {
  const length = key.length + value.length + 3;
  const bytes = Buffer.from(`${length + String(length + 2).length} ${key}=${value}\n`);
  return { name: "pax", type: "x", bytes };
};

const unpackedHere = (): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => /^plinth-archive-\w{6}$/.test(name));

describe("plinth import, given an archive that somebody prepared", () => {
  const root = archiveProject();
  const { TMPDIR } = process.env;
  // Its own: tests of other processes unpack archives meanwhile.
  before(() => {
    process.env["TMPDIR"] = mkdtempSync(join(tmpdir(), "plinth-hostile-"));
  });
  after(() => {
    if (TMPDIR === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = TMPDIR;
  });

  const refusalOf = async (source: string, limits: Partial<ReadLimits> = {}): Promise<PlinthError> => {
    const before = unpackedHere();
    const error = await importHere(root, source, "skip", limits).catch((err: PlinthError) => err);
    expect(existsSync(join(root, ".plinth", "data")), "database").to.equal(false);
    expect(unpackedHere(), "what was unpacked").to.have.members(before);
    return error as PlinthError;
  };
  const refuses = async (source: string, code: string, words: string | RegExp, limits: Partial<ReadLimits> = {}) => {
    const error = await refusalOf(source, limits);
    expect(error).to.include({ code: `PLINTH_ARCHIVE_${code}` });
    if (typeof words === "string") expect(error.message).to.include(words);
    else expect(error.message).to.match(words);
  };

  it("writes nothing that a name leads elsewhere", async () => {
    const bytes = Buffer.from("mine");
    const names = [
      ...["../outside.txt", "/tmp/plinth-absolute.txt", "files/../../outside.txt", "files/a/b.png", "files/.hidden"],
      ...["content/../../x/1.jsonl", "content/api::tag.tag/../1.jsonl", "C:\\outside.txt", "files\\..\\x", "files/"],
      ...["manifest.json/x", "content/api::tag.tag/one.jsonl", "files/two words.png", "files/\u001b[2J.png", ".env"],
    ];
    for (const name of names) await refuses(pack(MANIFEST, { name, bytes }), "DAMAGED", "no part of it");
    for (const path of ["../../outside.txt", "files/../../../outside.txt"])
      await refuses(pack(MANIFEST, pax("path", path), { name: "people.jsonl", bytes }), "DAMAGED", "no part of it");
    const long = { name: "././@LongLink", type: "L", bytes: Buffer.from(`files/${"../".repeat(50)}outside.txt\0`) };
    await refuses(pack(MANIFEST, long, { name: "people.jsonl", bytes }), "DAMAGED", "no part of it");
    expect(existsSync(join(tmpdir(), "outside.txt")) || existsSync("/tmp/plinth-absolute.txt")).to.equal(false);
  });

  it("shows names without what would steer a terminal", async () => {
    const { message } = await refusalOf(pack(MANIFEST, { name: "\u001b]0;owned\u0007" }));
    expect(message)
      .to.include("u001b")
      .and.not.match(/\p{Cc}/u);
  });

  it("follows no links, and makes no devices", async () => {
    const kinds = { 1: "link", 2: "symlink", 3: "character-device", 4: "block-device", 6: "fifo" };
    for (const [type, kind] of Object.entries(kinds)) {
      const entry = { name: "files/picture.png", type, target: "../../../../etc/passwd" };
      await refuses(pack(MANIFEST, entry), "DAMAGED", `(${kind})`);
    }
    const folder = { name: "files", type: "5" };
    const through = [
      { name: "files", type: "2", target: "/tmp" },
      { name: "files/x.png", bytes: Buffer.from("x") },
    ];
    await refuses(pack(MANIFEST, folder, ...through), "DAMAGED", "(symlink)");
  });

  it("refuses sizes that are claimed and beyond all limits, before a byte is written", async () => {
    await refuses(pack(MANIFEST, claiming("files/x.png", "77777777777")), "TOO_LARGE", "bytes in files/x.png");
    const base256 = (...bytes: readonly number[]) => Buffer.from([0x80, ...Array(11 - bytes.length).fill(0), ...bytes]);
    const exbibyte = base256(0x10, 0, 0, 0, 0, 0, 0, 0);
    await refuses(pack(MANIFEST, claiming("files/x.png", exbibyte)), "DAMAGED", "no number of bytes");
    await refuses(pack(MANIFEST, claiming("files/x.png", base256(2, 0, 0, 0, 0))), "TOO_LARGE", "bytes in files/x.png");
    const negative = Buffer.alloc(12, 0xff);
    expect(await refusalOf(pack(MANIFEST, claiming("files/x.png", negative)))).to.have.property("code");
    for (const size of ["9e99", "-5", "x"])
      await refuses(pack(MANIFEST, pax("size", size), { name: "files/x.png" }), "DAMAGED", /./);
    await refuses(pack(MANIFEST, claiming("files/x.png", "00000100000")), "DAMAGED", "the archive");
  });

  it("stops at what unpacks to more than the limits", async () => {
    const zeros = Buffer.alloc(64 * 1024 * 1024);
    const limits = { bytes: 32 * 1024 * 1024 };
    const bomb = pack(MANIFEST, { name: "files/x.png", bytes: zeros });
    await refuses(bomb, "TOO_LARGE", "more than 33554432 bytes", limits);
    await refuses(pack(MANIFEST, Buffer.alloc(1024), zeros), "DAMAGED", "before a file, which no name needs");
    await refuses(pack(MANIFEST, { name: "pax", type: "x", bytes: zeros }, { name: "x" }), "DAMAGED", "no name needs");
    const many = Array.from({ length: 50 }, (_, index) => ({ name: `files/${index}.png` }));
    await refuses(pack(MANIFEST, ...many), "TOO_LARGE", "more than 20 files", { files: 20 });
    await refuses(pack(MANIFEST, { name: PART }, { name: PART }), "DAMAGED", `holds ${PART} twice`);
  });

  it("reads no line, and no manifest, that fills the memory or is nested without end", async () => {
    const long = `{"a":"${"x".repeat(5_000)}"}`;
    const deep = `${"[".repeat(300_000)}${"]".repeat(300_000)}`;
    const parts = (name: string, text: string) =>
      writeParts(
        new Map([
          ["manifest.json", '{"format":1}'],
          [name, text],
        ]),
      );
    for (const name of [PART, "people.jsonl", "checksums.jsonl", "manifest.json"]) {
      await refuses(parts(name, long), "TOO_LARGE", `bytes in a line of ${name}`, { lineBytes: 4_000 });
      if (name !== "checksums.jsonl") await refuses(parts(name, deep), "DAMAGED", "nested deeper than 250 levels");
    }
    await refuses(parts("checksums.jsonl", deep), "DAMAGED", "no checksum");
  });

  it("takes an archive of any size only with --no-limits", async () => {
    const source = pack(MANIFEST, claiming("files/x.png", "77777777777"));
    const limited = await runPlinth(["import", source], { cwd: root });
    expect([limited.code, limited.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && /PLINTH_ARCHIVE_TOO_LARGE[\s\S]*--no-limits/.test(text),
    );
    const unlimited = await runPlinth(["import", source, "--no-limits"], { cwd: root });
    expect(unlimited.stderr).to.include("PLINTH_ARCHIVE_DAMAGED").and.include("the archive");
  });
});
