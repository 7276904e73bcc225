import { expect } from "chai";
import type { RelationChange } from "#core/documents/input.js";
import { corpus, invalid, parse, refusal, rules } from "./bodies.js";

const ARTICLE = "api::article.article";
const PAGE = "api::page.page";
const NOT_AN_ID = "must be the document id or the row id of an entry";

async function change(name: string, value: unknown): Promise<RelationChange | undefined> {
  const { relations } = await parse(corpus, ARTICLE, { [name]: value }, { mode: "update" });
  return relations.get(name);
}

async function typedChange(name: string, value: unknown): Promise<RelationChange | undefined> {
  const { relations } = await parse(rules, PAGE, { [name]: value }, { mode: "update" });
  return relations.get(name);
}

function refused(body: object): Promise<unknown> {
  return refusal(corpus, ARTICLE, body, { mode: "update" });
}

function invalidKey(key: string, path: string): object {
  return {
    status: 400,
    name: "ValidationError",
    message: `Invalid key ${key} at ${path}`,
    details: { key, path, source: "body" },
  };
}

describe("the value of a relation", () => {
  it("names targets by document id or row id, plainly or in objects", async () => {
    const value = ["doc1", 2, "3", { documentId: "4" }, { id: 5 }, { id: "6" }, { id: 7, documentId: "doc7" }];
    expect(await change("categories", value)).to.deep.equal({
      set: [
        { documentId: "doc1" },
        { id: 2 },
        { id: 3 },
        { documentId: "4" },
        { id: 5 },
        { id: 6 },
        { documentId: "doc7" },
      ],
    });
  });

  it("clears by null, an empty list, or set of one of them", async () => {
    for (const value of [null, [], { set: null }, { set: [] }]) {
      expect(await change("author", value)).to.deep.equal({ set: [] });
      expect(await change("categories", value)).to.deep.equal({ set: [] });
    }
  });

  it("asks for no change as an empty object", async () => {
    for (const value of [{}, { connect: [], disconnect: null }, { options: { strict: true } }]) {
      expect(await change("categories", value)).to.equal(undefined);
    }
  });

  it("takes one target, or a list of one, where one belongs", async () => {
    for (const value of ["a", ["a"], { documentId: "a" }, { set: "a" }, { set: [{ documentId: "a" }] }]) {
      expect(await change("author", value)).to.deep.equal({ set: [{ documentId: "a" }] });
    }
    expect(await change("author", { connect: "a" })).to.deep.equal({
      connect: [{ target: { documentId: "a" }, isStrict: true }],
      disconnect: [],
    });
  });

  it("is refused with several targets where one belongs", async () => {
    const text = "must be one entry at most, but 2 were given";
    const value = ["a", "b"];
    expect(await refused({ author: value })).to.deep.equal(
      invalid({ path: ["author"], message: `author ${text}`, value }),
    );
    expect(await refused({ cover: value })).to.deep.equal(
      invalid({ path: ["cover"], message: `cover ${text}`, value }),
    );
    expect(await refused({ author: { connect: value } })).to.deep.equal(
      invalid({ path: ["author", "connect"], message: `author.connect ${text}`, value }),
    );
  });

  it("counts a target that is named twice once", async () => {
    expect(await change("categories", ["b", "a", { documentId: "b" }, "a"])).to.deep.equal({
      set: [{ documentId: "b" }, { documentId: "a" }],
    });
    expect(await change("categories", { connect: ["b", "a", "b"], disconnect: [1, "1"] })).to.deep.equal({
      connect: [
        { target: { documentId: "b" }, isStrict: true },
        { target: { documentId: "a" }, isStrict: true },
      ],
      disconnect: [{ id: 1 }],
    });
  });

  it("connects at positions", async () => {
    const connect = [
      { documentId: "a", position: { before: "b" } },
      { id: 2, position: { after: { documentId: "c" } } },
      { documentId: "d", position: { start: true, end: false } },
      { documentId: "e", position: { end: true } },
      { documentId: "f", position: {} },
    ];
    expect(await change("categories", { connect, options: { strict: false } })).to.deep.equal({
      connect: [
        { target: { documentId: "a" }, position: { before: { documentId: "b" } }, isStrict: false },
        { target: { id: 2 }, position: { after: { documentId: "c" } }, isStrict: false },
        { target: { documentId: "d" }, position: { start: true }, isStrict: false },
        { target: { documentId: "e" }, position: { end: true }, isStrict: false },
        { target: { documentId: "f" }, isStrict: false },
      ],
      disconnect: [],
    });
  });

  it("takes status and locale without effect, in good form only", async () => {
    const target = { documentId: "a", status: "draft", locale: "fr" };
    expect(await change("related", [target])).to.deep.equal({ set: [{ documentId: "a" }] });
    expect(await refused({ related: [{ ...target, status: "old" }] })).to.deep.equal(
      invalid({
        path: ["related", "0", "status"],
        message: "related[0].status must be one of the following values: draft, published",
        value: "old",
      }),
    );
    expect(
      await refused({ related: { connect: [{ documentId: "a", position: { end: true, locale: 5 } }] } }),
    ).to.have.property(
      "message",
      "related.connect[0].position.locale must be a `string` type, but the final value was: `5`.",
    );
  });

  it("is refused when it names no target, with the path to it", async () => {
    for (const value of ["", true, 1.5, "a\u0000b"]) {
      expect(await refused({ author: value })).to.deep.equal(
        invalid({ path: ["author"], message: `author ${NOT_AN_ID}`, value }),
      );
    }
    expect(await refused({ categories: { disconnect: true } })).to.deep.equal(
      invalid({ path: ["categories", "disconnect"], message: `categories.disconnect ${NOT_AN_ID}`, value: true }),
    );
    expect(await refused({ categories: ["a", null, ["b"]] })).to.deep.equal(
      invalid(
        { path: ["categories", "1"], message: `categories[1] ${NOT_AN_ID}`, value: null },
        { path: ["categories", "2"], message: `categories[2] ${NOT_AN_ID}`, value: ["b"] },
      ),
    );
    expect(await refused({ categories: { disconnect: [{ documentId: 9999 }] } })).to.have.property(
      "message",
      "categories.disconnect[0].documentId must be a `string` type, but the final value was: `9999`.",
    );
  });

  it("is refused with unknown keys, wherever they stand", async () => {
    expect(await refused({ categories: { add: ["a"] } })).to.deep.equal(invalidKey("add", "categories"));
    expect(await refused({ categories: [{ documentId: "a", name: "x" }] })).to.deep.equal(
      invalidKey("name", "categories"),
    );
    expect(await refused({ author: { documentId: "a", __type: ARTICLE } })).to.deep.equal(
      invalidKey("__type", "author"),
    );
    expect(await refused({ categories: { connect: [{ documentId: "a", position: { above: "b" } }] } })).to.deep.equal(
      invalidKey("above", "categories.connect.position"),
    );
    expect(await refused({ categories: { options: { loose: true } } })).to.deep.equal(
      invalidKey("loose", "categories.options"),
    );
    expect(await refused({ cover: JSON.parse('{ "__proto__": 1 }') as unknown })).to.deep.equal(
      invalidKey("__proto__", "cover"),
    );
  });

  it("is refused when part of it would have to be dropped", async () => {
    expect(await refused({ categories: { set: ["a"], connect: ["b"] } })).to.deep.equal(
      invalid({ path: ["categories", "set"], message: "categories.set cannot be combined with connect or disconnect" }),
    );
    const connect = [{ documentId: "a", position: { start: true, before: "b" } }];
    expect(await refused({ categories: { connect } })).to.have.property(
      "message",
      "categories.connect[0].position must have only one of before, after, start and end",
    );
  });

  it("is refused when a position or an option has the wrong type", async () => {
    const connect = [{ documentId: "a", position: { start: "yes" } }];
    expect(await refused({ categories: { connect } })).to.have.property(
      "message",
      'categories.connect[0].position.start must be a `boolean` type, but the final value was: `"yes"`.',
    );
    expect(await refused({ categories: { connect: ["a"], options: { strict: "no" } } })).to.have.property(
      "message",
      'categories.options.strict must be a `boolean` type, but the final value was: `"no"`.',
    );
  });
});

