import { readFileSync, truncateSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { writeProject } from "../../projects.js";
import { runPlinth } from "../../core/cli/plinth-command.js";
import { schemas } from "./export-content.js";
import { emptyProject, importInto } from "./import-project.js";
import { writeExport, writeExportFolder } from "./write-export.js";

async function codeOf(source: string): Promise<string> {
  try {
    await importInto(emptyProject(), source, true);
    return "none";
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
}

describe("what plinth import strapi is given", () => {
  it("may be an archive that was unpacked", async () => {
    const { types } = await importInto(emptyProject(), writeExportFolder(), true);
    expect(types.find(({ uid }) => uid === "api::tag.tag")).to.include({ entries: 3, written: 3 });
  });

  it("may be the folder of an app, whose schemas are taken", async () => {
    const [post] = schemas;
    const folder = writeProject({
      "src/api/post/content-types/post/schema.json": JSON.stringify({
        ...post,
        attributes: { title: { type: "string" }, seo: { type: "component", component: "shared.seo" } },
      }),
      "src/api/post/content-types/post/lifecycles.js": "module.exports = {};",
      "src/components/shared/seo.json": JSON.stringify({ attributes: { title: { type: "string" } } }),
    });
    const root = emptyProject();
    const report = await importInto(root, folder);
    expect(report.schemas).to.deep.equal([
      "src/api/post/content-types/post/schema.json",
      "src/components/shared/seo.json",
    ]);
    expect(report.issues.map(({ where }) => where)).to.include("content");
    const written = readFileSync(join(root, "src/components/shared/seo.json"), "utf8");
    expect(JSON.parse(written)).to.deep.equal({ info: {}, attributes: { title: { type: "string" } } });
  });

  it("is refused when it is neither an export nor an app", async () => {
    expect(await codeOf("/nowhere/export.tar.gz")).to.equal("PLINTH_IMPORT_SOURCE_UNKNOWN");
    expect(await codeOf(writeProject({ "readme.txt": "Hello" }))).to.equal("PLINTH_IMPORT_SOURCE_UNKNOWN");
    expect(await codeOf(writeProject({ "src/api/index.js": "" }))).to.equal("PLINTH_IMPORT_SOURCE_UNKNOWN");
  });

  it("is refused when it is encrypted, or of another version", async () => {
    expect(await codeOf("export.tar.gz.enc")).to.equal("PLINTH_IMPORT_SOURCE_ENCRYPTED");
    expect(await codeOf(writeExport({ version: "4.25.1" }))).to.equal("PLINTH_IMPORT_SOURCE_VERSION");
  });

  it("is refused when it is damaged", async () => {
    const cut = writeExport();
    truncateSync(cut, Math.floor(statSync(cut).size / 2));
    expect(await codeOf(cut)).to.equal("PLINTH_IMPORT_SOURCE_BROKEN");
    const garbled = writeExportFolder();
    writeFileSync(join(garbled, "entities", "entities_00001.jsonl"), "{ not JSON\n");
    expect(await codeOf(garbled)).to.equal("PLINTH_IMPORT_SOURCE_BROKEN");
  });

  it("is shown as tables by the command, and as JSON with --json", async () => {
    const cwd = emptyProject();
    const source = writeExport();
    const shown = await runPlinth(["import", "strapi", source, "--dry-run"], { cwd });
    expect(shown.code, shown.stderr).to.equal(0);
    expect(shown.stdout).to.match(/^would write src\/api\/post\/content-types\/post\/schema\.json$/m);
    expect(shown.stdout).to.match(/^api::tag\.tag +3 +3 +0 +0$/m);
    expect(shown.stdout).to.match(/^webhook +1 +webhooks are left out/m);
    const json = await runPlinth(["import", "strapi", source, "--dry-run", "--json"], { cwd });
    expect(JSON.parse(json.stdout)).to.have.keys("schemas", "types", "issues", "config");
  });
});
