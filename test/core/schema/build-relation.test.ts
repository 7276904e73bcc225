import { expect } from "chai";
import type { ContentModel, RelationAttribute } from "#core/schema/model.js";
import type { RawAttribute } from "#core/schema/raw.js";
import { complaints, component, modelOf, problemsOf, type } from "./raw-schemas.js";
import type { Attributes } from "./raw-schemas.js";

function relation(model: ContentModel, uid: string, name: string): RelationAttribute {
  const attribute = model.contentTypes.get(uid)?.attributes.get(name);
  if (attribute?.kind !== "relation" && attribute?.kind !== "media") throw new TypeError(`${name} is not a relation`);
  return attribute;
}

describe("relations", () => {
  const target = (attributes: Attributes = {}) => type("target", attributes);
  const to = (relation: string, more: object = {}) => ({
    type: "relation",
    relation,
    target: "api::target.target",
    ...more,
  });
  const back = (relation: string, more: object) => ({ type: "relation", relation, target: "api::post.post", ...more });

  it("are stored in a column or as links when they go one way", () => {
    const model = modelOf([
      type("post", {
        a: to("oneToOne"),
        b: to("oneToMany"),
        c: to("manyToOne"),
        d: to("manyToMany"),
      }),
      target(),
    ]);
    const storages = ["a", "b", "c", "d"].map((name) => relation(model, "api::post.post", name).storage);
    expect(storages).to.deep.equal(["column", "links", "column", "links"]);
    expect(relation(model, "api::post.post", "a").isExclusive).to.equal(false);
  });

  it("are stored on the owning side only when they go two ways", () => {
    const model = modelOf([
      type("post", {
        one: to("oneToOne", { inversedBy: "one" }),
        parent: to("manyToOne", { inversedBy: "children" }),
        many: to("manyToMany", { inversedBy: "many" }),
      }),
      target({
        one: back("oneToOne", { mappedBy: "one" }),
        children: back("oneToMany", { mappedBy: "parent" }),
        many: back("manyToMany", { mappedBy: "many" }),
      }),
    ]);
    expect(relation(model, "api::post.post", "one")).to.include({ storage: "column", isExclusive: true });
    expect(relation(model, "api::post.post", "parent")).to.include({ storage: "column", column: "parent" });
    expect(relation(model, "api::post.post", "many")).to.include({ storage: "links", isMany: true });
    for (const name of ["one", "children", "many"]) {
      expect(relation(model, "api::target.target", name)).to.include({ storage: "inverse", column: undefined });
    }
  });

  it("may lead to themselves", () => {
    const model = modelOf([
      type("post", {
        parent: back("manyToOne", { inversedBy: "children" }),
        children: back("oneToMany", { mappedBy: "parent" }),
      }),
    ]);
    expect(relation(model, "api::post.post", "children").mappedBy).to.equal("parent");
  });

  it("may be polymorphic in all four forms", () => {
    const model = modelOf([
      type("post", {
        one: { type: "relation", relation: "morphToOne" },
        many: { type: "relation", relation: "morphToMany" },
      }),
      target({ posts: back("morphMany", { morphBy: "many" }), post: back("morphOne", { morphBy: "one" }) }),
    ]);
    expect(relation(model, "api::post.post", "one")).to.include({
      storage: "column",
      isPolymorphic: true,
      target: undefined,
    });
    expect(relation(model, "api::post.post", "many")).to.include({ storage: "links", isMany: true });
    expect(relation(model, "api::target.target", "posts")).to.include({
      storage: "inverse",
      mappedBy: "many",
      isMany: true,
    });
    expect(relation(model, "api::target.target", "post")).to.include({
      storage: "inverse",
      mappedBy: "one",
      isMany: false,
    });
  });

  describe("of media", () => {
    const media = { cover: { type: "media", allowedTypes: ["images"] }, all: { type: "media", multiple: true } };
    const assets = { ...type("asset", { kind: { type: "string" } }), files: { mime: "kind" } };

    it("lead to the content-type that says that its documents are files, which shows what uses them", () => {
      const model = modelOf([type("post", media), assets]);
      expect(relation(model, "api::post.post", "cover")).to.include({ storage: "column", target: "api::asset.asset" });
      expect(relation(model, "api::post.post", "all")).to.include({ storage: "links", isMany: true });
      expect(relation(model, "api::asset.asset", "related")).to.include({ storage: "uses" });
      expect([model.fileType, model.contentTypes.get("api::asset.asset")?.mimeColumn]).to.deep.equal([
        "api::asset.asset",
        "kind",
      ]);
    });

    it("may be there before a type of files is, and lead to nothing then", () => {
      const model = modelOf([type("post", media)]);
      expect(relation(model, "api::post.post", "cover")).to.include({ storage: "column", target: "plinth::file" });
      expect(model.fileType).to.equal(undefined);
    });

    it("are refused with two types of files, and with one that does not say what is in a file", () => {
      const number = { ...type("page", { kind: { type: "integer" } }), files: { mime: "kind" } };
      const [problem, ...others] = problemsOf([assets, number]);
      expect(problem?.message).to.equal("api::asset.asset holds the files of this app already.");
      expect(others.map(({ path }) => path)).to.deep.equal(["files.mime"]);
    });
  });

  it("are refused when the target or the other side is missing", () => {
    const problems = problemsOf([
      type("post", {
        a: { type: "relation", relation: "oneToOne", target: "api::taget.target" },
        b: to("manyToOne", { inversedBy: "post" }),
      }),
      target({ posts: { type: "string" } }),
    ]);
    expect(problems.map(({ path }) => path)).to.deep.equal(["attributes.a.target", "attributes.b.inversedBy"]);
    expect(problems[0]?.remedy).to.contain('Did you mean "api::target.target"?');
  });

  it("are refused when the two sides disagree", () => {
    const cases: [object, object, string][] = [
      [
        to("manyToOne", { inversedBy: "back" }),
        back("oneToMany", { mappedBy: "other" }),
        'has mappedBy "other" in place of "a"',
      ],
      [
        to("manyToOne", { inversedBy: "back" }),
        back("manyToMany", { mappedBy: "a" }),
        "the other side of a manyToOne is a oneToMany",
      ],
      [to("manyToOne"), back("oneToMany", { mappedBy: "a" }), 'has inversedBy missing in place of "back"'],
      [to("manyToMany", { inversedBy: "back" }), { type: "string" }, "is not a relation"],
      [to("oneToOne", { inversedBy: "back" }), to("oneToOne", { mappedBy: "a" }), "leads to api::target.target"],
    ];
    for (const [here, there, expected] of cases) {
      const problems = problemsOf([type("post", { a: here as RawAttribute }), target({ back: there as RawAttribute })]);
      expect(problems.map(({ message }) => message).join("\n")).to.contain(expected);
    }
  });

  it("are refused with options that their form does not have", () => {
    expect(
      complaints({ a: { type: "relation", relation: "manyToOne", target: "api::post.post", mappedBy: "a" } })[0],
    ).to.equal("attributes.a.mappedBy: A manyToOne has no mappedBy.");
    expect(complaints({ a: { type: "relation", relation: "morphToOne", target: "api::post.post" } })).to.have.lengthOf(
      1,
    );
    expect(complaints({ a: { type: "relation", relation: "morphMany", target: "api::post.post" } })[0]).to.contain(
      "morphBy",
    );
    expect(complaints({ a: { type: "relation", relation: "manyToFew", target: "api::post.post" } })[0]).to.contain(
      "manyToFew",
    );
    expect(complaints({ a: { type: "relation", target: "api::post.post" } })[0]).to.contain("missing");
  });

  it("inside components go one way", () => {
    const problems = problemsOf(
      [target()],
      [component("shared.link", { to: to("manyToOne", { inversedBy: "links" }) })],
    );
    expect(problems).to.have.lengthOf(1);
    expect(problems[0]?.message).to.equal("Relations inside components are one-way.");
  });
});