describe("the value of a polymorphic relation", () => {
  it("names the type of each target", async () => {
    const page = { __type: PAGE, documentId: "a" };
    expect(await typedChange("subject", page)).to.deep.equal({ set: [{ documentId: "a", type: PAGE }] });
    expect(await typedChange("subjects", { disconnect: [{ __type: "api::leaf.leaf", id: 4 }] })).to.deep.equal({
      connect: [],
      disconnect: [{ id: 4, type: "api::leaf.leaf" }],
    });
  });

  it("takes the reference of a position for one of the same type, unless it names another", async () => {
    const connect = [
      { __type: PAGE, documentId: "a", position: { before: "b" } },
      { __type: PAGE, documentId: "c", position: { after: { __type: "api::leaf.leaf", documentId: "d" } } },
      { __type: PAGE, documentId: "e", position: { after: "f", __type: "api::leaf.leaf" } },
    ];
    const result = await typedChange("subjects", { connect });
    expect(result)
      .to.have.property("connect")
      .that.deep.equals([
        {
          target: { documentId: "a", type: PAGE },
          position: { before: { documentId: "b", type: PAGE } },
          isStrict: true,
        },
        {
          target: { documentId: "c", type: PAGE },
          position: { after: { documentId: "d", type: "api::leaf.leaf" } },
          isStrict: true,
        },
        {
          target: { documentId: "e", type: PAGE },
          position: { after: { documentId: "f", type: "api::leaf.leaf" } },
          isStrict: true,
        },
      ]);
  });

  it("is refused without a type, or with one that does not exist", async () => {
    expect(await refusal(rules, PAGE, { subjects: ["a", { __type: "api::no.no", documentId: "b" }] })).to.deep.equal(
      invalid(
        { path: ["subjects", "0", "__type"], message: "subjects[0].__type is a required field" },
        {
          path: ["subjects", "1", "__type"],
          message: "subjects[1].__type must be the uid of a content-type",
          value: "api::no.no",
        },
      ),
    );
  });
});
