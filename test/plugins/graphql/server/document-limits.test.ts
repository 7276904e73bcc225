import { expect } from "chai";
import { buildSchema } from "graphql";
import { DocumentLimits } from "#plugins/graphql/src/server/document-limits.js";

const schema = buildSchema("type Query { name: String }");

/** Limits, and how often a document was measured by them. */
function createLimits() {
  let measured = 0;
  const limits = {
    get depthLimit() {
      measured += 1;
      return 10;
    },
    ...{ aliasLimit: 10, directiveLimit: 10, rootFieldLimit: 10, tokenLimit: 5000, costLimit: 1000, mergeLimit: 1000 },
  };
  return { limits: new DocumentLimits(schema, limits), measured: () => measured };
}

const documentOf = (i: number, length: number) => `{ name } #${i} `.padEnd(length, "x");

describe("the limits of documents", () => {
  it("measure a document once, while those that passed have no more than 4,000,000 characters", () => {
    const { limits, measured } = createLimits();
    for (let i = 0; i < 600; i++) expect(limits.check(documentOf(i, 8000))).to.equal(undefined);
    limits.check(documentOf(599, 8000));
    expect(measured()).to.equal(600);
    limits.check(documentOf(0, 8000));
    expect(measured()).to.equal(601);
  });

  it("measure a document of more than 8,000 characters each time", () => {
    const { limits, measured } = createLimits();
    for (const _ of [1, 2]) limits.check(documentOf(0, 8001));
    expect(measured()).to.equal(2);
  });
});
