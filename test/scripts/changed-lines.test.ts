import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { Clone } from "../../scripts/changed-lines.mjs";

const lines = (from: number, to: number) => ({ from: from - 0.5, to: to + 0.5 });
const between = (line: number) => ({ from: line + 0.5, to: line + 0.5 });

describe("the lines that have changed in a clone", () => {
  let root: string;
  let clone: Clone;
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
      cwd: root,
      encoding: "utf8",
    }).trim();
  const write = (file: string, ...text: string[]) =>
    writeFileSync(join(root, file), text.map((one) => `${one}\n`).join(""));
  /** What is there now becomes a version that was recorded. */
  const record = (file: string) => git("hash-object", "-w", file);
  const changed = (version: string | undefined) => clone.changedLines("a.ts", git("rev-parse", "main"), version);
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "plinth-clone-"));
    git("init", "--quiet", "--initial-branch=main");
    write("a.ts", "one();", "two();", "three();", "four();");
    write("gone.ts", "gone();");
    git("add", ".");
    git("commit", "--quiet", "--message", "base");
    git("switch", "--quiet", "--create", "work");
    clone = new Clone(root);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it("are in files that are committed, uncommitted or new since the clone forked from main", () => {
    write("committed.ts", "x();");
    git("add", ".");
    git("commit", "--quiet", "--message", "work");
    write("a.ts", "one();");
    write("new.ts", "y();");
    git("rm", "--quiet", "gone.ts");
    expect(clone.changedFiles(clone.base())).to.deep.equal(["a.ts", "committed.ts", "gone.ts", "new.ts"]);
    expect(clone.base("main")).to.equal(git("rev-parse", "main"));
    expect(() => clone.base("no-such")).to.throw("no commit of no-such that HEAD forked from");
  });

  it("are counted as in the version that was recorded on main", () => {
    const version = record("a.ts");
    write("a.ts", "zero();", "one();", "2();", "three();");
    expect(changed(version)).to.deep.equal([between(0), lines(2, 2), lines(4, 4)]);
  });

  it("are counted as in the version that was recorded after the change", () => {
    write("a.ts", "zero();", "one();", "2();", "three();");
    expect(changed(record("a.ts"))).to.deep.equal([lines(1, 1), lines(3, 3), between(4)]);
  });

  it("are counted as in a version between the two, where a line that has changed since is all that has changed around it", () => {
    write("a.ts", "zero();", "one();", "two();", "3();", "4();");
    const version = record("a.ts");
    write("a.ts", "minus();", "zero();", "one();", "two();", "III();", "IV();");
    expect(changed(version)).to.deep.equal([lines(1, 1), lines(4, 5)]);
    expect(clone.lineIn(version, "a.ts", 3)).to.deep.equal(lines(2, 2));
  });

  it("are none where only comments and imports have changed", () => {
    const version = record("a.ts");
    write("a.ts", 'import { x } from "./x.js";', "// one", "one();", "", "two();", "three();", "four();");
    expect(changed(version)).to.deep.equal([]);
  });

  it("are all where the file is new or gone, or git does not have the version", () => {
    const version = record("a.ts");
    write("a.ts", "zero();");
    expect(changed(undefined)).to.equal(undefined);
    expect(changed("0".repeat(40))).to.equal(undefined);
    write("new.ts", "x();");
    expect(clone.changedLines("new.ts", "main", version)).to.equal(undefined);
    rmSync(join(root, "gone.ts"));
    expect(clone.changedLines("gone.ts", "main", version)).to.equal(undefined);
  });
});
