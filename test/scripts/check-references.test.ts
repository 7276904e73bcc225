import { expect } from "chai";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { checkReferences } from "../../scripts/check-references.mjs";

describe("check-references", () => {
  let root = "";

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "plinth-references-"));
    await write("core/README.md", "# Core\n\n## What it is, by `name`\n\n## Twice\n\n## Twice\n");
    await write("core/src/base/sort.ts", "export const sort = 1;\n");
  });

  afterEach(() => rm(root, { recursive: true }));

  async function write(name: string, text: string): Promise<void> {
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  async function problemsWith(name: string, text: string): Promise<string[]> {
    await write(name, text);
    return checkReferences(root);
  }

  it("has nothing to say about this repository", () => {
    expect(checkReferences(resolve(import.meta.dirname, "../.."))).to.deep.equal([]);
  });

  const GOOD: [what: string, name: string, text: string][] = [
    ["a link to a file", "README.md", "[core](core/README.md)"],
    ["a link to a folder", "README.md", "[core](core)"],
    ["a link to a heading", "README.md", "[it](core/README.md#what-it-is-by-name)"],
    ["a link to a heading that has a namesake", "README.md", "[it](core/README.md#twice-1)"],
    ["a link to a heading of its own", "README.md", "# Here\n\n[here](#here)"],
    ["a link to another site", "README.md", "[out](https://example.org/nothing)"],
    ["a link by name", "README.md", "[`it`][it]\n\n[it]: core/README.md\n"],
    ["what looks like a link in code", "README.md", "`a[b](c)` and `a[b][c]`\n\n```sh\n[x](y)\n```\n\n    [x](y)\n"],
    ["a path in code", "README.md", "`core/src/base/sort.ts`"],
    ["a file of an app", "core/src/base/README.md", "`src/index.ts`"],
    ["a file beside a README of the code", "core/src/README.md", "`sort.ts` and `base/sort.ts`"],
    ["a source that is a file", "core/src/a.ts", "/** It. @source core/src/base/sort.ts, its order */\n"],
    ["a source that is a heading", "core/src/a.ts", "/**\n * It.\n *\n * @source core/README.md#twice\n */\n"],
    ["a source that is an address", "core/src/a.ts", "/** @source https://example.org/a#b, chapter 1 */\n"],
    ["a source that is an RFC", "core/src/a.ts", "/** @source RFC 9110, 13.1 */\n"],
    ["a tag in a text", "core/src/a.ts", 'const tag = "@source nothing";\n'],
    ["a document that is there", "core/src/a.ts", "// See README.md.\n"],
  ];

  for (const [what, name, text] of GOOD)
    it(`takes ${what}`, async () => {
      expect(await problemsWith(name, text)).to.deep.equal([]);
    });

  const BAD: [what: string, name: string, text: string, problem: string][] = [
    ["a link to no file", "README.md", "\n[core](core/GONE.md)", "README.md:2: core/GONE.md does not exist"],
    [
      "a link to no heading",
      "README.md",
      "[a](core/README.md#b)",
      "README.md:1: core/README.md#b: no heading has this name",
    ],
    ["a heading that is code", "README.md", "```\n# a\n```\n[a](#a)", "README.md:4: #a: no heading has this name"],
    ["a named link to no file", "README.md", "[a][b]\n\n[b]: c.md\n", "README.md:3: c.md does not exist"],
    ["a named link without an address", "README.md", "[a][b]", "README.md:1: links to [b], which is not defined"],
    ["a path to no file", "README.md", "`core/src/gone.ts`", "README.md:1: `core/src/gone.ts` does not exist"],
    ["a file that is not beside", "core/src/README.md", "`gone.ts`", "core/src/README.md:1: `gone.ts` does not exist"],
    [
      "a source that is not a file",
      "core/src/a.ts",
      "/** @source core/gone.md */\n",
      "core/src/a.ts:1: @source core/gone.md does not exist",
    ],
    [
      "a source that is not a heading",
      "core/src/a.ts",
      "/** @source core/README.md#gone */\n",
      "core/src/a.ts:1: @source core/README.md#gone: no heading has this name",
    ],
    [
      "a source in words",
      "core/src/a.ts",
      "/**\n * @source the manual, chapter 4\n */\n",
      "core/src/a.ts:2: @source the: names no file of the repository, no address (https) and no RFC",
    ],
    [
      "a source that is nothing",
      "core/src/a.ts",
      "/**\n * @source\n */\n",
      "core/src/a.ts:2: @source names no file of the repository, no address (https) and no RFC",
    ],
    [
      "a document that is not there",
      "core/src/a.ts",
      "// As in wire.md.\n",
      "core/src/a.ts:1: mentions wire.md, which is not in the repository",
    ],
  ];

  for (const [what, name, text, problem] of BAD)
    it(`reports ${what}`, async () => {
      expect(await problemsWith(name, text)).to.deep.equal([problem]);
    });
});
