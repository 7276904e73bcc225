import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isPlinthError, type PlinthApp } from "@plinth/core";
import { expect } from "chai";
import { type StartedProject, TYPES_FILE, updateTypes } from "#core/cli/types/write-types.js";
import { copyTemplate, loadForTest, startForTest } from "../../../projects.js";

describe("the file of generated types", () => {
  const root = copyTemplate({
    "src/services/clock.ts": "export default () => ({ now: () => Date.now() });",
    "src/services/plain.js": "export default {};",
    "src/plugins/notes/services/board.ts": "export default {};",
  });
  const file = join(root, TYPES_FILE);
  const read = () => readFileSync(file, "utf8");
  let plinth: PlinthApp;
  let project: StartedProject;

  before("start", async () => {
    const setup = await loadForTest(root);
    ({ plinth } = await startForTest(setup));
    project = { setup, app: plinth.app };
  });
  after("stop", () => plinth.stop());

  it("is refused by the check where it does not say what the app is, and left as it is", async () => {
    const before = read();
    const failure = await updateTypes(project, { check: true }).catch((error: unknown) => error);
    expect(isPlinthError(failure) && failure.code).to.equal("PLINTH_CLI_TYPES_OUTDATED");
    expect(read()).to.equal(before);
  });

  it("is written once, and again only when it says something else", async () => {
    expect(await updateTypes(project, { check: false })).to.equal(true);
    expect(await updateTypes(project, { check: false })).to.equal(false);
    expect(await updateTypes(project, { check: true })).to.equal(false);
    const written = read();
    writeFileSync(file, "");
    expect(await updateTypes(project, { check: false })).to.equal(true);
    expect(read()).to.equal(written);
  });

  it("names the TypeScript services of the app and of its own plugins", () => {
    expect(read()).to.include('"global::clock": MadeBy<typeof import("../src/services/clock.js").default>;');
    expect(read()).to.include('"plugin::notes.board": MadeBy<typeof import("../src/plugins/notes/services/board.js")');
    expect(read()).not.to.include("global::plain");
  });
});
