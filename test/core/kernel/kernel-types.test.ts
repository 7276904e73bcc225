import { readFile } from "node:fs/promises";
import { expect } from "chai";

describe("the types of the kernel", () => {
  it("rule out 22 mistakes when they are written", async () => {
    const source = await readFile(new URL("kernel.types.ts", import.meta.url), "utf8");
    expect(source.match(/^\s*\/\/ @ts-expect-error \w/gm)).to.have.length(22);
  });
});
