import { expect } from "chai";
import {
  conversionOf,
  KINDS,
  kindsAfter,
  newAttribute,
  withKind,
} from "#plugins/admin/client/screens/builder/attribute-kinds.js";
import {
  type Attributes,
  attributesOf,
  type Draft,
  movedAttribute,
  reverted,
  setAt,
  shapeOf,
  shapesOf,
  withAttribute,
  withNew,
  withSchema,
} from "#plugins/admin/client/screens/builder/draft.js";
import {
  removedAttribute,
  removedShape,
  renamedAttribute,
  withRelation,
} from "#plugins/admin/client/screens/builder/edit-attributes.js";
import { automaticRows, fieldsOf, rowsOf } from "#plugins/admin/client/screens/builder/form-rows.js";
import { kebab, pluralOf } from "#plugins/admin/client/screens/builder/names.js";
import type { SchemaView } from "#plugins/admin/src/wire/builder.js";
import { isScalarKind, SCALAR_TRAITS } from "#core/schema/attribute.js";

const view = (uid: string, attributes: object, more: Partial<SchemaView> = {}): [string, SchemaView] => [
  uid,
  {
    ...{ uid, shape: uid.includes("::") ? "type" : "component", path: `${uid}.json`, form: "whole" },
    ...{ isChangeable: true, base: `of ${uid}`, others: {}, schema: { "x-unknown": 1, attributes } },
    ...more,
  },
];

const BOOK = "api::book.book";
const WRITER = "api::writer.writer";
const PAGE = { admin: { title: "name", list: ["name", "writer"], layout: [["name", "writer"], ["code"]] } };

const draft = (): Draft => ({
  changes: {},
  views: new Map([
    view(
      BOOK,
      {},
      {
        schema: {
          pluginOptions: PAGE,
          attributes: {
            name: { type: "string" },
            code: { type: "uid", targetField: "name" },
            price: { type: "decimal", conditions: { visible: { "==": [{ var: "name" }, "x"] } } },
            writer: { type: "relation", relation: "manyToOne", target: WRITER, inversedBy: "books" },
            parts: { type: "dynamiczone", components: ["shared.part", "shared.note"] },
            part: { type: "component", component: "shared.part" },
          },
        },
      },
    ),
    view(WRITER, { books: { type: "relation", relation: "oneToMany", target: BOOK, mappedBy: "writer" } }),
    view("shared.part", { text: { type: "string", renamedFrom: "old" } }),
    view("shared.note", { text: { type: "string" } }),
    view("plugin::users.user", { phone: { type: "string" } }, { form: "addition" }),
  ]),
});

const attributes = (of: Draft, uid: string): Attributes => {
  const shape = shapeOf(of, uid);
  if (!shape) throw new TypeError(`There is no ${uid}.`);
  return attributesOf(shape);
};

