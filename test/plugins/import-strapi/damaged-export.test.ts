import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { runPlinth } from "../../core/cli/plinth-command.js";
import { entities, type Line, links, schemas } from "./export-content.js";
import { emptyProject, importInto } from "./import-project.js";
import { writeArchive } from "../../tar-archive.js";
import { writeExportFolder } from "./write-export.js";

/** Numbers from 0 to 1 that are the same in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The code that an import ends with, `none` when it does not fail; a failed one has written nothing. */
async function outcomeOf(
  source: string,
  isDryRun: boolean,
): Promise<{ readonly code: string; readonly message: string }> {
  const root = emptyProject();
  try {
    await importInto(root, source, isDryRun);
    return { code: "none", message: "" };
  } catch (error) {
    expect(existsSync(join(root, "src", "api")), "schema files").to.equal(false);
    expect(existsSync(join(root, ".plinth")), "database").to.equal(false);
    const { code, message } = error as { readonly code?: string; readonly message: string };
    return { code: code ?? "no code", message };
  }
}

const CODES = /^(none|PLINTH_(IMPORT|SCHEMA)_[A-Z_]+)$/;

describe("plinth import strapi, given a damaged export", () => {
  it("ends with a code, and has written nothing, whichever bits of the archive are flipped", async () => {
    const archive = writeArchive(writeExportFolder());
    const whole = readFileSync(archive);
    const next = random(14);
    const codes = new Set<string>();
    for (let round = 0; round < 60; round += 1) {
      const bytes = Buffer.from(whole);
      for (let flips = 1 + Math.floor(next() * 4); flips > 0; flips -= 1) {
        const at = Math.floor(next() * bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(next() * 8));
      }
      writeFileSync(archive, bytes);
      const { code, message } = await outcomeOf(archive, true);
      expect(code, `round ${round}: ${message}`).to.match(CODES);
      codes.add(code);
    }
    expect([...codes]).to.include("PLINTH_IMPORT_SOURCE_BROKEN");
  });

  it("ends with a code wherever the archive is cut", async () => {
    const archive = writeArchive(writeExportFolder());
    const whole = readFileSync(archive);
    const next = random(7);
    for (let round = 0; round < 30; round += 1) {
      writeFileSync(archive, whole.subarray(0, 1 + Math.floor(next() * (whole.length - 1_600))));
      const { code, message } = await outcomeOf(archive, true);
      expect(code, `round ${round}: ${message}`).to.match(/^PLINTH_IMPORT_SOURCE_(BROKEN|UNKNOWN)$/);
    }
  });

  it("names file and line of a line that was cut, and of a value that was changed", async () => {
    const changed = (list: readonly Line[], at: number, change: object) =>
      list.map((line, index) => (index === at ? { ...line, ...change } : line));
    const data = (entities[10] as { data: object }).data;
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ entities: changed(entities, 10, { id: "x" }) }, /entities_00001\.jsonl, line 11, has an invalid id: "x"/],
      [{ entities: changed(entities, 10, { id: 1.5 }) }, /line 11, has an invalid id/],
      [{ entities: changed(entities, 10, { data: { ...data, documentId: 7 } }) }, /line 11, has an invalid documentId/],
      [
        { entities: changed(entities, 10, { data: { ...data, documentId: "a\u0000" } }) },
        /line 11, has an invalid documentId/,
      ],
      [
        { entities: changed(entities, 10, { data: { ...data, createdAt: "2025-99-99T00:00:00Z" } }) },
        /has an invalid createdAt/,
      ],
      [{ entities: changed(entities, 10, { data: [] }) }, /line 11, has no data/],
      [{ entities: changed(entities, 10, { type: 5 }) }, /line 11, has an invalid type/],
      [
        { links: changed(links, 2, { left: { type: "api::post.post", ref: null } }) },
        /links_00001.*line 3, has an invalid ref/,
      ],
      [{ links: changed(links, 2, { right: undefined }) }, /line 3, has no right side/],
      [{ schemas: changed(schemas, 1, { attributes: { a: "string" } }) }, /schemas_00001.*line 2, has an attribute/],
      [{ schemas: changed(schemas, 1, { modelType: "nothing" }) }, /line 2, has an invalid modelType/],
    ];
    for (const [content, expected] of cases) {
      const { code, message } = await outcomeOf(writeExportFolder(content), false);
      expect(code, message).to.equal("PLINTH_IMPORT_SOURCE_BROKEN");
      expect(message).to.match(expected);
    }
  });

  it("leaves out components without an id, and says where", async () => {
    const [zone] = entities.filter(({ id, type }) => id === 40 && type === "api::post.post");
    const data = {
      ...(zone?.["data"] as object),
      links: [{ id: "x", label: "Here" }, null, 7, { id: 70, label: "There" }],
    };
    const source = writeExportFolder({ entities: entities.map((line) => (line === zone ? { ...line, data } : line)) });
    const { issues } = await importInto(emptyProject(), source);
    expect(issues.find(({ what }) => what === "components are left out: they have no id")).to.deep.include({
      where: "api::post.post#links",
      count: 3,
    });
  });

  it("is told by the command as any other error, with lines that were cut inside of the archive", async () => {
    const folder = writeExportFolder();
    const file = join(folder, "entities", "entities_00001.jsonl");
    writeFileSync(file, readFileSync(file).subarray(0, 2_000));
    const archive = `${folder}.tar.gz`;
    execFileSync("tar", ["-czf", archive, "-C", folder, "."]);
    const { code, stderr } = await runPlinth(["import", "strapi", archive], { cwd: emptyProject() });
    expect(code).to.equal(1);
    expect(stderr)
      .to.match(/PLINTH_IMPORT_SOURCE_BROKEN/)
      .and.match(/entities_00001\.jsonl, line \d+, is not JSON/);
    expect(stderr).to.not.contain("STREAM_DESTROYED");
  });
});
