import { expect } from "chai";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { checkWords } from "../../scripts/check-words.mjs";

describe("check-words", () => {
  let root = "";

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "plinth-words-"));
  });

  afterEach(() => rm(root, { recursive: true }));

  async function problemsWith(name: string, text: string): Promise<string[]> {
    await writeFile(join(root, name), text);
    return checkWords(root);
  }

  it("has nothing to say about this repository", () => {
    expect(checkWords(resolve(import.meta.dirname, "../.."))).to.deep.equal([]);
  });

  it("names the line, the phrase and the word in its place", async () => {
    expect(await problemsWith("README.md", "# It\n\nRows of who asks.\n")).to.deep.equal([
      'README.md:3: "who asks": say "the caller"',
    ]);
    expect(await problemsWith("README.md", "name must be a text\n")).to.deep.equal([
      'README.md:1: "must be a text": say "a string"',
    ]);
  });

  it("checks comments and documents for more than code and tests", async () => {
    expect(await problemsWith("a.ts", "// Whoever reads it.\nconst nobody = 1;\n")).to.deep.equal([
      'a.ts:1: "Whoever": say the subject: "the caller", "any", "all that"',
    ]);
    expect(await problemsWith("a.ts", "const nobody = 1; // nobody reads it\n")).to.have.length(1);
    await rm(join(root, "a.ts"));
    expect(await problemsWith("CHANGELOG.md", "Nobody reads it anew.\n")).to.deep.equal([]);
    expect(await problemsWith("README.md", '{ "title": "Nobody" }, whatever\n')).to.have.length(1);
  });

  it("leaves words alone that only look alike, and files that are no text of ours", async () => {
    expect(await problemsWith("README.md", "Everybody who asked; an amendment; a text field.\n")).to.deep.equal([]);
    expect(await problemsWith("data.json", '{ "a": "who asks" }')).to.deep.equal([]);
  });
});
