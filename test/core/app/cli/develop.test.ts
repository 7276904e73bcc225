import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { PATIENCE, RunningCommand, scaffoldedApp } from "./plinth-command.js";

describe("plinth develop", function () {
  this.timeout(PATIENCE * 3);
  const cwd = scaffoldedApp();
  const schemaFile = join(cwd, "src/api/author/content-types/author/schema.json");
  let develop: RunningCommand;

  before("start", async function () {
    this.timeout(PATIENCE);
    develop = new RunningCommand(["develop"], { cwd });
    await develop.waitFor(/started in .*development/);
  });
  after("stop", () => develop.stop("SIGKILL"));

  const titlesOf = async () => {
    const [, rest] = await develop.waitFor(/REST +(\S+)/);
    const answer = await fetch(`${rest}/authors?sort=name`);
    return { status: answer.status, rows: ((await answer.json()) as { data: object[] }).data };
  };

  it("serves a changed content-type without losing what was stored, and says how long the restart took", async () => {
    expect((await titlesOf()).rows[0]).to.not.have.property("motto");
    const schema = JSON.parse(readFileSync(schemaFile, "utf8"));
    develop.forget();
    writeFileSync(
      schemaFile,
      JSON.stringify({ ...schema, attributes: { ...schema.attributes, motto: { type: "string" } } }),
    );
    await develop.waitFor(/restarted in [\d.]+ s after a change of src.*schema\.json/);
    const { rows } = await titlesOf();
    expect(rows).to.have.length(2);
    expect(rows[0]).to.include({ name: "Ada Lovelace", motto: null });
  });

  it("reports a start that fails, and goes on with the next change", async () => {
    const broken = join(cwd, "config/broken.ts");
    develop.forget();
    writeFileSync(broken, "export default {");
    await develop.waitFor(/PLINTH_PROJECT_MODULE_FAILED[\s\S]*waiting for a change/);
    develop.forget();
    rmSync(broken);
    await develop.waitFor(/restarted in/);
    expect((await titlesOf()).status).to.equal(200);
  });

  it("takes the app along when it ends", async () => {
    const [, rest = ""] = await develop.waitFor(/REST +(\S+)/);
    expect(await develop.stop()).to.equal(0);
    const failure = await fetch(rest).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(TypeError);
  });
});
