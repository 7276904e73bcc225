import { expect } from "chai";
import { checkPublishable } from "#core/documents/input/check-publishable.js";
import { corpus, rules, typeOf } from "./bodies.js";

const PAGE = "api::page.page";

function messages(uid: string, row: Record<string, unknown>): string[] {
  const model = uid === PAGE ? rules : corpus;
  return checkPublishable(model, typeOf(model, uid), row).map(({ message }) => message);
}

const page = {
  title: "Title",
  code: "ABC",
  day: "2024-01-01",
  box: { id: 1, label: "a" },
  boxes: [{ id: 2, label: "b" }],
  zone: [],
};

describe("a draft that is to be published", () => {
  it("has nothing to complain of when it keeps every rule", () => {
    expect(messages(PAGE, page)).to.deep.equal([]);
  });

  it("must not lack what is required, and the problem carries the value", () => {
    expect(checkPublishable(corpus, typeOf(corpus, "api::article.article"), { title: null, seo: null })).to.deep.equal([
      { path: ["title"], message: "title must be a `string` type, but the final value was: `null`.", value: null },
    ]);
  });

  it("is checked in its components and zones, at any depth", () => {
    const seo = {
      id: 1,
      metaTitle: "x",
      meta: [
        { id: 2, property: "a" },
        { id: 3, property: null },
      ],
    };
    const sections = [
      { id: 4, __component: "sections.hero", cta: { id: 5 } },
      { id: 6, __component: "sections.quote", text: null },
    ];
    expect(messages("api::article.article", { title: "x", seo, sections })).to.deep.equal([
      "seo.meta[1].property must be a `string` type, but the final value was: `null`.",
      "sections[0].cta.label must be a `string` type, but the final value was: `null`.",
      "sections[1].text must be a `string` type, but the final value was: `null`.",
    ]);
  });

  it("is held against every rule that drafts are spared, all at once", () => {
    const row = {
      title: "x",
      code: "lower",
      rank: 0,
      box: null,
      boxes: [],
      zone: [{ id: 1, __component: "part.lid", color: "red" }],
    };
    expect(messages(PAGE, row)).to.deep.equal([
      "title must be at least 2 characters",
      'code must match the following: "/^[A-Z]+$/"',
      "rank must be greater than or equal to 1",
      "day must be defined.",
      "box must be a `object` type, but the final value was: `null`.",
      "boxes field must have at least 1 items",
      "zone field must have at least 2 items",
    ]);
  });

  it("must have been given the lists that are required", () => {
    expect(messages(PAGE, { ...page, boxes: null, zone: null })).to.deep.equal(["boxes must be defined."]);
  });

  it("is not judged by the hashes of its passwords", () => {
    expect(messages(PAGE, { ...page, secret: "$2b$10$".padEnd(60, "x") })).to.deep.equal([]);
  });
});
