import { expect } from "chai";
import { isJsonDeeper } from "#core/base/json-depth.js";

/** The levels that a text of JSON has: the fewest than which it is not deeper. */
const levelsOf = (text: string): number => [...text, ""].findIndex((_, levels) => !isJsonDeeper(text, levels));

describe("the depth of a text of JSON", () => {
  it("is how many objects and lists are in each other, as its parsed value has them", () => {
    for (const [text, levels] of [
      ["1", 0],
      ["{}", 1],
      ["[[],[]]", 2],
      ['{"a":[1,{"b":{}}],"c":[]}', 4],
      [" [ [ ] , [ [ ] ] ] ", 3],
    ] as const)
      expect(levelsOf(text), text).to.equal(levels);
  });

  it("counts no bracket of a string, however its quotes are escaped", () => {
    for (const text of ["[[[", '"[', "\\[", '\\"[{', "\\\\", '\\\\"[[', "\\", 'a"b\\']) {
      const json = JSON.stringify({ [text]: [text, text] });
      expect(levelsOf(json), json).to.equal(2);
    }
  });

  it("is read up to the first bracket too many, and to the end of a string that does not end", () => {
    expect(isJsonDeeper("[".repeat(400_000), 500)).to.equal(true);
    expect(isJsonDeeper(`["${"[".repeat(1000)}`, 500)).to.equal(false);
    expect(isJsonDeeper(`["${'\\"['.repeat(1000)}`, 500)).to.equal(false);
  });
});
