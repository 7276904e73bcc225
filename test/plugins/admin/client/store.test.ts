import { expect } from "chai";
import { changesOf, longestRise, wholeOf } from "#plugins/admin/client/form/changes.js";
import { flatten, keepLinks, keysByPosition, newKey } from "#plugins/admin/client/form/shape.js";
import { FormStore } from "#plugins/admin/client/form/store.js";
import { attributes, entry, link, shapes } from "./form-model.js";

const open = (data = entry()) => new FormStore(shapes, attributes, flatten(shapes, attributes, data));

describe("the store of a form", () => {
  it("sends nothing of a document that was opened and not changed", () => {
    expect(changesOf(open())).to.deep.equal({});
  });

  it("sends nothing where a value was changed and changed back", () => {
    const store = open();
    store.set("title", "Two");
    expect(store.changedBelow("")).to.equal(1);
    store.set("title", "One");
    expect(changesOf(store)).to.deep.equal({});
    expect(store.changedBelow("")).to.equal(0);
  });

  it("sends of components their ids and what changed in them", () => {
    const store = open();
    store.set("sections.i2.text", "or to be");
    store.set("sections.i1.source.i9.name", "Prince");
    expect(changesOf(store)).to.deep.equal({
      sections: [
        { __component: "sections.quote", id: 1, source: { id: 9, name: "Prince" } },
        { __component: "sections.quote", id: 2, text: "or to be" },
      ],
    });
  });

  it("sends a new item whole, and without an id", () => {
    const store = open();
    const item = { key: newKey(), id: null, component: "sections.quote" };
    store.insert("sections", item, 1);
    store.set(`sections.${item.key}.text`, "new");
    expect(changesOf(store)["sections"]).to.deep.equal([
      { __component: "sections.quote", id: 1 },
      { __component: "sections.quote", text: "new" },
      { __component: "sections.quote", id: 2 },
    ]);
  });

  it("sends who was taken out of a relation, who came and who moved, and leaves alone what was not read", () => {
    const store = open(entry({ tags: { total: 500, items: [link("a"), link("b"), link("c")] } }));
    store.set("tags", [link("c"), link("a"), link("new")]);
    expect(changesOf(store)["tags"]).to.deep.equal({
      disconnect: [{ documentId: "b" }],
      connect: [
        { documentId: "c", position: { start: true } },
        { documentId: "new", position: { after: "a" } },
      ],
    });
  });

  it("takes another alternative text of a file, and another state of a linked document, for no change of this one", () => {
    const file = { id: 4, documentId: "f", name: "a.png", alternativeText: null, mime: "image/png", url: "/a.png" };
    const store = open(entry({ cover: file, pictures: [file] }));
    store.set("cover", { ...file, alternativeText: "An engine" });
    store.set("pictures", [{ ...file, name: "b.png" }]);
    store.set("tags", [{ ...link("a"), state: "draft" }, link("b"), link("c")]);
    expect(store.changedPaths).to.have.property("size", 0);
    store.set("cover", { ...file, id: 5 });
    store.set("tags", [link("b"), link("a"), link("c")]);
    expect([...store.changedPaths]).to.deep.equal(["cover", "tags"]);
  });

  it("finds what differs in the items of another version by their places, whatever their ids are", () => {
    const store = open();
    const published = entry({
      sections: [
        { __component: "sections.quote", id: 71, text: "to be", stars: 3, source: { id: 79, name: "Prince" } },
        { __component: "sections.quote", id: 72, text: "or not", stars: 4, source: null },
      ],
    });
    const shown = flatten(shapes, attributes, published, keysByPosition(store.base.leaves));
    store.rebase(store.base, shown.leaves);
    expect([...store.changedPaths]).to.deep.equal(["sections.i1.source.i9.name"]);
  });

  it("goes on showing the links that were just made behind the first ones of a relation", () => {
    const store = open(entry({ tags: { total: 500, items: [link("a"), link("b")] } }));
    const sent = new Map([...store.leaves, ["tags", [link("a"), link("b"), link("new")]]]);
    const read = flatten(shapes, attributes, entry({ tags: { total: 501, items: [link("a"), link("b")] } }));
    keepLinks(read, sent);
    expect(read.leaves.get("tags")).to.deep.equal([link("a"), link("b"), link("new")]);
    const other = flatten(shapes, attributes, entry({ tags: { total: 501, items: [link("z"), link("a")] } }));
    keepLinks(other, sent);
    expect(other.leaves.get("tags")).to.deep.equal([link("z"), link("a")]);
  });

  it("sends files by their ids", () => {
    const store = open();
    store.set("cover", { id: 7, name: "a.png" });
    store.set("pictures", [{ id: 8 }, { id: 9 }]);
    expect(changesOf(store)).to.deep.equal({ cover: 7, pictures: [8, 9] });
  });

  it("sends of a new document what has a value", () => {
    const store = new FormStore(shapes, attributes, flatten(shapes, attributes, {}));
    store.set("title", "New");
    expect(wholeOf(store)).to.deep.include({ title: "New" });
    expect(wholeOf(store)).not.to.have.any.keys("count", "cover");
  });

  it("tells a field of its own value only, and a card of what changes below it", () => {
    const store = open();
    const heard: string[] = [];
    for (const path of ["title", "count", "sections.i1", "sections.i2", "sections.i1.text"])
      store.subscribe(path, () => heard.push(path));
    store.set("sections.i1.text", "changed");
    expect(heard).to.deep.equal(["sections.i1.text", "sections.i1"]);
    store.set("title", "changed");
    expect(heard.slice(2)).to.deep.equal(["title"]);
  });

  it("puts a problem that the server names by index at the item with its key, and forgets it once that is changed", () => {
    const store = open();
    store.set("sections", [...store.itemsAt("sections")].reverse());
    store.setProblems([{ path: ["sections", 0, "text"], message: "is wrong" }]);
    expect(store.problemsAt("sections.i2.text")).to.deep.equal(["is wrong"]);
    expect(store.problemsBelow("sections.i2")).to.equal(1);
    store.set("sections.i2.text", "right");
    expect(store.problemsBelow("")).to.equal(0);
  });

  it("finds the longest run that kept its order", () => {
    expect([...longestRise([2, 0, 1, -1, 3])].sort()).to.deep.equal([1, 2, 4]);
    expect([...longestRise([])]).to.deep.equal([]);
  });
});
