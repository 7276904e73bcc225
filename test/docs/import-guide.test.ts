import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { schemas } from "../plugins/import-strapi/export-content.js";
import { emptyProject } from "../plugins/import-strapi/import-project.js";
import { writeExport } from "../plugins/import-strapi/write-export.js";
import { runPlinth } from "../core/cli/plinth-command.js";
import { writeProject } from "../projects.js";
import { readBlocks, readSteps } from "./read-blocks.js";

const GUIDE = join(import.meta.dirname, "../../plugins/import-strapi/README.md");

describe("the guide for who comes from Strapi", () => {
  const root = emptyProject();
  const oldApp = writeProject({ "src/api/post/content-types/post/schema.json": JSON.stringify(schemas[0]) });
  const steps = readSteps(readBlocks(readFileSync(GUIDE, "utf8")));

  before("an export", () => cpSync(writeExport(), join(root, "export.tar.gz")));

  for (const { block } of steps)
    it(`shows a command that works, at line ${block.line}`, async () => {
      const [, ...args] = block.text.trim().replace("../old-app", oldApp).split(" ");
      const { code, stderr } = await runPlinth(args.slice(1), { cwd: root });
      expect(code, stderr).to.equal(0);
    });

  it("shows at least a dry run, an import, and schemas alone", () => expect(steps).to.have.lengthOf(3));
});
