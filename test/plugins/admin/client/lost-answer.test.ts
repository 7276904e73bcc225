import { expect } from "chai";
import { merge } from "#plugins/admin/client/form/merge.js";
import { isStoredValue } from "#plugins/admin/client/form/stored-value.js";
import { flatten, type ItemRef, type Leaves } from "#plugins/admin/client/form/shape.js";
import { baseAfter, flattenAgain } from "#plugins/admin/client/form/stored.js";
import type { Entry } from "#plugins/admin/src/wire/content.js";
import { attribute, attributes, entry, shapes } from "./form-model.js";

type Data = Readonly<Record<string, unknown>>;

const NEW: ItemRef = { key: "n1", id: null, component: "sections.quote" };
const [first, second] = entry()["sections"] as [Data, Data];

/** A form with one new part at the end, and what its save sent. */
function withNewPart(text: string): Leaves {
  const base = flatten(shapes, attributes, entry()).leaves;
  return new Map([
    ...base,
    ["sections", [...(base.get("sections") as readonly ItemRef[]), NEW]],
    ["sections.n1.text", text],
    ["sections.n1.stars", 3],
    ["sections.n1.source", []],
  ]);
}

/** What comes of a form whose save was not answered, when the document is read again. */
function after(stored: Data, sent: Leaves, mine: Leaves = sent) {
  const base = flatten(shapes, attributes, entry()).leaves;
  const read = flattenAgain({ shapes, attributes, entry: stored as Entry, base, mine: sent });
  const rests = baseAfter({ shapes, attributes, base, sent, mine, stored: read });
  return merge({ shapes, base: rests, mine, theirs: read }, attributes);
}

const itemsOf = (leaves: Leaves) => (leaves.get("sections") as readonly ItemRef[]).map(({ key, id }) => [key, id]);

describe("a save whose answer was lost", () => {
  const third = { __component: "sections.quote", id: 57, text: "new", stars: 3, source: null };

  it("finds its new part in the document, and keeps it once", () => {
    const { leaves, overlaps } = after(entry({ sections: [first, second, third] }), withNewPart("new"));
    expect(itemsOf(leaves)).to.deep.equal([
      ["i1", 1],
      ["i2", 2],
      ["n1", 57],
    ]);
    expect(overlaps).to.deep.equal([]);
  });

  it("keeps what was typed into that part since, and asks nobody", () => {
    const mine = new Map([...withNewPart("new"), ["sections.n1.text", "newer"] as const]);
    const { leaves, overlaps } = after(entry({ sections: [first, second, third] }), withNewPart("new"), mine);
    expect([leaves.get("sections.n1.text"), itemsOf(leaves).length, overlaps]).to.deep.equal(["newer", 3, []]);
  });

  it("takes a part out that was taken out since", () => {
    const sent = withNewPart("new");
    const mine = new Map([...sent, ["sections", (sent.get("sections") as readonly ItemRef[]).slice(0, 2)] as const]);
    expect(itemsOf(after(entry({ sections: [first, second, third] }), sent, mine).leaves)).to.deep.equal([
      ["i1", 1],
      ["i2", 2],
    ]);
  });

  it("keeps its new part where nothing was stored, and where another one has other values", () => {
    expect(itemsOf(after(entry(), withNewPart("new")).leaves)).to.deep.equal([
      ["i1", 1],
      ["i2", 2],
      ["n1", null],
    ]);
    const other = { ...third, text: "of somebody else" };
    const { leaves } = after(entry({ sections: [first, second, other] }), withNewPart("new"));
    expect(itemsOf(leaves).map(([key]) => key)).to.have.members(["i1", "i2", "i57", "n1"]);
  });

  it("still takes out what it had taken out, where nothing was stored", () => {
    const base = flatten(shapes, attributes, entry()).leaves;
    const sent = new Map([...base, ["sections", (base.get("sections") as readonly ItemRef[]).slice(1)] as const]);
    expect(itemsOf(after(entry(), sent).leaves)).to.deep.equal([["i2", 2]]);
  });

  it("asks where somebody else changed what was sent", () => {
    const sent = new Map([...withNewPart("new"), ["title", "Mine"] as const]);
    const { overlaps } = after(entry({ title: "Theirs" }), sent);
    expect(overlaps.map(({ path }) => path)).to.deep.equal(["title"]);
  });

  it("knows values again that the server writes in its own way", () => {
    const same = (kind: Parameters<typeof attribute>[0], sent: unknown, stored: unknown) =>
      isStoredValue(attribute(kind), sent, stored);
    expect(same("decimal", "1.50", "1.5")).to.equal(true);
    expect(same("time", "10:00", "10:00:00.000")).to.equal(true);
    expect(same("datetime", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z")).to.equal(true);
    expect(same("json", '{"a":1}', '{\n  "a": 1\n}')).to.equal(true);
    expect(same("uid", null, "made-by-the-server")).to.equal(true);
    expect(same("text", undefined, null)).to.equal(true);
    expect([same("decimal", "1.5", "1.6"), same("json", "{", "{}"), same("text", "a", "b")]).to.deep.equal([
      false,
      false,
      false,
    ]);
  });
});
