import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { isFileKey } from "#plugins/import-strapi/src/source/stored-files.js";
import { type ExportLimits, LIMITS } from "#plugins/import-strapi/src/source/export-limits.js";
import { isKey } from "@plinth/plugin-upload";
import { entities, PIXEL, schemas, typeLine } from "./export-content.js";
import { emptyProject, importInto, readRows, uploadsOf } from "./import-project.js";
import { archiveEntry, writeArchive } from "../../tar-archive.js";
import { writeExportFolder } from "./write-export.js";

const TIMES = { createdAt: "2025-03-04T05:06:07.089Z", updatedAt: "2025-03-04T05:06:07.089Z", locale: null };
const fileRow = (id: number, hash: string, more: object = {}) => ({
  type: "plugin::upload.file",
  id,
  data: {
    documentId: `evil${id}`,
    name: "x",
    hash,
    ext: "",
    mime: "text/plain",
    size: 1,
    url: "/x",
    ...TIMES,
    ...more,
  },
});

/** Keys that lead out of a storage, or that none serves. */
const BAD_KEYS = [
  ...["../../.env", "../../../above.txt", "/tmp/absolute.txt", "a/b.png", "..\\..\\win.txt", "C:\\win.txt"],
  ...[".hidden", "nul\u0000.png", "line\nbreak.png", "two words.png", "", "é.png", "x".repeat(300)],
];

interface Refusal {
  readonly code: string;
  readonly message: string;
}

async function refusalOf(source: string, limits: Partial<ExportLimits> = {}): Promise<Refusal> {
  const root = emptyProject();
  try {
    await importInto(root, source, false, { ...LIMITS, ...limits });
  } catch (error) {
    expect(existsSync(join(root, "src", "api")), "schema files").to.equal(false);
    expect(existsSync(join(root, ".plinth")), "database").to.equal(false);
    return error as Refusal;
  }
  return { code: "none", message: "" };
}

