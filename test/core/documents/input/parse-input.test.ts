import bcrypt from "bcryptjs";
import { expect } from "chai";
import { corpus, invalid, parse, refusal, rules } from "./bodies.js";

const ARTICLE = "api::article.article";
const AUTHOR = "api::author.author";
const CATEGORY = "api::category.category";
const LEAF = "api::leaf.leaf";
const PAGE = "api::page.page";
const update = { mode: "update" } as const;

function invalidKey(key: string, path?: string | null): object {
  const message = `Invalid key ${key}${path && path !== key ? ` at ${path}` : ""}`;
  const details = path === undefined ? { key, source: "body" } : { key, path, source: "body" };
  return { status: 400, name: "ValidationError", message, details };
}

describe("the keys of a body", () => {
  it("have to be attributes of the type", async () => {
    expect(await refusal(corpus, ARTICLE, { title: "x", nope: 1 })).to.deep.equal(invalidKey("nope", null));
  });

  it("may not be ids, and the answer has no path", async () => {
    expect(await refusal(corpus, CATEGORY, { id: 9, documentId: "d", name: "x" })).to.deep.equal(invalidKey("id"));
    expect(await refusal(corpus, CATEGORY, { documentId: "d" }, update)).to.deep.equal(invalidKey("documentId"));
  });

  it("may not be what the server fills in", async () => {
    for (const key of ["createdAt", "updatedAt", "createdBy", "updatedBy", "localizations"]) {
      expect(await refusal(corpus, ARTICLE, { title: "x", [key]: 1 })).to.deep.equal(invalidKey(key, key));
    }
  });

  it("may not be attributes that are not writable, except from code", async () => {
    expect(await refusal(rules, PAGE, { locked: "x" })).to.deep.equal(invalidKey("locked", "locked"));
    expect(await refusal(rules, PAGE, { box: { label: "a", locked: "x" } })).to.deep.equal(
      invalidKey("locked", "box.locked"),
    );
    const input = await parse(rules, PAGE, { locked: "x" }, { visibility: "code" });
    expect(input.scalars.get("locked")).to.equal("x");
  });

  it("are ignored when they are locale or publishedAt", async () => {
    const input = await parse(corpus, ARTICLE, { locale: "fr", publishedAt: null }, update);
    expect(input.scalars.size + input.relations.size + input.components.size).to.equal(0);
  });

  it("may not name properties of prototypes", async () => {
    for (const key of ["__proto__", "constructor", "prototype", "toString"]) {
      const body: unknown = JSON.parse(`{ "title": "x", "${key}": { "polluted": true } }`);
      expect(await refusal(corpus, ARTICLE, body)).to.deep.equal(invalidKey(key, null));
      const nested: unknown = JSON.parse(`{ "seo": { "${key}": 1 }, "title": "x" }`);
      expect(await refusal(corpus, ARTICLE, nested)).to.deep.equal(invalidKey(key, "seo"));
    }
  });

  it("are refused where the first wrong one stands, inside components too", async () => {
    const body = { seo: { metaTitle: "x", meta: [{ property: "a" }, { wrong: 1 }] }, nope: 1 };
    expect(await refusal(corpus, ARTICLE, body)).to.deep.equal(invalidKey("wrong", "seo.meta"));
    expect(await refusal(corpus, ARTICLE, { wrong: 1, ...body })).to.deep.equal(invalidKey("wrong", null));
  });

  it("come before the values", async () => {
    expect(await refusal(corpus, ARTICLE, { title: 12, nope: 1 })).to.deep.equal(invalidKey("nope", null));
  });

  it("of objects deep inside each other are refused before they can do harm", async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(await refusal(corpus, ARTICLE, { extra: deep })).to.include({ status: 400, name: "ValidationError" });
  });
});

