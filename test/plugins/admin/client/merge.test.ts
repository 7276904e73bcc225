import { expect } from "chai";
import fc from "fast-check";
import { isAlike } from "#plugins/admin/client/form/equal.js";
import { merge, mergeBlocks, mergeKeyed } from "#plugins/admin/client/form/merge.js";
import { flatten, keysById } from "#plugins/admin/client/form/shape.js";
import { attributes, entry, link, paragraph, shapes } from "./form-model.js";

type Data = Readonly<Record<string, unknown>>;

/** Joins what two people made of one document. */
function mergeEntries(base: Data, mine: Data, theirs: Data) {
  const flat = flatten(shapes, attributes, base);
  const keyed = (data: Data) => flatten(shapes, attributes, data, keysById(flat.leaves));
  return merge({ shapes, base: flat.leaves, mine: keyed(mine).leaves, theirs: keyed(theirs) }, attributes);
}

describe("what comes of two people's changes of one document", () => {
  it("keeps both where they changed different fields", () => {
    const { leaves, overlaps, taken } = mergeEntries(entry(), entry({ title: "Mine" }), entry({ count: 4 }));
    expect(leaves.get("title")).to.equal("Mine");
    expect(leaves.get("count")).to.equal(4);
    expect(overlaps).to.deep.equal([]);
    expect(taken).to.deep.equal(["count"]);
  });

  it("asks where they changed one field in two ways, and shows mine until then", () => {
    const { leaves, overlaps } = mergeEntries(entry(), entry({ title: "Mine" }), entry({ title: "Theirs" }));
    expect(overlaps.map(({ path, base, mine, theirs }) => ({ path, base, mine, theirs }))).to.deep.equal([
      { path: "title", base: "One", mine: "Mine", theirs: "Theirs" },
    ]);
    expect(leaves.get("title")).to.equal("Mine");
  });

  it("asks nothing where both changed a field to the same", () => {
    const { overlaps } = mergeEntries(entry(), entry({ title: "Same" }), entry({ title: "Same" }));
    expect(overlaps).to.deep.equal([]);
  });

  it("puts a field that one changed into the item that the other moved", () => {
    const [first, second] = entry()["sections"] as [Data, Data];
    const mine = entry({ sections: [{ ...first, text: "to have been" }, second] });
    const { leaves, overlaps } = mergeEntries(entry(), mine, entry({ sections: [second, first] }));
    expect((leaves.get("sections") as { id: number }[]).map(({ id }) => id)).to.deep.equal([2, 1]);
    expect(leaves.get("sections.i1.text")).to.equal("to have been");
    expect(overlaps).to.deep.equal([]);
  });

  it("keeps an item that one changed and the other took out", () => {
    const [first, second] = entry()["sections"] as [Data, Data];
    const mine = entry({ sections: [{ ...first, text: "changed" }, second] });
    const { leaves } = mergeEntries(entry(), mine, entry({ sections: [second] }));
    expect((leaves.get("sections") as { id: number }[]).map(({ id }) => id).sort()).to.deep.equal([1, 2]);
    expect(leaves.get("sections.i1.text")).to.equal("changed");
  });

  it("adds the links of both, and leaves out those that either took out", () => {
    const mine = entry({ tags: { total: 3, items: [link("a"), link("b"), link("mine")] } });
    const theirs = entry({ tags: { total: 3, items: [link("theirs"), link("b"), link("c")] } });
    const { leaves, overlaps } = mergeEntries(entry(), mine, theirs);
    expect((leaves.get("tags") as { documentId: string }[]).map(({ documentId }) => documentId).sort()).to.deep.equal([
      "b",
      "mine",
      "theirs",
    ]);
    expect(overlaps).to.deep.equal([]);
  });

  it("joins changes of different blocks of a text, and asks where both changed one", () => {
    const [first, second, third] = [paragraph("first"), paragraph("second"), paragraph("third")];
    const base = [first, second, third];
    const mine = [paragraph("mine"), second, third];
    const theirs = [first, second, third, paragraph("new")];
    expect(mergeBlocks(base, mine, theirs)).to.deep.equal([paragraph("mine"), second, third, paragraph("new")]);
    expect(mergeBlocks(base, mine, [paragraph("theirs"), second, third])).to.equal(undefined);
  });

  it("has every change of both, or names it as an overlap, for random documents", () => {
    const value = fc.option(fc.string({ maxLength: 4 }), { nil: null });
    const quote = (id: number) =>
      fc.record({ __component: fc.constant("sections.quote"), id: fc.constant(id), text: value, stars: fc.nat(3) });
    const sections = fc
      .tuple(fc.shuffledSubarray([1, 2, 3, 4]), fc.tuple(quote(1), quote(2), quote(3), quote(4)))
      .map(([ids, quotes]) => ids.map((id) => quotes[id - 1]));
    const document = fc.record({ title: value, count: fc.nat(3), sections });
    fc.assert(
      fc.property(document, document, document, (base, mine, theirs) => {
        const data = [base, mine, theirs].map((one) => entry(one)) as [Data, Data, Data];
        const { leaves, overlaps } = mergeEntries(...data);
        const flats = data.map((one) => flatten(shapes, attributes, one).leaves);
        const [before, ours, others] = flats as [Map<string, unknown>, Map<string, unknown>, Map<string, unknown>];
        const named = new Set(overlaps.map(({ path }) => path));
        for (const [path, text] of ours) {
          const isMine = path.endsWith("text") || path === "title" || path === "count";
          if (!isMine || isAlike(text, before.get(path) ?? null) || !before.has(path)) continue;
          expect(leaves.get(path), `mine at ${path}`).to.deep.equal(text);
        }
        for (const [path, text] of others) {
          const isTheirs = path.endsWith("text") || path === "title" || path === "count";
          if (!isTheirs || isAlike(text, before.get(path) ?? null) || !before.has(path) || named.has(path)) continue;
          if (!isAlike(leaves.get(path), text)) expect(ours.has(path), `theirs at ${path}`).to.equal(false);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("has nothing to ask where one of the two changed nothing, for random lists", () => {
    const list = fc.uniqueArray(fc.nat(9), { maxLength: 8 });
    fc.assert(
      fc.property(list, list, (base, other) => {
        const keyOf = (value: number) => String(value);
        expect(mergeKeyed({ base, mine: base, theirs: other }, keyOf)).to.deep.equal(other);
        expect([...mergeKeyed({ base, mine: other, theirs: base }, keyOf)].sort()).to.deep.equal([...other].sort());
      }),
    );
  });
});
