import { expect } from "chai";
import fc from "fast-check";
import { changeList, type Placed, placeList } from "#core/documents/write/link-list.js";

const target = (documentId: string) => ({ documentId, type: "" });
const text = (list: readonly { documentId: string }[]) => list.map(({ documentId }) => documentId).join("");

describe("lists of links", () => {
  it("what is not moved keeps its position, so only what changes is written", () => {
    const current = placeList([], [..."abcdef"].map(target), 1000);
    const changed = changeList(
      current,
      {
        connect: [{ target: target("x"), place: { side: "after", reference: target("b") }, isStrict: true }],
        disconnect: [target("e")],
      },
      "list",
    );
    const placed = placeList(current, changed, 2000);
    expect(text(placed)).to.equal("abxcdf");
    const kept = placed.filter((item) =>
      current.some((old) => old.documentId === item.documentId && old.position === item.position),
    );
    expect(text(kept)).to.equal("abcdf");
  });

  it("new links at the end are placed at the present time, later than all before them", () => {
    const [first, second] = placeList([{ ...target("a"), position: 5000 }], [target("a"), target("b")], 1000);
    expect(second?.position).to.be.greaterThan(first?.position ?? 0);
    expect(placeList([], [target("a")], 1000)).to.deep.equal([{ documentId: "a", type: "", position: 1000 }]);
  });

  it("positions stand in the order of the list, whatever was done to it and however often", () => {
    const step = fc.record({
      name: fc.constantFrom(..."abcdefgh"),
      reference: fc.constantFrom(..."abcdefgh"),
      side: fc.constantFrom("before" as const, "after" as const, "start" as const, "end" as const),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        let list: readonly Placed[] = [];
        let now = Date.parse("2026-01-01");
        for (const { name, reference, side } of steps) {
          const place = side === "start" || side === "end" ? { end: side } : { side, reference: target(reference) };
          const changed = changeList(
            list,
            { connect: [{ target: target(name), place, isStrict: false }], disconnect: [] },
            "list",
          );
          now += 1;
          list = placeList(list, changed, now);
          expect(text(list)).to.equal(text(changed));
          expect(text([...list].sort((a, b) => a.position - b.position))).to.equal(text(changed));
          expect(new Set(list.map(({ position }) => position)).size).to.equal(list.length);
        }
      }),
    );
  });
});
