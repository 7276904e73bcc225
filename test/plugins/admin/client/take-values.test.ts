import { expect } from "chai";
import { counterpartOf } from "#plugins/admin/client/form/counterpart.js";
import { flatten } from "#plugins/admin/client/form/shape.js";
import { FormStore } from "#plugins/admin/client/form/store.js";
import { takenOf, takenPart } from "#plugins/admin/client/form/transfer.js";
import { focusedPath } from "#plugins/admin/client/screens/edit/preview/focused-path.js";
import { attribute, attributes, shapes } from "./form-model.js";

const formOf = (data: Readonly<Record<string, unknown>>) =>
  new FormStore(shapes, attributes, flatten(shapes, attributes, data));
const quote = (id: number, text: string, more: object = {}) => ({ __component: "sections.quote", id, text, ...more });
const apply = (to: FormStore, taken: ReturnType<typeof takenOf>) =>
  to.apply(taken.map(({ to: path, value }) => [path, value] as const));
const textsOf = (store: FormStore) => store.itemsAt("sections").map(({ key }) => store.get(`sections.${key}.text`));

describe("taking values of another language", () => {
  it("finds the part at the same place, and none of another kind or behind the last", () => {
    const mine = formOf({ sections: [quote(1, "a"), quote(2, "b")] });
    const other = formOf({ sections: [quote(7, "x")] });
    expect(counterpartOf(mine.leaves, other.leaves, "title")).to.equal("title");
    expect(counterpartOf(mine.leaves, other.leaves, "sections.i1.text")).to.equal("sections.i7.text");
    expect(counterpartOf(mine.leaves, other.leaves, "sections.i2.text")).to.equal(undefined);
    mine.set("sections", [...mine.itemsAt("sections")].reverse());
    expect(counterpartOf(mine.leaves, other.leaves, "sections.i2.text")).to.equal("sections.i7.text");
  });

  it("takes one value, and nothing of what may not be changed or is a password", () => {
    const from = formOf({ title: "Other" });
    const to = formOf({ title: "Mine" });
    apply(to, takenOf({ from, to }, attribute("string"), "title", "title"));
    expect(to.get("title")).to.equal("Other");
    for (const kept of [attribute("string", { isEditable: false }), attribute("password")])
      expect(takenOf({ from, to }, kept, "title", "title")).to.deep.equal([]);
  });

  it("takes all parts: those of the same kind stay the ones that they are, and others are new", () => {
    const from = formOf({ sections: [quote(7, "x", { source: { id: 3, name: "S" } }), quote(8, "y")] });
    const to = formOf({ sections: [quote(1, "a")] });
    const zone = attributes["sections"] ?? attribute("dynamiczone");
    apply(to, takenOf({ from, to }, zone, "sections", "sections"));
    expect(textsOf(to)).to.deep.equal(["x", "y"]);
    const [first, second] = to.itemsAt("sections");
    expect([first?.id, first?.key, second?.id]).to.deep.equal([1, "i1", null]);
    const [source] = to.itemsAt("sections.i1.source");
    expect([source?.id, to.get(`sections.i1.source.${source?.key}.name`)]).to.deep.equal([null, "S"]);
  });

  it("takes one part to a place, and of a single component in place of what is there", () => {
    const from = formOf({ sections: [quote(7, "x")], seo: { id: 5, name: "Other" } });
    const to = formOf({ sections: [quote(1, "a"), quote(2, "b")], seo: { id: 9, name: "Mine" } });
    const take = (name: "sections" | "seo", index: number) => {
      const [item] = from.itemsAt(name);
      if (item)
        apply(
          to,
          takenPart({ from, to }, attributes[name] ?? attribute("json"), { item, from: name, to: name, index }),
        );
    };
    take("sections", 1);
    expect(textsOf(to)).to.deep.equal(["a", "x", "b"]);
    take("seo", 0);
    const [seo, ...others] = to.itemsAt("seo");
    expect([to.get(`seo.${seo?.key}.name`), others]).to.deep.equal(["Other", []]);
  });
});

describe("what a front end asks for", () => {
  it("is a field by its path, and no other message", () => {
    expect(focusedPath({ type: "plinth:focus", path: "sections.0.text" })).to.deep.equal(["sections", "0", "text"]);
    for (const message of [
      null,
      "plinth:focus",
      { type: "plinth:focus" },
      { type: "other", path: "title" },
      { type: "plinth:focus", path: "a b" },
      { type: "plinth:focus", path: 3 },
    ])
      expect(focusedPath(message), JSON.stringify(message)).to.equal(undefined);
  });
});
