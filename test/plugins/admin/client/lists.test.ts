import { expect } from "chai";
import { fitOf, fitting, hrefOf } from "#plugins/admin/client/app/palette/entries.js";
import { canBeSet, modesOf, sentBy } from "#plugins/admin/client/screens/list/set-modes.js";
import {
  hasChanges,
  inOrder,
  isBare,
  isSpecial,
  moved,
  searchOf,
  stateOf,
} from "#plugins/admin/client/screens/list/views/view-state.js";
import type { AttributeView } from "@plinth/plugin-admin";

const attribute = (more: Partial<AttributeView>): AttributeView => ({
  ...{ kind: "string", label: "A", hint: null, placeholder: null, width: 6, isRequired: false, isEditable: true },
  ...{ isVisible: true, isLocalized: false, isUnique: false },
  ...more,
});

describe("the state of a saved view", () => {
  const filters = { $and: [{ title: { $eq: "a" } }] };
  const state = { q: "x", filters, columns: ["title"], size: 50 as const };
  const view = { id: "v", state };

  it("is the address without its page, and leads to the same list", () => {
    const search = searchOf(view);
    expect(stateOf({ ...search, cursor: "next" }, ["title"])).to.deep.equal(state);
    expect(hasChanges(view, { ...search, cursor: "next" }, [])).to.equal(false);
  });

  it("has changed where search, filters, order, columns, language or page size are others", () => {
    const search = searchOf(view);
    for (const change of [
      { q: "y" },
      { filters: { $and: [] } },
      { sort: "title:asc" },
      { columns: ["rank"] },
      { locale: "fr" },
      { size: 25 },
    ])
      expect(hasChanges(view, { ...search, ...change }, []), JSON.stringify(change)).to.equal(true);
  });

  it("of a view that names no columns is compared with those of the list", () => {
    expect(hasChanges({ state: { q: "x" } }, { q: "x", view: "v" }, ["title", "rank"])).to.equal(false);
    expect(hasChanges({ state: { q: "x" } }, { q: "x", view: "v", columns: ["rank"] }, ["title", "rank"])).to.equal(
      true,
    );
  });

  it("is nothing on a bare address, and worth to be saved once something is said", () => {
    expect([isBare({}), isBare({ view: "all" })]).to.deep.equal([true, false]);
    expect([isSpecial({}), isSpecial({ view: "all", cursor: "c" }), isSpecial({ q: "a" })]).to.deep.equal([
      false,
      false,
      true,
    ]);
  });

  it("has an order of its reader, in which a view moves a place at a time", () => {
    const views = [{ id: "a" }, { id: "b" }, { id: "c" }];
    expect(inOrder(views, ["c", "gone"]).map(({ id }) => id)).to.deep.equal(["c", "a", "b"]);
    expect(moved(views, "c", -1)).to.deep.equal(["a", "c", "b"]);
    expect(moved(views, "a", -1)).to.deep.equal(["a", "b", "c"]);
  });
});

describe("what is found in the palette", () => {
  const entry = (label: string, words?: string) => ({ id: label, label, icon: "file" as const, words });

  it("has every word that was typed, without accents and capitals, and the closest first", () => {
    const entries = [entry("Of Articles"), entry("Particles"), entry("Article"), entry("Other"), entry("articles")];
    const [group] = fitting([{ id: "g", title: "G", entries }], "ARTICLES");
    expect(group?.entries.map(({ label }) => label)).to.deep.equal(["articles", "Of Articles", "Particles"]);
    expect(fitOf(entry("Éléments"), "elem")).to.equal(3);
    expect(fitOf(entry("New Tag", "label"), "tag new")).to.equal(2);
    expect(fitOf(entry("A", "csv"), "csv")).to.equal(2);
    expect(fitOf(entry("C++ (notes)"), "c++ (")).to.equal(3);
  });

  it("leaves out groups without anything, and leads to documents in their language", () => {
    expect(fitting([{ id: "g", title: "G", entries: [] }], "")).to.deep.equal([]);
    expect(hrefOf({ uid: "api::a.a", documentId: "d", locale: "fr" }, false)).to.equal("/content/api::a.a/d?locale=fr");
    expect(hrefOf({ uid: "api::h.h", documentId: "d", locale: null }, true)).to.equal("/single/api::h.h");
  });
});

describe("one value for several documents", () => {
  const links = { connect: [{ documentId: "a", position: { start: true as const } }] };
  const many = attribute({ kind: "relation", isMultiple: true });

  it("is set, added, taken out, put in place or emptied, as the field lets it", () => {
    expect(modesOf(attribute({}))).to.deep.equal(["set", "clear"]);
    expect(modesOf(attribute({ isRequired: true }))).to.deep.equal(["set"]);
    expect(modesOf(many)).to.deep.equal(["add", "remove", "replace", "clear"]);
    expect(sentBy("add", many, links)).to.equal(links);
    expect(sentBy("remove", many, links)).to.deep.equal({ disconnect: [{ documentId: "a" }] });
    expect(sentBy("replace", many, links)).to.deep.equal({ set: [{ documentId: "a" }] });
    expect(sentBy("clear", many, undefined)).to.deep.equal({ set: [] });
    expect(sentBy("clear", attribute({ kind: "media", isMultiple: true }), undefined)).to.deep.equal([]);
    expect(sentBy("clear", attribute({ kind: "integer" }), undefined)).to.equal(null);
    expect(sentBy("set", attribute({}), "x")).to.equal("x");
  });

  it("is none of what has to differ, or may not be seen or changed", () => {
    expect(canBeSet(attribute({}))).to.equal(true);
    for (const more of [
      { isUnique: true },
      { isEditable: false },
      { isVisible: false },
      { kind: "uid" },
      { kind: "password" },
    ] as const)
      expect(canBeSet(attribute(more)), JSON.stringify(more)).to.equal(false);
  });
});
