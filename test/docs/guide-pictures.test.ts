import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";

const GUIDES = join(import.meta.dirname, "../../plugins/admin/guides");
const PICTURES = join(GUIDES, "pictures");
/** Of all of them together, in bytes: everybody clones them. */
const AT_MOST = 800_000;

describe("the pictures of the guides for editors and owners", () => {
  const shown = ["editing.md", "owning.md"].flatMap((guide) => [
    ...readFileSync(join(GUIDES, guide), "utf8").matchAll(/!\[([^\]]*)\]\(pictures\/([^)]+)\)/g),
  ]);
  const files = readdirSync(PICTURES);

  it("are each shown once, and each has a text for those who cannot see it", () => {
    expect(shown.map(([, , file]) => file).sort()).to.deep.equal(files.sort());
    for (const [, alternative, file] of shown) expect(alternative, file).to.match(/^\S+ \S.{20,}$/);
  });

  it(`take less than ${AT_MOST / 1000} kB`, () => {
    const bytes = files.reduce((sum, file) => sum + statSync(join(PICTURES, file)).size, 0);
    expect(bytes).to.be.below(AT_MOST);
  });
});