describe("plinth import strapi, given an export that somebody prepared", () => {
  it("takes the names of files that the upload plugin's storage takes, and no others", () => {
    const good = ["picture_1a2b3c4d5e.png", "a", "_x", "-x.tar.gz"];
    for (const key of [...good, ...BAD_KEYS].filter(({ length }) => length < 256))
      expect([key, isFileKey(key)]).to.deep.equal([key, isKey(key)]);
    expect(good.every(isFileKey)).to.equal(true);
  });

  it("writes nothing outside of uploads, and reports each file whose name leads elsewhere", async () => {
    const root = emptyProject();
    writeFileSync(join(root, ".env"), "SECRET=mine\n");
    const rows = BAD_KEYS.map((key, index) => fileRow(100 + index, key));
    const withFormat = fileRow(99, "ok_1", {
      formats: { thumbnail: { hash: "../../format", ext: ".txt", mime: "x" } },
    });
    const folder = writeExportFolder({ entities: [...entities, ...rows, withFormat] });
    const paths = [
      ...BAD_KEYS.map((key) => `assets/uploads/${key}`),
      "assets/uploads/../../format.txt",
      "../outside.txt",
    ];
    const source = writeArchive(folder, [
      ...paths.map((name) => ({ name: name.slice(0, 99), bytes: Buffer.from("SECRET=theirs\n") })),
      { name: "assets/uploads/link.png", type: "2", target: "/etc/passwd" },
      { name: "assets/uploads/hard.png", type: "1", target: "../../.env" },
    ]);
    const report = await importInto(root, source);
    expect(readFileSync(join(root, ".env"), "utf8")).to.equal("SECRET=mine\n");
    const outside = [join(root, "../above.txt"), join(root, "../outside.txt"), "/tmp/absolute.txt"];
    for (const path of [...outside, join(root, "format.txt"), join(root, ".plinth", "outside.txt")])
      expect(existsSync(path), path).to.equal(false);
    expect(readdirSync(uploadsOf(root))).to.have.members([
      "picture_1a2b3c4d5e.png",
      "thumbnail_picture_1a2b3c4d5e.png",
    ]);
    const files = report.issues.filter(({ where }) => where === "plugin::upload.file");
    const left = files.find(({ what }) => what.startsWith("entries are left out: their hash"));
    expect(left?.count).to.be.at.least(BAD_KEYS.length - 2);
    expect(files.map(({ what }) => what.split(":")[0])).to.include("the format thumbnail is left out");
    const entries = report.issues.filter(({ where }) => where === "the archive");
    expect(entries.map(({ what }) => what)).to.have.members([
      "an entry is left out: no file is stored under such a name",
      "an entry is left out: its name leads out of the export",
      "an entry is left out: it is a symlink, and an export has files only",
      "an entry is left out: it is a link, and an export has files only",
    ]);
    expect(await readRows(root)).to.not.match(/\.\.\/|\.\.\\/);
  });

  it("follows no link of a folder that was unpacked", async () => {
    const folder = writeExportFolder();
    const secret = join(emptyProject(), "secret");
    mkdirSync(secret);
    writeFileSync(join(secret, "picture.png"), PIXEL);
    symlinkSync(join(secret, "picture.png"), join(folder, "assets", "uploads", "lost_0000000000.png"));
    symlinkSync(secret, join(folder, "schemas", "more"));
    const root = emptyProject();
    const report = await importInto(root, folder);
    expect(readdirSync(uploadsOf(root))).to.not.include("lost_0000000000.png");
    const linked = report.issues.find(({ what }) => what.includes("it is a symlink"));
    expect(linked).to.include({ where: "the archive", count: 2 });
  });

  it("refuses types and components whose names are paths", async () => {
    for (const uid of [
      "api::../../x.x",
      "api::x./etc/x",
      "..\\x.x",
      "../../x.y",
      "api::x\u0000.x",
      "plugin::../a.b",
      "api::x",
    ]) {
      const line = { ...typeLine("api::x.x", { a: { type: "string" } }), uid };
      const { code, message } = await refusalOf(writeExportFolder({ schemas: [...schemas, line] }));
      expect(code, uid).to.equal("PLINTH_IMPORT_SOURCE_BROKEN");
      expect(message).to.match(/schemas_00001\.jsonl, line 7, has an invalid uid/);
    }
  });

  it("refuses an export that is larger than the limits, and says which", async () => {
    const folder = writeExportFolder();
    const source = writeArchive(folder);
    const limits: readonly (readonly [keyof ExportLimits, number, RegExp])[] = [
      ["files", 5, /more than 5 files/],
      ["bytes", 9_000, /more than 9000 bytes\./],
      ["fileBytes", 500, /more than 500 bytes in /],
      ["lines", 3, /more than 3 lines in schemas/],
      ["lineBytes", 100, /more than 100 bytes in a line of /],
    ];
    for (const [name, limit, message] of limits)
      for (const each of [source, folder]) {
        const refusal = await refusalOf(each, { [name]: limit });
        expect(refusal.code, name).to.equal("PLINTH_IMPORT_SOURCE_TOO_LARGE");
        expect(refusal.message).to.match(message).and.contain("--no-limits");
      }
  });

  it("refuses lines that are nested without end, and names of archives that fill the memory", async () => {
    const folder = writeExportFolder();
    const deep = `${"[".repeat(300_000)}${"]".repeat(300_000)}`;
    writeFileSync(join(folder, "entities", "entities_00002.jsonl"), `{"type":"api::tag.tag","id":1,"data":${deep}}`);
    const nested = await refusalOf(folder);
    expect(nested.code).to.equal("PLINTH_IMPORT_SOURCE_BROKEN");
    expect(nested.message).to.contain("entities_00002.jsonl, line 1, is nested deeper than 250 levels");
    const pax = { name: "pax", type: "x", bytes: Buffer.alloc(3 * 1024 * 1024, "1") };
    expect(archiveEntry(pax).length).to.be.greaterThan(pax.bytes.length);
    const named = await refusalOf(writeArchive(writeExportFolder(), [pax, { name: "x" }]));
    expect(named.code).to.equal("PLINTH_IMPORT_SOURCE_BROKEN");
    expect(named.message).to.contain("which no name needs");
  });
});
