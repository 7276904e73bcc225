import { expect } from "chai";
import type { Documents } from "#core/documents/documents.js";
import { buildModel } from "#core/schema/build-model.js";
import { eachDatabase } from "../../../databases.js";
import { failureOf, openNewsroom } from "./newsroom.js";

const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };
const SLUG = { type: "uid", targetField: "title", autoGenerate: true } as const;

const model = buildModel({
  contentTypes: [
    {
      uid: "api::post.post",
      info: { singularName: "post", pluralName: "posts" },
      options: { draftAndPublish: true },
      ...LOCALIZED,
      attributes: { title: { type: "string", ...LOCALIZED }, code: { type: "string" }, slug: SLUG },
    },
    {
      uid: "api::place.place",
      info: { singularName: "place", pluralName: "places" },
      ...LOCALIZED,
      attributes: { title: { type: "string", required: true }, slug: { ...SLUG, required: true, maxLength: 8 } },
    },
  ],
  components: [],
  locales: ["en", "de", "ja"],
});

describe("uids that the server makes up", () => {
  eachDatabase((database) => {
    let posts: Documents;
    let places: Documents;
    before(async () => {
      const { documents } = await openNewsroom(await database.connect(), undefined, model);
      [posts, places] = [documents("api::post.post"), documents("api::place.place")];
    });

    const slugOf = async (title: string, status: "draft" | "published" = "published") =>
      (await posts.create({ data: { title }, status }))?.["slug"];

    it("come from the title in each locale that a write starts", async () => {
      const { documentId } = await posts.create({ data: { title: "Spring sale" }, status: "published" });
      const de = await posts.update({
        documentId,
        locale: "de",
        data: { title: "Frühlingsfest" },
        status: "published",
      });
      expect(de).to.include({ slug: "fruhlingsfest", locale: "de" });
      const ja = await posts.update({ documentId, locale: "ja", data: { code: "x" } });
      expect(ja, "no title, no slug").to.include({ slug: null });
      expect(await posts.findOne({ documentId })).to.include({ slug: "spring-sale" });
    });

    it("come from a title that all locales share, and keep what the client names", async () => {
      const { documentId } = await places.create({ data: { title: "Rome" } });
      expect(await places.update({ documentId, locale: "de", data: {} })).to.include({ slug: "rome", locale: "de" });
      expect(await places.update({ documentId, locale: "ja", data: { slug: "roma" } })).to.include({ slug: "roma" });
      expect(await places.update({ documentId, data: { title: "Roma" } })).to.include({ slug: "rome" });
    });

    it("are numbered where another document has the same, drafts included, and a locale at a time", async () => {
      expect(await slugOf("Summer")).to.equal("summer");
      expect(await slugOf("summer!")).to.equal("summer-1");
      expect(await slugOf("Summer", "draft")).to.equal("summer-2");
      expect(await slugOf("Summer")).to.equal("summer-3");
      const de = await posts.create({ data: { title: "Summer" }, locale: "de" });
      expect(de).to.include({ slug: "summer" });
      const named = await failureOf(posts.create({ data: { title: "t", slug: "summer" }, status: "published" }));
      expect(named.message, "the client's own value").to.equal("This attribute must be unique");
    });

    it("are numbered within the length that the attribute allows", async () => {
      const slugs = [];
      for (let count = 0; count < 12; count += 1)
        slugs.push((await places.create({ data: { title: "Buenos Aires" } }))["slug"]);
      expect(slugs.slice(0, 2)).to.deep.equal(["buenos-a", "buenos-1"]);
      expect(slugs.at(-1)).to.equal("bueno-11");
    });

    it("are Latin for any script, and the name of the type where nothing is left", async () => {
      expect(await slugOf("Привет, мир")).to.equal("privet-mir");
      expect(await slugOf("日本語")).to.equal("ri-ben-yu");
      expect(await slugOf("北京 2026")).to.equal("bei-jing-2026");
      expect(await slugOf("カタカナ")).to.equal("katakana");
      expect(await slugOf("한국")).to.equal("hangug");
      expect(await slugOf("Ελλάδα")).to.equal("ellada");
      expect(await slugOf("Über Straße & Łódź")).to.equal("uber-strasse-lodz");
      expect(await slugOf("?!")).to.equal("post");
      expect(await slugOf("...")).to.equal("post-1");
    });

    it("are all different when many writes of one title come at once, published or not", async () => {
      const many = Array.from({ length: 24 }, (_, index) => slugOf("Rush", index % 2 ? "draft" : "published"));
      expect(new Set(await Promise.all(many)).size).to.equal(24);
    });

    it("give way to a value that a client publishes at the same time", async () => {
      const data = { title: "Race" };
      const named = Array.from({ length: 6 }, (_, index) => `race${index === 0 ? "" : `-${index}`}`);
      const made = Array.from({ length: 6 }, () => posts.create({ data, status: "published" }));
      const own = named.map((slug) => posts.create({ data: { title: "x", slug }, status: "published" }));
      const results = await Promise.allSettled([...made, ...own]);
      const refused = results.slice(0, 6).filter(({ status }) => status === "rejected");
      expect(refused).to.deep.equal([]);
    });
  });
});
