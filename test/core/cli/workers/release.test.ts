import { mkdirSync, realpathSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { enteredFolder, releaseIn } from "#core/cli/workers/release.js";
import { emptyFolder } from "../plinth-command.js";

describe("the version of an app that a symbolic link leads to", () => {
  const home = emptyFolder();
  const link = join(home, "current");
  /** A version with packages of its own. */
  const make = (name: string): string => {
    const core = join(home, name, "node_modules/@plinth/core");
    mkdirSync(core, { recursive: true });
    writeFileSync(join(home, name, "package.json"), "{}");
    writeFileSync(join(core, "package.json"), '{ "name": "@plinth/core" }');
    return realpathSync(join(home, name));
  };
  let [first, second] = ["", ""];
  before(() => {
    [first, second] = [make("1"), make("2")];
    symlinkSync("1", link);
  });

  it("is followed again each time, and has its workers run by its own packages", () => {
    expect(releaseIn(link).folder).to.equal(first);
    unlinkSync(link);
    symlinkSync("2", link);
    const { folder, file } = releaseIn(link);
    expect(folder).to.equal(second);
    expect(file)
      .to.match(/^.*cli\/workers\/worker-process\.[jt]s$/)
      .and.include(`${second}/node_modules/@plinth/core/`);
    expect(() => releaseIn(join(home, "3"))).to.throw("ENOENT");
  });

  it("is run by this package where it has none", () => {
    mkdirSync(join(home, "bare"));
    const { file } = releaseIn(join(home, "bare"));
    expect(file)
      .to.match(/core\/(src|dist)\/cli\/workers\/worker-process\.[jt]s$/)
      .and.not.include(home);
  });

  it("is known by the name in PWD, unless that leads elsewhere", () => {
    unlinkSync(link);
    symlinkSync("1", link);
    expect(enteredFolder({ PWD: link }, first)).to.equal(link);
    for (const PWD of [undefined, "", second, join(home, "3")])
      expect(enteredFolder({ PWD }, first), PWD).to.equal(first);
  });
});
