import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { readGraph, testsReaching } from "../../scripts/import-graph.mjs";

const FILES = {
  "core/package.json": JSON.stringify({
    name: "@plinth/core",
    exports: { ".": { "plinth-source": "./src/index.ts" }, "./http": { "plinth-source": "./src/entry/http.ts" } },
  }),
  "core/src/index.ts": 'export { a } from "./a.js";',
  "core/src/a.ts": "export const a = 1;",
  "core/src/entry/http.ts": 'export type { B } from "../b.js";',
  "core/src/b.ts": "export type B = 1;",
  "plugins/admin/client/view.tsx": "export const view = 1;",
  "plugins/admin/guides/pages.md": "# Pages",
  "README.md": "# All",
  "scripts/start.mjs": "export {};",
  "test/near.test.ts": 'import { a } from "#core/a.js";\nimport "../plugins/admin/client/view.js";',
  "test/far.test.ts": 'const core = await import("@plinth/core");\nimport type { B } from "@plinth/core/http";',
  "test/plugin.test.ts": 'import { view } from "#plugins/admin/client/view.js";',
  "test/serve.ts":
    'const app = join(import.meta.dirname, "apps", "shop");\nfork(new URL("child.ts", import.meta.url));',
  "test/child.ts": "serve();",
  "test/serving.test.ts": 'import { app } from "./serve.js";',
  "test/page.test.ts":
    'read(join(ROOT, "README.md"));\nread("plugins/admin/guides/pages.md");\nread("../scripts/start.mjs");',
  "test/apps/shop/src/api/book/schema.json": "{}",
};

describe("the tests that reach a file by what files name", () => {
  let root: string;
  let tests: (file: string) => [string, number][];
  before(() => {
    root = mkdtempSync(join(tmpdir(), "plinth-graph-"));
    for (const [file, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    const graph = readGraph(root);
    tests = (file) => [...testsReaching(graph, file)] as [string, number][];
  });
  after(() => rmSync(root, { recursive: true }));

  it("are those that import it, before those that import it by another file", () => {
    expect(tests("core/src/a.ts")).to.deep.equal([
      ["test/near.test.ts", 0],
      ["test/far.test.ts", 1],
    ]);
  });

  it("import it by relative paths, by names of packages and by # names, as a type too", () => {
    expect(tests("core/src/b.ts")).to.deep.equal([["test/far.test.ts", 1]]);
    expect(tests("plugins/admin/client/view.tsx").map(([test]) => test)).to.have.members([
      "test/near.test.ts",
      "test/plugin.test.ts",
    ]);
  });

  it("read or start it, or the folder that it is in", () => {
    for (const file of ["README.md", "plugins/admin/guides/pages.md", "scripts/start.mjs"])
      expect(tests(file), file).to.deep.equal([["test/page.test.ts", 0]]);
    expect(tests("test/child.ts")).to.deep.equal([["test/serving.test.ts", 1]]);
    expect(tests("test/apps/shop/src/api/book/schema.json")).to.deep.equal([["test/serving.test.ts", 1]]);
  });

  it("are none where no file names it", () => {
    expect(tests("core/package.json")).to.deep.equal([]);
  });
});
