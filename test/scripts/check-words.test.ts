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

  it("leaves words alone that only look alike, and files that are no text of ours", async () => {
    expect(await problemsWith("README.md", "Everybody who asked; an amendment; a text field.\n")).to.deep.equal([]);
    expect(await problemsWith("data.json", '{ "a": "who asks" }')).to.deep.equal([]);
  });
});
