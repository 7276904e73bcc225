import { expect } from "chai";
import type { ComponentInput } from "#core/documents/input.js";
import { corpus, invalid, parse, refusal, rules } from "./bodies.js";

const ARTICLE = "api::article.article";
const LEAF = "api::leaf.leaf";
const PAGE = "api::page.page";
const update = { mode: "update" } as const;

/** A component as plain data, so that whole trees can be compared. */
function plain(input: ComponentInput | readonly ComponentInput[] | null | undefined): unknown {
  if (input === null || input === undefined) return input;
  if (Array.isArray(input)) return input.map(plain);
  const { component, id, scalars, relations, components } = input as ComponentInput;
  const nested = [...components].map(([name, value]) => [name, plain(value)] as const);
  return { component, ...(id && { id }), ...Object.fromEntries([...scalars, ...relations, ...nested]) };
}

async function parsed(name: string, value: unknown): Promise<unknown> {
  const { components } = await parse(corpus, ARTICLE, { [name]: value }, update);
  return plain(components.get(name));
}

function refused(body: object): Promise<unknown> {
  return refusal(corpus, ARTICLE, body, update);
}

describe("a component in a body", () => {
  it("is read with what it holds", async () => {
    expect(await parsed("seo", { metaTitle: "T", ogImage: 5, meta: [{ property: "a" }] })).to.deep.equal({
      component: "shared.seo",
      metaTitle: "T",
      ogImage: { set: [{ id: 5 }] },
      meta: [{ component: "shared.meta", property: "a" }],
    });
    expect(await parsed("links", [{ label: "a", category: { set: ["c"] } }])).to.deep.equal([
      { component: "shared.link", label: "a", category: { set: [{ documentId: "c" }] } },
    ]);
  });

  it("is new without an id and gets defaults, and is partial with one", async () => {
    const boxes = [{ label: "a" }, { id: 7, label: "b" }, { id: "8" }, { id: null, label: "c" }];
    const { components } = await parse(rules, PAGE, { boxes }, update);
    expect(plain(components.get("boxes"))).to.deep.equal([
      { component: "part.box", label: "a", size: 3 },
      { component: "part.box", id: 7, label: "b" },
      { component: "part.box", id: 8 },
      { component: "part.box", label: "c", size: 3 },
    ]);
  });

  it("is cleared by null when it is single", async () => {
    expect(await parsed("seo", null)).to.equal(null);
  });

  it("is refused as null when it is a list, even in a draft", async () => {
    for (const name of ["links", "sections"]) {
      const message = `${name} must be a \`array\` type, but the final value was: \`null\`.`;
      expect(await refused({ [name]: null })).to.deep.equal(invalid({ path: [name], message, value: null }));
    }
  });

  it("is refused in the wrong shape", async () => {
    expect(await refused({ links: { label: "x" } })).to.deep.equal(
      invalid({
        path: ["links"],
        message: 'links must be a `array` type, but the final value was: `{\n  "label": "\\"x\\""\n}`.',
        value: { label: "x" },
      }),
    );
    expect(await refused({ links: [null] })).to.deep.equal(
      invalid({
        path: ["links", "0"],
        message: "links[0] must be a `object` type, but the final value was: `null`.",
        value: null,
      }),
    );
    expect(await refused({ seo: "x" })).to.have.property(
      "message",
      'seo must be a `object` type, but the final value was: `"x"`.',
    );
    expect(await refused({ sections: "x" })).to.deep.equal(
      invalid({
        path: ["sections"],
        message: 'sections must be a `array` type, but the final value was: `"x"`.',
        value: "x",
      }),
    );
    expect(await refused({ seo: { id: "abc" } }))
      .to.have.nested.property("details.errors[0].path")
      .that.deep.equals(["seo", "id"]);
  });

  it("is refused with unknown keys, a component name included", async () => {
    for (const [body, key, path] of [
      [{ seo: { metaTitle: "x", nope: 1 } }, "nope", "seo"],
      [{ links: [{ __component: "shared.link", label: "x" }] }, "__component", "links"],
      [{ sections: [{ __component: "sections.hero", nope: 1 }] }, "nope", "sections"],
      [{ sections: [{ __component: "sections.hero", documentId: "a" }] }, "documentId", "sections"],
    ] as const) {
      expect(await refused(body)).to.deep.equal({
        status: 400,
        name: "ValidationError",
        message: `Invalid key ${key} at ${path}`,
        details: { key, path, source: "body" },
      });
    }
  });

  it("has its problems reported at their paths", async () => {
    const value = "m".repeat(61);
    expect(await refused({ seo: { metaTitle: value } })).to.deep.equal(
      invalid({ path: ["seo", "metaTitle"], message: "seo.metaTitle must be at most 60 characters", value }),
    );
    expect(await refused({ sections: [{ __component: "sections.quote", text: 5 }] })).to.deep.equal(
      invalid({
        path: ["sections", "0", "text"],
        message: "sections[0].text must be a `string` type, but the final value was: `5`.",
        value: 5,
      }),
    );
  });

  it("may lack what is required in a draft only", async () => {
    expect(await parsed("seo", {})).to.deep.equal({ component: "shared.seo", meta: [] });
    const leaf = { title: "leaf", code: "A", day: "2024-01-01" };
    expect(await refusal(rules, LEAF, { ...leaf, boxes: [{}], zone: [] })).to.deep.equal(
      invalid(
        { path: ["box"], message: "box must be defined." },
        { path: ["boxes", "0", "label"], message: "boxes[0].label must be defined." },
      ),
    );
    expect(await refusal(rules, LEAF, { ...leaf, box: null })).to.deep.equal(
      invalid(
        { path: ["box"], message: "box must be a `object` type, but the final value was: `null`.", value: null },
        { path: ["boxes"], message: "boxes must be defined." },
      ),
    );
    expect(await refusal(rules, LEAF, { box: { id: 1, inner: {} } }, update)).to.deep.equal(
      invalid({ path: ["box", "inner", "color"], message: "box.inner.color must be defined." }),
    );
  });

  it("is counted outside drafts", async () => {
    const box = { label: "a" };
    const lid = { __component: "part.lid", color: "red" };
    const answer = await refusal(rules, LEAF, { boxes: [], zone: [lid] }, update);
    expect(answer).to.deep.equal(
      invalid(
        { path: ["boxes"], message: "boxes field must have at least 1 items", value: [] },
        { path: ["zone"], message: "zone field must have at least 2 items", value: [lid] },
      ),
    );
    expect(await refusal(rules, LEAF, { boxes: [box, box, box] }, update)).to.have.property(
      "message",
      "boxes field must have less than or equal to 2 items",
    );
    expect((await parse(rules, LEAF, { zone: [] }, update)).components.get("zone")).to.deep.equal([]);
    expect((await parse(rules, PAGE, { boxes: [] }, update)).components.get("boxes")).to.deep.equal([]);
  });
});

describe("an item of a dynamic zone in a body", () => {
  it("is read by the component that it names", async () => {
    const items = [
      { __component: "sections.hero", title: "H", cta: { label: "c" } },
      { __component: "sections.quote", id: 4 },
    ];
    expect(await parsed("sections", items)).to.deep.equal([
      { component: "sections.hero", title: "H", cta: { component: "shared.link", label: "c" } },
      { component: "sections.quote", id: 4 },
    ]);
  });

  it("has to name a component", async () => {
    expect(await refused({ sections: [{ title: "x" }] })).to.deep.equal(
      invalid({ path: ["sections", "0", "__component"], message: "sections[0].__component is a required field" }),
    );
  });

  it("has to name a component of the zone", async () => {
    const text = "must be one of the following values: sections.hero, sections.quote, sections.gallery";
    for (const value of ["sections.nope", "shared.link", "constructor", 5]) {
      expect(await refused({ sections: [{ __component: value, title: "x" }] })).to.deep.include({
        message: `sections[0].__component ${text}`,
      });
    }
  });
});
