import { expect } from "chai";
import { buildSchema } from "graphql";
import { compareSchemas } from "../../scripts/compare-schemas.mjs";

const REFERENCE = buildSchema("type Query { a(b: Int): Int c: Int }");
const DECIDED = { difference: "^Query\\.c was removed", sentence: "There is no c." };

describe("A comparison of schemas", () => {
  it("passes when the other schema takes every document, and may take more", () => {
    const more = buildSchema("type Query { a(b: Int, d: Int): Int c: Int! e: Int }");
    expect(compareSchemas(REFERENCE, more, [])).to.deep.equal({ decided: [], problems: [] });
  });

  it("tells of everything that documents would miss, but for what was decided", () => {
    const less = buildSchema("type Query { a: Int }");
    const { decided, problems } = compareSchemas(REFERENCE, less, [DECIDED]);
    expect(decided).to.deep.equal([{ sentence: "There is no c.", changes: ["Query.c was removed."] }]);
    expect(problems)
      .to.have.length(1)
      .and.match(/Query\.a arg b/);
  });

  it("tells of decisions that nothing differs by any more", () => {
    const { problems } = compareSchemas(REFERENCE, REFERENCE, [DECIDED]);
    expect(problems).to.deep.equal(['nothing differs by "^Query\\.c was removed" any more']);
  });
});
