import { expect } from "chai";
import fc from "fast-check";
import { type Sortable, sortByAfter } from "#core/base/sort.js";

function namesOf(items: readonly Sortable[]): readonly string[] {
  const sorted = sortByAfter(items);
  return "order" in sorted ? sorted.order.map(({ name }) => name) : [];
}

describe("ordering by after and before", () => {
  it("keeps the given order where nothing asks for another", () => {
    expect(namesOf([{ name: "c" }, { name: "a" }, { name: "b" }])).to.deep.equal(["c", "a", "b"]);
  });

  it("puts an item after those that it follows and before those that it precedes", () => {
    expect(namesOf([{ name: "a", after: ["b"] }, { name: "b" }, { name: "c", before: ["b"] }])).to.deep.equal([
      "c",
      "b",
      "a",
    ]);
  });

  it("ignores names that nobody carries", () => {
    expect(namesOf([{ name: "a", after: ["x"], before: ["y"] }, { name: "b" }])).to.deep.equal(["a", "b"]);
  });

  it("lets one name stand for several items", () => {
    expect(namesOf([{ name: "late", after: ["twin"] }, { name: "twin" }, { name: "twin" }])).to.deep.equal([
      "twin",
      "twin",
      "late",
    ]);
  });

  it("shows a circle as a path that ends where it began", () => {
    const items = [
      { name: "x", after: ["a"] },
      { name: "a", after: ["b"] },
      { name: "b", after: ["c"] },
    ];
    expect(sortByAfter([...items, { name: "c", after: ["a"] }])).to.deep.equal({ cycle: ["a", "b", "c", "a"] });
    expect(sortByAfter([{ name: "me", after: ["me"] }])).to.deep.equal({ cycle: ["me", "me"] });
  });

  it("keeps every item and every constraint of any list that can be ordered", () => {
    const lists = fc.array(fc.array(fc.nat(20), { maxLength: 4 }), { maxLength: 20 });
    fc.assert(
      fc.property(lists, (edges) => {
        // Constraints point to smaller numbers only, so that there is no circle.
        const items = edges.map((targets, index) => ({
          name: String(index),
          after: targets.filter((target) => target < index).map(String),
        }));
        const names = namesOf([...items].reverse());
        expect(names).to.have.members(items.map(({ name }) => name));
        for (const { name, after } of items) {
          for (const other of after) expect(names.indexOf(other)).to.be.lessThan(names.indexOf(name));
        }
      }),
    );
  });
});