describe("the values of a body", () => {
  it("come coerced to what is stored", async () => {
    const body = {
      title: "t",
      views: "12",
      rating: 1.255,
      bigviews: 7,
      featured: "true",
      pubDate: "2024-03-01T23:30:00.000Z",
      extra: '{"a":1}',
    };
    const { scalars } = await parse(corpus, ARTICLE, body);
    expect(Object.fromEntries(scalars)).to.deep.equal({
      title: "t",
      views: 12,
      rating: 1.26,
      bigviews: "7",
      featured: true,
      pubDate: "2024-03-01",
      extra: { a: 1 },
    });
  });

  it("get the defaults of the schema in a new document only", async () => {
    const created = await parse(corpus, ARTICLE, { title: "t" });
    expect(Object.fromEntries(created.scalars)).to.deep.equal({ title: "t", views: 0, featured: false });
    expect(Object.fromEntries(created.components)).to.deep.equal({ links: [], sections: [] });
    const updated = await parse(corpus, ARTICLE, { title: "t" }, update);
    expect(Object.fromEntries(updated.scalars)).to.deep.equal({ title: "t" });
    expect(updated.components.size).to.equal(0);
  });

  it("are cleared by null and left alone by undefined", async () => {
    const { scalars } = await parse(corpus, ARTICLE, { summary: null, views: undefined }, update);
    expect([...scalars]).to.deep.equal([["summary", null]]);
  });

  it("have the type of their attribute", async () => {
    const problem = (message: string, value: unknown): object => invalid({ path: ["title"], message, value });
    const text = "title must be a `string` type, but the final value was: ";
    expect(await refusal(corpus, ARTICLE, { title: 12 })).to.deep.equal(problem(`${text}\`12\`.`, 12));
    expect(await refusal(corpus, ARTICLE, { title: ["a"] })).to.deep.equal(
      problem(`${text}\`[\n  "\\"a\\""\n]\`.`, ["a"]),
    );
    expect(await refusal(corpus, ARTICLE, { kind: "poetry" })).to.deep.equal(
      invalid({
        path: ["kind"],
        message: "kind must be one of the following values: news, opinion, tutorial, ",
        value: "poetry",
      }),
    );
  });

  it("are all reported at once, in the order of the schema", async () => {
    const long = "a".repeat(301);
    expect(await refusal(corpus, ARTICLE, { summary: long, contact: "bad", kind: "bad", views: "x" })).to.deep.equal(
      invalid(
        { path: ["summary"], message: "summary must be at most 300 characters", value: long },
        {
          path: ["views"],
          message: 'views must be a `number` type, but the final value was: `NaN` (cast from the value `"x"`).',
          value: null,
        },
        {
          path: ["kind"],
          message: "kind must be one of the following values: news, opinion, tutorial, ",
          value: "bad",
        },
      ),
    );
    expect(await refusal(corpus, CATEGORY, { slug: "!!", name: "" })).to.deep.equal(
      invalid(
        { path: ["name"], message: "name must be at least 2 characters", value: "" },
        { path: ["slug"], message: 'slug must match the following: "/^[A-Za-z0-9-_.~]*$/"', value: "!!" },
      ),
    );
  });

  it("that are malformed dates are answered by their message alone", async () => {
    const answers = {
      pubDate: "Invalid format, expected yyyy-MM-dd",
      startsAt: "Invalid time format, expected HH:mm:ss.SSS",
      eventAt: "Invalid format, expected a timestamp or an ISO date",
    };
    for (const [key, message] of Object.entries(answers)) {
      expect(await refusal(corpus, ARTICLE, { title: "x", [key]: "soon" })).to.deep.equal({
        status: 400,
        name: "ValidationError",
        message,
        details: {},
      });
    }
  });

  it("may lack what is required in types with drafts", async () => {
    const { scalars } = await parse(rules, PAGE, { rank: 9 - 4, code: null, title: null });
    expect(scalars.get("code")).to.equal(null);
    expect(scalars.has("day")).to.equal(false);
  });

  it("may not lack what is required in types without drafts", async () => {
    expect(await refusal(corpus, AUTHOR, {})).to.deep.equal(
      invalid({ path: ["name"], message: "name must be defined." }),
    );
    const message = "name must be a `string` type, but the final value was: `null`.";
    expect(await refusal(corpus, AUTHOR, { name: null })).to.deep.equal(
      invalid({ path: ["name"], message, value: null }),
    );
    expect(await refusal(corpus, AUTHOR, { name: null }, update)).to.deep.equal(
      invalid({ path: ["name"], message, value: null }),
    );
    expect((await parse(corpus, AUTHOR, {}, update)).scalars.size).to.equal(0);
  });

  it("hold every rule of the schema in types without drafts", async () => {
    const body = { title: "x", code: "lower", rank: 9, day: null, box: { label: "a" }, boxes: [{ label: "b" }] };
    expect(await refusal(rules, LEAF, body)).to.deep.equal(
      invalid(
        { path: ["title"], message: "title must be at least 2 characters", value: "x" },
        { path: ["code"], message: 'code must match the following: "/^[A-Z]+$/"', value: "lower" },
        { path: ["rank"], message: "rank must be less than or equal to 5", value: 9 },
        { path: ["day"], message: "day must be defined.", value: null },
      ),
    );
  });

  it("make a uid only when its attribute asks for it", async () => {
    expect((await parse(rules, PAGE, { title: "Über 10!" })).scalars.get("slug")).to.equal("uber-10");
    expect((await parse(rules, PAGE, { title: "Über", slug: "own" })).scalars.get("slug")).to.equal("own");
    expect((await parse(rules, PAGE, { title: "Über", slug: null })).scalars.get("slug")).to.equal(null);
    expect((await parse(rules, PAGE, { title: "Über" }, update)).scalars.has("slug")).to.equal(false);
    expect((await parse(corpus, ARTICLE, { title: "Some Title" })).scalars.has("slug")).to.equal(false);
  });

  it("hold passwords to all their rules in a draft, too, because publishing sees only the hash", async () => {
    const answer = await refusal(rules, PAGE, { secret: "ab" });
    expect(answer).to.have.nested.property("details.errors[0].message", "secret must be at least 3 characters");
    expect(answer).to.have.nested.property("details.errors[0].path[0]", "secret");
    expect(JSON.stringify(answer)).not.to.include('"ab"');
  });

  it("store passwords as hashes, in components too, and refuse those that bcrypt would cut", async () => {
    const { scalars, components } = await parse(rules, PAGE, { secret: "abc12345", box: { label: "a", key: "k" } });
    expect(await bcrypt.compare("abc12345", String(scalars.get("secret")))).to.equal(true);
    expect(bcrypt.getRounds(String(scalars.get("secret")))).to.equal(10);
    const box = components.get("box") as { scalars: ReadonlyMap<string, unknown> };
    expect(await bcrypt.compare("k", String(box.scalars.get("key")))).to.equal(true);
    expect(await refusal(corpus, ARTICLE, { title: "x", secret: "ü".repeat(37) })).to.deep.equal(
      invalid({ path: ["secret"], message: "secret must be less than 73 bytes" }),
    );
  });

  it("have to come in an object", async () => {
    expect(await refusal(corpus, ARTICLE, [{ title: "x" }])).to.include({ status: 400, name: "ValidationError" });
    expect(await refusal(corpus, ARTICLE, "x")).to.deep.equal(
      invalid({ path: [], message: 'this must be a `object` type, but the final value was: `"x"`.', value: "x" }),
    );
  });
});

describe("the number of components and targets of a body", () => {
  const data = { boxes: Array.from({ length: 10_001 }, () => ({ label: "a" })) };

  it("is limited for clients, and not for code", async () => {
    expect(await refusal(rules, PAGE, data)).to.deep.include({ status: 400, details: { max: 10_000 } });
    const input = await parse(rules, PAGE, data, { visibility: "code" });
    expect(input.components.get("boxes")).to.have.length(10_001);
  });
});
