import { expect } from "chai";
import type { Database } from "#core/database/driver/database.js";
import { LayoutMissingError } from "#core/database/errors.js";
import type { ModelOf } from "#core/database/models/create-models.js";
import { createModels } from "#core/database/models/create-models.js";
import { eachDatabase } from "../../databases.js";
import { component, type } from "../schema/raw-schemas.js";
import { DRAFTS, LOCALIZED, synced } from "./sync/synced.js";

const relation = (form: string, target: string, more = {}) => ({
  type: "relation",
  relation: form,
  target: `api::${target}.${target}`,
  ...more,
});

const SCHEMAS = [
  type(
    "post",
    {
      title: { type: "string" },
      extra: { type: "json" },
      seo: { type: "component", component: "shared.seo" },
      author: relation("manyToOne", "writer", { inversedBy: "posts" }),
      tags: relation("manyToMany", "tag", { inversedBy: "posts" }),
      related: relation("oneToMany", "post"),
      about: { type: "relation", relation: "morphToOne" },
      mentions: { type: "relation", relation: "morphToMany" },
    },
    { ...DRAFTS, ...LOCALIZED },
  ),
  type("writer", { name: { type: "string" }, posts: relation("oneToMany", "post", { mappedBy: "author" }) }),
  type("tag", {
    name: { type: "string" },
    posts: relation("manyToMany", "post", { mappedBy: "tags" }),
    story: relation("morphOne", "post", { morphBy: "about" }),
    mentionedIn: relation("morphMany", "post", { morphBy: "mentions" }),
  }),
];

describe("Objection models", () => {
  eachDatabase(({ connect }) => {
    let db: Database;
    let model: ModelOf;
    const { sync, rows } = synced(() => db);

    before(async () => {
      db = await connect();
      const layout = await sync(SCHEMAS, [component("shared.seo", { title: { type: "string" } })]);
      model = createModels(db, layout);
      const code = (name: string) => layout.tables.get("api::post.post")?.codes.get(name);
      const now = new Date();
      await model("api::writer.writer").query().insert({ document_id: "w", published_at: now, name: "Ann" });
      await model("api::tag.tag")
        .query()
        .insertGraph([
          { document_id: "t1", published_at: now, name: "one" },
          { document_id: "t2", published_at: now, name: "two" },
        ]);
      for (const [locale, published_at, title] of [
        ["en", now, "published"],
        ["en", null, "draft"],
        ["de", now, "veröffentlicht"],
      ] as const) {
        const post = await model("api::post.post")
          .query()
          .insert({
            document_id: "p",
            locale,
            published_at,
            title,
            author_document_id: "w",
            about_document_id: "t1",
            about_type: "api::tag.tag",
            extra: [1, { a: null }],
            seo: { id: 1, title: "seo" },
          });
        const link = { source: post.id, position: 1, target_type: "" };
        await db.knex("posts_links").insert([
          { ...link, attribute: code("tags"), target: "t2" },
          { ...link, attribute: code("related"), target: "p" },
          { ...link, attribute: code("mentions"), target: "t1", target_type: "api::tag.tag" },
        ]);
      }
    });

    const posts = () => model("api::post.post").query();
    const named = (found: unknown) =>
      (found as { name?: string; title?: string }[]).map(({ name, title }) => name ?? title);

    it("published and draft pick the rows of the default locale, or of the one that is named", async () => {
      expect(named(await posts().modify("published"))).to.deep.equal(["published"]);
      expect(named(await posts().modify("draft"))).to.deep.equal(["draft"]);
      expect(named(await posts().modify("published", "de"))).to.deep.equal(["veröffentlicht"]);
      expect(named(await model("api::writer.writer").query().modify("published"))).to.deep.equal(["Ann"]);
    });

    it("json and components are objects in code", async () => {
      const [post] = await posts().modify("draft");
      expect(post).to.deep.include({ extra: [1, { a: null }], seo: { id: 1, title: "seo" } });
      await posts()
        .modify("draft")
        .patch({ extra: ["new"] });
      expect(await posts().modify("draft").first()).to.deep.include({ extra: ["new"] });
    });

    it("relations are fetched from either side, in the version that is asked for", async () => {
      const post = await posts()
        .modify("published")
        .withGraphFetched("[author(published), tags(published), related(draft)]")
        .first();
      expect(post?.["author"]).to.include({ name: "Ann" });
      expect(named(post?.["tags"])).to.deep.equal(["two"]);
      expect(named(post?.["related"])).to.deep.equal(["draft"]);
      const writer = await model("api::writer.writer").query().withGraphFetched("posts(draft)").first();
      expect(named(writer?.["posts"])).to.deep.equal(["draft"]);
    });

    it("inverse sides of to-many and polymorphic links are fetched too", async () => {
      const tags = await model("api::tag.tag")
        .query()
        .orderBy("id")
        .withGraphFetched("[posts(published), story(published), mentionedIn(published)]");
      const [one, two] = tags;
      expect(named(one?.["posts"])).to.deep.equal([]);
      expect(one?.["story"]).to.include({ title: "published" });
      expect(named(one?.["mentionedIn"])).to.deep.equal(["published"]);
      expect(named(two?.["posts"])).to.deep.equal(["published"]);
      expect(two?.["story"]).to.equal(null);
      expect(named(two?.["mentionedIn"])).to.deep.equal([]);
    });

    it("relations can be joined, with the modifiers on the joined table", async () => {
      const found = await posts()
        .alias("p")
        .joinRelated("[author(published), tags(published)]")
        .where("author.name", "Ann")
        .where("tags.name", "two")
        .where("p.locale", "de");
      expect(named(found)).to.deep.equal(["veröffentlicht"]);
    });

    it("queries of a model join the transaction of their context", async () => {
      await db
        .transaction(async () => {
          await posts().modify("draft").patch({ title: "changed" });
          expect(named(await posts().modify("draft"))).to.deep.equal(["changed"]);
          throw new RangeError("stop");
        })
        .catch((error: unknown) => expect(error).to.be.instanceOf(RangeError));
      expect(named(await posts().modify("draft"))).to.deep.equal(["draft"]);
    });

    it("a type that the database does not hold has no model", () => {
      expect(() => model("api::nothing.nothing"))
        .to.throw()
        .that.satisfies(LayoutMissingError.is);
    });

    it("system columns get sensible values of their own", async () => {
      const [row] = await rows(
        "insert into writers (document_id) values ('x') returning locale, published_at, created_at is not null as has_time",
      );
      expect(row).to.deep.equal({ locale: "", published_at: null, has_time: true });
    });
  });
});
