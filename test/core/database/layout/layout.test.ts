import { expect } from "chai";
import { type Layout, linkCode, tableOf } from "#core/database/layout/layout.js";
import { buildModel } from "#core/schema/build-model.js";

const note = { uid: "api::note.note", info: { singularName: "note", pluralName: "notes" }, attributes: {} };
const model = buildModel({ contentTypes: [note], components: [], defaultLocale: "en", locales: [] });

describe("the layout of a database", () => {
  const type = model.contentTypes.get(note.uid)!;
  const table = { type, table: "notes", links: "notes_links", codes: new Map([["tags", 3]]) };
  const layout: Layout = { model, tables: new Map([[note.uid, table]]) };

  it("knows the table of a content-type and the codes of its links", () => {
    expect(tableOf(layout, note.uid)).to.equal(table);
    expect(linkCode(table, "tags")).to.equal(3);
  });

  it("names what it does not know (PLINTH_LAYOUT_MISSING)", () => {
    expect(() => tableOf(layout, "api::nope.nope"))
      .to.throw('no table for "api::nope.nope"')
      .with.property("code", "PLINTH_LAYOUT_MISSING");
    expect(() => linkCode(table, "friends"))
      .to.throw('"friends" for "api::note.note"')
      .with.property("code", "PLINTH_LAYOUT_MISSING");
  });
});
