import { expect } from "chai";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { checkTree } from "../../scripts/check-floors.mjs";

const TOP_FILES = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "lerna.json",
  "README.md",
  "LICENSE",
  "CHANGELOG.md",
  "app-template/README.md",
];
const DOC = "/** What it is. */\n";

describe("check-floors", () => {
  let root = "";

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "plinth-floors-"));
    for (const name of TOP_FILES) await write(name, "{}");
    await write("core/package.json", JSON.stringify({ dependencies: { koa: "1" } }));
    await write("core/src/index.ts", 'export { sort } from "./base/sort.js";\n');
    await write("core/src/entry/reads.ts", 'export { sort } from "../base/sort.js";\n');
    await write("core/src/base/sort.ts", `import "@plinth/core/valibot";\n${DOC}export const sort = 1;\n`);
    await write("plugins/shop/package.json", JSON.stringify({ dependencies: { "@plinth/core": "1" } }));
    await write("plugins/shop/src/index.ts", 'export * from "./contract.js";\nexport { sort } from "@plinth/core";\n');
    await write("plugins/shop/src/prices.ts", 'export { sort } from "@plinth/core/reads";\n');
    await write("plugins/shop/src/contract.ts", `${DOC}export interface Shop {}\n`);
    await write("scripts/good.mjs", "// Says what it is for, on line 1.\n");
    await write("test/a.test.ts", 'import "#core/base/sort.js";\n');
  });

  afterEach(() => rm(root, { recursive: true }));

  async function write(name: string, text: string): Promise<void> {
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  async function problemsWith(name: string, text: string): Promise<string[]> {
    await write(name, text);
    return checkTree(root);
  }

  it("has nothing to say about a good tree", () => {
    expect(checkTree(root)).to.deep.equal([]);
  });

  it("has nothing to say about this repository's own floors and cycles", () => {
    const own = checkTree(resolve(import.meta.dirname, "../..")).filter((line) => / floor |cycle/.test(line));
    expect(own).to.deep.equal([]);
  });

  const BAD: [why: string, name: string, text: string, problem: RegExp][] = [
    ["a floor that looks up", "core/src/base/a.ts", 'import "../http/b.js";', /floor base may not see floor http/],
    [
      "a type import that looks up",
      "core/src/access/a.ts",
      'import type { D } from "../documents/d.js";',
      /floor access/,
    ],
    [
      "a database that knows the kernel",
      "core/src/database/a.ts",
      'import "../kernel/k.js";',
      /does without floor kernel/,
    ],
    [
      "a folder of database that looks up",
      "core/src/database/sql/a.ts",
      'import "../reads/b.js";',
      /folder sql may not see folder reads/,
    ],
    [
      "documents that build SQL",
      "core/src/documents/a.ts",
      'import "../database/sql/sql.js";',
      /SQL is built by database/,
    ],
    [
      "a plugin that locks by SQL",
      "plugins/shop/src/a.ts",
      'export default "select 1 from files for update";',
      /use db.lock/,
    ],
    ["documents that hold SQL", "core/src/documents/a.ts", 'export default "delete from articles";', /holds SQL/],
    ["a floor that imports the entry", "core/src/base/a.ts", 'import "../index.js";', /entry of its package/],
    [
      "an app that knows the command line",
      "core/src/app/a.ts",
      'import("../cli/b.js");',
      /floor app may not see floor cli/,
    ],
    [
      "an entry with a part of the command line",
      "core/src/index.ts",
      'export * from "./cli/b.js";',
      /no part of an entry/,
    ],
    ["a core that names a plugin", "core/src/base/a.ts", 'f("plugin::shop.price");', /names plugin::shop\.price/],
    ["a core that writes a plugin's uid", "core/src/base/a.ts", "f(`${a} plugin::shop.price`);", /names plugin::shop/],
    ["a folder that is not a floor", "core/src/attic/a.ts", "", /"attic" is not a floor/],
    [
      "files below floor app",
      "core/src/http/a.ts",
      'import fs from "node:fs/promises";',
      /only the floors app and cli touch files/,
    ],
    ["environment below floor app", "core/src/http/a.ts", "f(process.env);", /uses process.env/],
    [
      "a file that imports itself in a circle",
      "core/src/base/a.ts",
      'import "./a.js";',
      /import cycle: .*a\.ts -> .*a\.ts/,
    ],
    [
      "a path into a package",
      "plugins/shop/src/a.ts",
      'import "@plinth/core/src/base/sort.js";',
      /entered by its name/,
    ],
    [
      "a relative path into a package",
      "plugins/shop/src/a.ts",
      'import "../../../core/src/index.js";',
      /another package/,
    ],
    [
      "a relative path from a test to a source",
      "test/core/b.test.ts",
      'import "../../core/src/base/sort.js";',
      /a test names a source by #core/,
    ],
    ["core that enters itself", "core/src/base/a.ts", 'import "@plinth/core/reads";', /does not list @plinth\/core/],
    ["a package nobody declared", "plugins/shop/src/a.ts", 'import "koa";', /does not list koa/],
    ["a contract that leans on its plugin", "plugins/shop/src/contract.ts", 'import "./b.js";', /stands on its own/],
    ["an entry with code in it", "core/src/index.ts", "const a = 1;", /only re-exports/],
    ["a part's entry with code in it", "core/src/entry/reads.ts", "const a = 1;", /only re-exports/],
    ["an entry that is not declared", "core/src/entry/more.ts", "", /"entry" is not a floor/],
    ["an export nobody uses", "core/src/base/a.ts", `${DOC}export const lonely = 1;\n`, /lonely, which no other file/],
    ["a file too long", "test/long.ts", "\n".repeat(401), /401 lines, 400 is the limit/],
    ["a name that says nothing", "core/src/base/utils.ts", "", /"utils" names nothing/],
    ["a folder that says nothing", "core/src/base/lib/a.ts", "", /"lib" names nothing/],
    ["a bare error", "core/src/base/a.ts", 'throw new Error("x");', /bare Error/],
    ["a member that a library does not document", "core/src/http/a.ts", "f(socket._handle);", /uses \._handle, which/],
    ["words for later", "plugins/shop/src/a.ts", `// ${"TO"}DO: all of it`, /do it now/],
    ["any beyond its budget", "core/src/base/a.ts", "let a: any;", /1 times "any"/],
    ["a script without a purpose", "scripts/a.mjs", 'import "node:fs";', /state the purpose/],
    ["a stray entry at the top", "notes.txt", "", /does not belong at the top level/],
    ["an export without a docstring", "core/src/base/a.ts", "export const a = 1;", /exports a without a docstring/],
    ["a test that skips itself", "test/b.test.ts", `this.${"skip"}();`, /skips/],
  ];

  for (const [why, name, text, problem] of BAD) {
    it(`reports ${why}`, async () => {
      const problems = await problemsWith(name, text);
      expect(problems.filter((line) => line.startsWith(name) || line.startsWith("core and")).join("\n")).to.match(
        problem,
      );
    });
  }

  it("reports a cycle of two files once, with its path", async () => {
    await write("core/src/base/a.ts", 'import type { B } from "./b.js";');
    const problems = await problemsWith("core/src/base/b.ts", 'import type { A } from "./a.js";');
    expect(problems).to.deep.equal([
      "core/src/base/a.ts: is in an import cycle: core/src/base/a.ts -> core/src/base/b.ts -> core/src/base/a.ts",
    ]);
  });

  it("reports what is missing at the top level", async () => {
    await rm(join(root, "lerna.json"));
    expect(checkTree(root)).to.deep.equal(["lerna.json: is missing at the top level"]);
  });
});
