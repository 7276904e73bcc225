import { expect } from "chai";
import { parse } from "graphql";
import { costsMoreToMerge } from "#plugins/graphql/src/server/merge-cost.js";

const repeat = (count: number, text: string) => Array.from({ length: count }, () => text).join(" ");

/** The least limit that a document is within. */
function costOf(text: string): number {
  const document = parse(text);
  let [within, beyond] = [1e9, -1];
  while (within - beyond > 1) {
    const half = Math.floor((within + beyond) / 2);
    if (costsMoreToMerge(document, half)) beyond = half;
    else within = half;
  }
  return within;
}

describe("what it costs to merge the fields of a document", () => {
  it("is 10 for each of them, and 1 for each two of one name", () => {
    expect(costOf("{ a b c }")).to.equal(30);
    expect(costOf("{ a a a }")).to.equal(30 + 3);
    expect(costOf("{ a: x a: y x }")).to.equal(30 + 1);
  });

  it("is 10 for each two that have fields or arguments", () => {
    expect(costOf("{ a(n: 1) a(n: 1) a(n: 1) }")).to.equal(30 + 30);
    expect(costOf("{ a { x } a { y } }")).to.equal(40 + 10);
  });

  it("counts fields as one place's whose parents are merged, and those of inline fragments", () => {
    expect(costOf(`{ ${repeat(4, "a { b { c } }")} }`)).to.equal(120 + 60 + 60 + 6);
    expect(costOf("{ a ... on T { a ... @skip(if: true) { a } } }")).to.equal(50 + 3);
  });

  it("counts a fragment where it is spread, once in each place", () => {
    const fragment = "fragment F on T { a b }";
    expect(costOf(`{ a ...F } ${fragment}`)).to.equal(40 + 1);
    expect(costOf(`{ ...F ...F ...F } ${fragment}`)).to.equal(50 + 30);
    expect(costOf(`{ x { ...F } y { ...F } } ${fragment}`)).to.equal(80);
    expect(costOf(`{ ${repeat(3, "x { ...F }")} } ${fragment}`)).to.equal(80 + 30 + 30);
  });

  it("counts fragments that no operation reaches, which validation looks at as well", () => {
    expect(costOf("{ a } fragment F on T { a a }")).to.equal(30 + 1);
    expect(costOf("{ a } fragment F on T { ...G } fragment G on T { a a }")).to.equal(40 + 1);
    expect(costOf("{ ...F } fragment F on T { a a } fragment F on T { a }")).to.equal(40 + 1);
  });

  it("ends at the limit, in fragments that double and in those that lead back to themselves", () => {
    const names = Array.from({ length: 30 }, (_, i) => `F${i}`);
    const all = names.map((name) => `a${name} { ...${name} }`).join(" ");
    const doubling = names.map((name, i) => `fragment ${name} on T { a { ...F${i + 1} } b { ...F${i + 1} } }`);
    const circles = names.map((name) => `fragment ${name} on T { ${all} }`);
    for (const fragments of [doubling, circles])
      expect(costsMoreToMerge(parse(`{ ...F0 } ${fragments.join(" ")}`), 100_000)).to.equal(true);
    expect(costOf("{ ...A } fragment A on T { a { ...A } }")).to.equal(30);
  });

  it("of a page of sixty components, each with a fragment and the same fields, is far below the limit", () => {
    const names = Array.from({ length: 60 }, (_, i) => `C${i}`);
    const spreads = names.map((name) => `...${name}`).join(" ");
    const fields = "__typename id title image { __typename url alternativeText }";
    const fragments = names.map((name) => `fragment ${name} on ${name} { ${fields} }`).join(" ");
    expect(costOf(`{ page { zone { ${spreads} } } } ${fragments}`)).to.be.below(100_000);
  });
});