describe("the draft of a content model", () => {
  it("has no change where something is as it was", () => {
    const changed = withAttribute(draft(), WRITER, "age", { type: "integer" });
    expect(shapeOf(changed, WRITER)?.state).to.equal("changed");
    expect(changed.changes[WRITER]).to.include({ base: `of ${WRITER}`, shape: "type" });
    expect(removedAttribute(changed, WRITER, "age").changes).to.deep.equal({});
    expect(reverted(changed, WRITER).changes).to.deep.equal({});
  });

  it("keeps unknown keys, and sends nothing but attributes for a type of a plugin", () => {
    expect(withAttribute(draft(), WRITER, "age", { type: "integer" }).changes[WRITER]?.schema).to.have.property(
      "x-unknown",
      1,
    );
    const addition = withAttribute(draft(), "plugin::users.user", "age", { type: "integer" });
    expect(Object.keys(addition.changes["plugin::users.user"]?.schema ?? {})).to.deep.equal(["attributes"]);
    expect(shapeOf(addition, "plugin::users.user")?.schema).to.have.property("x-unknown", 1);
  });

  it("renames an attribute in its place, and wherever it is named", () => {
    const renamed = renamedAttribute(draft(), BOOK, "name", "title");
    expect(Object.keys(attributes(renamed, BOOK))).to.deep.equal(["title", "code", "price", "writer", "parts", "part"]);
    expect(attributes(renamed, BOOK)["title"]).to.deep.equal({ type: "string", renamedFrom: "name" });
    expect(attributes(renamed, BOOK)["code"]).to.include({ targetField: "title" });
    expect(attributes(renamed, BOOK)["price"]?.["conditions"]).to.deep.equal({
      visible: { "==": [{ var: "title" }, "x"] },
    });
    expect(shapeOf(renamed, BOOK)?.schema["pluginOptions"]).to.deep.equal({
      admin: { title: "title", list: ["title", "writer"], layout: [["title", "writer"], ["code"]] },
    });
    const again = renamedAttribute(renamed, BOOK, "title", "heading");
    expect(attributes(again, BOOK)["heading"]).to.deep.equal({ type: "string", renamedFrom: "name" });
    expect(renamedAttribute(again, BOOK, "heading", "name").changes).to.deep.equal({});
  });

  it("keeps an earlier renaming of an attribute that gets its name back", () => {
    const there = renamedAttribute(draft(), "shared.part", "text", "words");
    expect(attributes(there, "shared.part")["words"]).to.include({ renamedFrom: "text" });
    expect(renamedAttribute(there, "shared.part", "words", "text").changes).to.deep.equal({});
  });

  it("renames on both sides of a relation", () => {
    const renamed = renamedAttribute(draft(), BOOK, "writer", "author");
    expect(attributes(renamed, WRITER)["books"]).to.include({ mappedBy: "author" });
    const mirrored = renamedAttribute(draft(), WRITER, "books", "works");
    expect(attributes(mirrored, BOOK)["writer"]).to.include({ inversedBy: "works" });
  });

  it("removes an attribute with what names it, and the other side of its relation", () => {
    const removed = removedAttribute(draft(), BOOK, "name");
    expect(attributes(removed, BOOK)["code"]).to.deep.equal({ type: "uid" });
    expect(shapeOf(removed, BOOK)?.schema["pluginOptions"]).to.deep.equal({
      admin: { list: ["writer"], layout: [["writer"], ["code"]] },
    });
    expect(attributes(removedAttribute(draft(), BOOK, "writer"), WRITER)).to.deep.equal({});
  });

  it("makes, renames and takes back the other side of a relation", () => {
    const made = withRelation(draft(), WRITER, "friends", { relation: "manyToMany", target: BOOK, other: "readers" });
    expect(attributes(made, WRITER)["friends"]).to.deep.equal({
      ...{ type: "relation", relation: "manyToMany", target: BOOK },
      inversedBy: "readers",
    });
    expect(attributes(made, BOOK)["readers"]).to.deep.equal({
      ...{ type: "relation", relation: "manyToMany", target: WRITER },
      mappedBy: "friends",
    });
    const change = { relation: "manyToOne", target: WRITER, other: "works" };
    const renamed = withRelation(draft(), BOOK, "writer", change);
    expect(attributes(renamed, WRITER)["works"]).to.include({ mappedBy: "writer", renamedFrom: "books" });
    const oneWay = withRelation(draft(), BOOK, "writer", { ...change, other: undefined });
    expect(attributes(oneWay, BOOK)["writer"]).not.to.have.property("inversedBy");
    expect(attributes(oneWay, WRITER)).to.deep.equal({});
    const mirrored = withRelation(draft(), BOOK, "copies", { relation: "oneToMany", target: WRITER, other: "copy" });
    expect(attributes(mirrored, BOOK)["copies"]).to.include({ mappedBy: "copy" });
    expect(attributes(mirrored, WRITER)["copy"]).to.include({ relation: "manyToOne", inversedBy: "copies" });
  });

  it("removes a schema from all that lead to it", () => {
    const removed = removedShape(draft(), "shared.part");
    expect(attributes(removed, BOOK)).not.to.have.property("part");
    expect(attributes(removed, BOOK)["parts"]).to.deep.include({ components: ["shared.note"] });
    expect(shapeOf(removed, "shared.part")?.state).to.equal("removed");
    expect(attributes(removedShape(removed, "shared.note"), BOOK)).not.to.have.property("parts");
    expect(attributes(removedShape(draft(), WRITER), BOOK)).not.to.have.property("writer");
  });

  it("moves attributes, and has new schemas until they are taken back", () => {
    expect(Object.keys(attributes(movedAttribute(draft(), BOOK, 0, 2), BOOK)).slice(0, 3)).to.deep.equal([
      "code",
      "price",
      "name",
    ]);
    expect(movedAttribute(draft(), BOOK, 0, 9).changes).to.deep.equal({});
    const made = withNew(draft(), { uid: "shared.new", shape: "component", schema: { attributes: {} } });
    expect(shapesOf(made).at(-1)).to.include({ uid: "shared.new", state: "new" });
    expect(withSchema(made, "shared.new", null).changes).to.deep.equal({});
  });

  it("removes objects that are left empty by an option", () => {
    expect(setAt({ a: { b: { c: 1 } }, d: 2 }, ["a", "b", "c"], undefined)).to.deep.equal({ d: 2 });
    expect(setAt({}, ["a", "b"], 1)).to.deep.equal({ a: { b: 1 } });
  });
});

