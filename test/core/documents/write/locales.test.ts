import { expect } from "chai";
import type { Document, Documents } from "#core/documents/documents.js";
import { eachDatabase } from "../../../databases.js";
import { failureOf, type Newsroom, openNewsroom, uid } from "./newsroom.js";

describe("writing locales", () => {
  eachDatabase((database) => {
    let newsroom: Newsroom;
    let pages: Documents;
    before(async () => {
      newsroom = await openNewsroom(await database.connect());
      pages = newsroom.documents(uid("page"));
    });

    const read = async (documentId: string, locale: string, status: "draft" | "published" = "draft") =>
      (await pages.findOne({ documentId, locale, status, populate: { seo: true, tags: true } })) as Document | null;

    it("a new locale starts with what all locales share and with defaults for the rest", async () => {
      const tag = await newsroom.documents(uid("tag")).create({ data: { name: "en" } });
      const data = { title: "One", tone: "loud", views: 7, seo: { title: "shared" }, tags: [tag.id] };
      const { documentId } = await pages.create({ data, status: "published" });
      const fr = await pages.update({
        documentId,
        locale: "fr",
        data: { title: "Un" },
        status: "published",
        populate: { seo: true, tags: true },
      });
      expect(fr).to.include({ title: "Un", tone: "plain", views: 7, locale: "fr", documentId });
      expect(fr?.["seo"]).to.include({ title: "shared" });
      expect(fr?.["tags"]).to.deep.equal([]);
    });

    it("a shared attribute changes in every locale's draft, and publishing pushes it to their published rows", async () => {
      const { documentId } = await pages.create({ data: { title: "One", views: 1 }, status: "published" });
      await pages.update({ documentId, locale: "fr", data: { title: "Un" }, status: "published" });
      const before = await read(documentId, "en");
      await pages.update({ documentId, locale: "fr", data: { views: 2, seo: { title: "s" } } });
      expect((await read(documentId, "en"))?.["views"]).to.equal(2);
      expect((await read(documentId, "en"))?.["seo"]).to.include({ title: "s" });
      expect((await read(documentId, "en"))?.["updatedAt"]).to.equal(before?.["updatedAt"]);
      expect((await read(documentId, "en", "published"))?.["views"]).to.equal(1);
      await pages.publish({ documentId, locale: "fr" });
      expect((await read(documentId, "en", "published"))?.["views"]).to.equal(2);
      expect((await read(documentId, "en", "published"))?.["title"]).to.equal("One");
      await pages.update({ documentId, data: { views: 3 }, status: "published" });
      expect((await read(documentId, "fr", "published"))?.["views"]).to.equal(3);
    });

    it("a new locale has to be complete to be published, and may be incomplete as a draft", async () => {
      const { documentId } = await pages.create({ data: { title: "One" }, status: "published" });
      const failure = await failureOf(
        pages.update({ documentId, locale: "fr", data: { views: 1 }, status: "published" }),
      );
      expect(failure.message).to.equal("title must be a `string` type, but the final value was: `null`.");
      expect(await read(documentId, "fr")).to.equal(null);
      expect(await pages.update({ documentId, locale: "fr", data: {} })).to.include({ title: null, locale: "fr" });
    });

    it("a document can start in any known locale; unknown ones and the wildcard are refused", async () => {
      const { documentId } = await pages.create({ data: { title: "Un" }, locale: "fr" });
      expect(await read(documentId, "en")).to.equal(null);
      expect(await failureOf(pages.create({ data: { title: "x" }, locale: "de" }))).to.deep.include({
        status: 400,
        message: 'There is no locale "de". Use one of: en, fr.',
        details: { locale: "de", known: ["en", "fr"] },
      });
      expect(await failureOf(pages.update({ documentId, data: {}, locale: "*" }))).to.deep.include({
        status: 400,
        message: "Invalid locale param * provided. Document locales must be strings.",
        details: {},
      });
    });

    it("deleting, publishing and unpublishing take one locale, several, or all", async () => {
      const { documentId } = await pages.create({ data: { title: "One" } });
      await pages.update({ documentId, locale: "fr", data: { title: "Un" } });
      expect(
        (await pages.publish({ documentId, locale: "*" })).entries.map((entry) => entry["locale"]),
      ).to.have.members(["en", "fr"]);
      expect((await pages.publish({ documentId, locale: "*" })).entries).to.have.length(2);
      expect(
        (await pages.unpublish({ documentId, locale: ["fr"] })).entries.map((entry) => entry["locale"]),
      ).to.deep.equal(["fr"]);
      expect((await pages.delete({ documentId })).entries).to.have.length(2);
      expect(await read(documentId, "en")).to.equal(null);
      expect(await read(documentId, "fr")).to.include({ title: "Un" });
      await pages.delete({ documentId, locale: "*" });
      expect(await pages.count({ filters: { documentId }, locale: "*" })).to.equal(0);
    });

    it("the same unique value may stand in every locale of one document only", async () => {
      const { documentId } = await pages.create({ data: { title: "One", key: "k" }, status: "published" });
      expect(await pages.update({ documentId, locale: "fr", data: { title: "Un" }, status: "published" })).to.include({
        key: "k",
      });
      const failure = await failureOf(
        pages.create({ data: { title: "Other", key: "k" }, locale: "fr", status: "published" }),
      );
      expect(failure).to.include({ message: "This attribute must be unique" });
      const other = await pages.create({ data: { title: "Other", key: "free" }, status: "published" });
      const pushed = await failureOf(
        pages.update({
          documentId: other.documentId,
          locale: "fr",
          data: { title: "Autre", key: "k" },
          status: "published",
        }),
      );
      expect(pushed).to.include({ message: "This attribute must be unique" });
    });

    it("publishing a target leaves the locales alone that do not lead to it", async () => {
      const editors = newsroom.documents(uid("editor"));
      const [a, b, c] = await Promise.all(
        ["a", "b", "c"].map((name) => editors.create({ data: { name }, status: "published" })),
      );
      const { documentId } = await pages.create({ data: { title: "One", editor: a?.id }, status: "published" });
      await pages.update({ documentId, locale: "fr", data: { title: "Un", editor: c?.id }, status: "published" });
      await pages.update({ documentId, data: { editor: b?.id } });
      await editors.publish({ documentId: c?.documentId ?? "" });
      const found = await pages.findOne({ documentId, status: "published", populate: ["editor"] });
      expect(found?.["editor"]).to.include({ name: "a" });
    });
  });
});
