import { expect } from "chai";
import { assertShown } from "./assert-shown.js";
import { readBlocks, readSteps } from "./read-blocks.js";

const fence = (head: string, text: string) => `\`\`\`${head}\n${text}\n\`\`\`\n\n`;
const steps = (...fences: readonly string[]) => readSteps(readBlocks(fences.join("")));

describe("the blocks of a guide", () => {
  it("are commands, files, code and queries, with the output that follows", () => {
    const found = steps(fence("sh", "ls"), fence("text", "a"), fence("ts file=src/a.ts", ""), fence("ts run", "f()"));
    expect(found.map(({ kind, answer }) => [kind, answer?.text])).to.deep.equal([
      ["paste", "a\n"],
      ["save", undefined],
      ["run", undefined],
    ]);
  });

  it("are refused where nothing runs them", () => {
    for (const block of [fence("ts", "f()"), fence("yaml", "a: 1"), fence("json", "{}"), fence("", "ls")])
      expect(() => steps(fence("ts file=a.ts", ""), block)).to.throw("line 5: nothing runs a block");
  });

  it("show of an output what matters: some keys of JSON, some parts of a text", () => {
    const shown = (head: string, text: string) => readBlocks(fence(head, text))[0] ?? expect.fail();
    assertShown('{ "id": 7, "title": "A" }', shown("json", '{ "title": "A" }'));
    assertShown("wrote a.ts in 12 ms\nb\nc\nend", shown("text", "wrote a.ts in ... ms\n...\nend"));
    expect(() => assertShown('{ "title": "B" }', shown("json", '{ "title": "A" }'))).to.throw();
    expect(() => assertShown("wrote b.ts", shown("text", "wrote a..."))).to.throw();
  });
});