describe("kinds of attributes in the builder", () => {
  it("are all that the server knows, with its options", () => {
    const scalar = KINDS.filter(({ kind }) => isScalarKind(kind));
    expect(scalar.map(({ kind }) => kind).toSorted()).to.deep.equal(
      Object.keys(SCALAR_TRAITS).filter(isScalarKind).toSorted(),
    );
    for (const { kind, options } of scalar)
      expect(SCALAR_TRAITS[kind as "string"].options, kind).to.include.members(options.map(({ key }) => key));
  });

  it("keep the options that the next kind has as well", () => {
    const text = { type: "string", required: true, maxLength: 9, default: "a", pluginOptions: { admin: { width: 6 } } };
    expect(withKind(text, "integer")).to.deep.equal({
      type: "integer",
      required: true,
      pluginOptions: { admin: { width: 6 } },
    });
    expect(withKind(text, "text")).to.include({ type: "text", maxLength: 9 });
    expect(newAttribute("component")).to.deep.equal({ type: "component", component: "" });
    expect(kindsAfter({ type: "password" }).map(({ kind }) => kind)).to.deep.equal(["password"]);
    expect(kindsAfter({ type: "string" }).map(({ kind }) => kind)).not.to.include("password");
  });

  it("say what the database does with what is stored", () => {
    const of = (from: string, to: string) => conversionOf({ type: from }, { type: to });
    expect([
      of("string", "text"),
      of("integer", "biginteger"),
      of("date", "string"),
      of("boolean", "text"),
    ]).to.deep.equal(["kept", "kept", "kept", "kept"]);
    expect([of("string", "integer"), of("decimal", "integer"), of("text", "json")]).to.deep.equal([
      "converted",
      "converted",
      "converted",
    ]);
    expect([of("string", "relation"), of("component", "json"), of("media", "relation")]).to.deep.equal([
      "lost",
      "lost",
      "lost",
    ]);
  });

  it("say it of components as well, where nothing is cast", () => {
    const of = (from: string, to: string) => conversionOf({ type: from }, { type: to }, true);
    expect([of("string", "integer"), of("json", "text"), of("date", "datetime")]).to.deep.equal([
      "lost",
      "lost",
      "lost",
    ]);
    expect([of("integer", "decimal"), of("decimal", "float"), of("date", "string")]).to.deep.equal([
      "kept",
      "kept",
      "kept",
    ]);
  });

  it("fill the rows of a form, which can be written down and read again", () => {
    const all = { a: { type: "string" }, b: { type: "string" }, c: { type: "richtext" }, d: { type: "integer" } };
    const rows = automaticRows(all);
    expect(rows).to.deep.equal([["a", "b"], ["c"], ["d"]]);
    expect(rowsOf(fieldsOf(rows))).to.deep.equal(rows);
  });

  it("make names of files and of addresses", () => {
    expect([kebab("Blog post"), kebab("Über uns!"), kebab("9 lives"), kebab("newsItem")]).to.deep.equal([
      ...["blog-post", "uber-uns", "lives", "news-item"],
    ]);
    expect([pluralOf("story"), pluralOf("box"), pluralOf("book")]).to.deep.equal(["stories", "boxes", "books"]);
  });
});
