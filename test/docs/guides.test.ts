import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { serverDatabase } from "../databases.js";
import { assertShown } from "./assert-shown.js";
import { GuideApp, isRequest } from "./guide-app.js";
import { fileOf, readBlocks, readSteps, type Step } from "./read-blocks.js";
import { type Checked, typeCheckAll } from "./type-check.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const packages = ["core", ...readdirSync(join(ROOT, "plugins")).map((name) => `plugins/${name}`)];
const guides = packages.flatMap((folder) => {
  const place = join(ROOT, folder, "guides");
  const names = existsSync(place) ? readdirSync(place).filter((name) => name.endsWith(".md")) : [];
  return names.map((name) => `${folder}/guides/${name}`);
});

const apps: GuideApp[] = [];
process.once("exit", () => {
  for (const app of apps) app.delete();
});

const openApp = (): GuideApp => {
  const app = new GuideApp(serverDatabase());
  apps.push(app);
  return app;
};

/** The TypeScript that each guide has made its reader write. */
const written = new Map<string, readonly Checked[]>();

for (const guide of guides) {
  const markdown = readFileSync(join(ROOT, guide), "utf8");

  describe(guide, () => {
    // Before the database is dropped.
    after("stop the app", async () => void written.set(guide, await app.close()));
    const app = openApp();

    for (const step of readSteps(readBlocks(markdown)))
      it(`is right at line ${step.block.line}: ${titleOf(step)}`, () => follow(app, step));
  });
}

describe("the TypeScript of guides", () => {
  // Readers of a guide without steps have this one.
  const sample = openApp();
  const problems = new Map<Checked, string>();
  before("compile it", async () => {
    const ofSample = await sample.close();
    for (const guide of guides) if (!written.has(guide)) written.set(guide, ofSample);
    const all = [...new Set([...written.values()].flat())];
    const said = await typeCheckAll(all);
    for (const [index, checked] of all.entries()) problems.set(checked, said[index] ?? "");
  });

  for (const guide of guides)
    it(`compiles in ${guide}`, () => {
      const said = (written.get(guide) ?? []).map((checked) => problems.get(checked) ?? "it was not compiled");
      expect(said).to.not.deep.equal([]);
      if (said.join("")) expect.fail(said.join("\n"));
    });
});

/** Does what the block says, and compares what comes of it with what the guide shows. */
async function follow(app: GuideApp, { kind, block, answer }: Step): Promise<void> {
  if (kind === "save") return app.save(fileOf(block) ?? "", block.text);
  const output = await outputOf(app, { kind, block, answer });
  if (answer) assertShown(output, answer);
  if (kind === "query" || (kind === "paste" && isRequest(block.text)))
    expect(app.lastRequest?.status, output).to.equal(Number(answer?.info || 200));
}

function outputOf(app: GuideApp, { kind, block }: Step): Promise<string> {
  if (kind === "run") return app.run(block.text, `line-${block.line}`);
  if (kind === "query") return app.query(block.text, { isWithToken: block.info === "token" });
  return app.paste(block.text);
}

function titleOf({ kind, block }: Step): string {
  return kind === "save" ? `save ${fileOf(block)}` : (block.text.split("\n").find((line) => /^[^/#]/.test(line)) ?? "");
}
