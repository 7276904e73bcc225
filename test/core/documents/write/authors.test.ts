import { expect } from "chai";
import type { Author, Documents } from "#core/documents/documents.js";
import { writeHooks } from "#core/documents/hooks.js";
import type { Facts } from "#core/documents/params/facts.js";
import { eachDatabase } from "../../../databases.js";
import { failureOf, type Newsroom, openNewsroom, uid } from "./newsroom.js";

describe("authors of documents", () => {
  eachDatabase((database) => {
    let newsroom: Newsroom;
    let articles: Documents;
    let ada: Author;
    let ben: Author;
    const events: (readonly [string, Author | undefined])[] = [];
    before(async () => {
      newsroom = await openNewsroom(await database.connect(), (hooks) => {
        for (const [write, { before: target }] of Object.entries(writeHooks))
          hooks.tap(target, ({ author }) => void events.push([write, author]), {
            owner: "test",
            about: [uid("badge")],
          });
      });
      articles = newsroom.documents(uid("article"));
      const people = newsroom.documents(uid("person"));
      ada = await people.create({ data: { name: "Ada" } });
      ben = await people.create({ data: { name: "Ben" } });
    });

    /** Names of who made and who changed a version last. */
    const authors = async (
      documentId: string,
      status: "draft" | "published" = "draft",
      type = "article",
      locale = "en",
    ) => {
      const found = await newsroom.documents(uid(type)).findOne({ documentId, status, locale, facts: true });
      const { createdBy, updatedBy } = (found as unknown as { readonly _facts: Facts })._facts;
      return [createdBy?.["name"] ?? null, updatedBy?.["name"] ?? null];
    };

    it("are who made it, and who changed it last", async () => {
      const { documentId } = await articles.create({ data: { title: "a" }, author: ada });
      expect(await authors(documentId)).to.deep.equal(["Ada", "Ada"]);
      await articles.update({ documentId, data: { title: "b" }, author: ben });
      expect(await authors(documentId)).to.deep.equal(["Ada", "Ben"]);
    });

    it("are unknown of what clients of the content API write, whoever wrote before", async () => {
      const { documentId } = await articles.create({ data: { title: "a" } });
      expect(await authors(documentId)).to.deep.equal([null, null]);
      await articles.update({ documentId, data: { title: "b" }, author: ben });
      await articles.update({ documentId, data: { title: "c" } });
      expect(await authors(documentId)).to.deep.equal([null, null]);
    });

    it("of a published version are those of the draft that it is a copy of, whoever publishes it", async () => {
      const { documentId } = await articles.create({ data: { title: "a" }, author: ada });
      await articles.update({ documentId, data: { title: "b" }, author: ben });
      await articles.publish({ documentId, author: ada });
      expect(await authors(documentId, "published")).to.deep.equal(["Ada", "Ben"]);
      await articles.update({ documentId, data: { title: "c" }, author: ada, status: "published" });
      expect(await authors(documentId, "published")).to.deep.equal(["Ada", "Ada"]);
      const both = await articles.create({ data: { title: "a" }, author: ben, status: "published" });
      expect(await authors(both.documentId, "published")).to.deep.equal(["Ben", "Ben"]);
    });

    it("of both versions are changed by an update of both", async () => {
      const { documentId } = await articles.create({ data: { title: "a" }, author: ada, status: "published" });
      await articles.update({ documentId, data: { views: 2 }, author: ben, alsoPublished: true });
      expect(await authors(documentId)).to.deep.equal(["Ada", "Ben"]);
      expect(await authors(documentId, "published")).to.deep.equal(["Ada", "Ben"]);
    });

    it("of a draft that is discarded are those of the published version again", async () => {
      const { documentId } = await articles.create({ data: { title: "a" }, author: ada, status: "published" });
      await articles.update({ documentId, data: { title: "b" }, author: ben });
      await articles.discardDraft({ documentId, author: ben });
      expect(await authors(documentId)).to.deep.equal(["Ada", "Ada"]);
    });

    it("of another locale are who started and changed that locale; what it shares is not its authors' work", async () => {
      const pages = newsroom.documents(uid("page"));
      const { documentId } = await pages.create({ data: { title: "a" }, author: ada });
      await pages.update({ documentId, locale: "fr", data: { title: "b" }, author: ben });
      expect(await authors(documentId, "draft", "page", "fr")).to.deep.equal(["Ben", "Ben"]);
      await pages.update({ documentId, data: { views: 3 }, author: ada });
      expect(await authors(documentId, "draft", "page", "fr")).to.deep.equal(["Ben", "Ben"]);
      await pages.publish({ documentId, locale: "*", author: ada });
      expect(await authors(documentId, "published", "page", "fr")).to.deep.equal(["Ben", "Ben"]);
    });

    it("of what a link changes on the other side stay", async () => {
      const { documentId } = await articles.create({ data: { title: "a" }, author: ada });
      await newsroom.documents(uid("tag")).create({ data: { name: "t", articles: [documentId] }, author: ben });
      expect(await authors(documentId)).to.deep.equal(["Ada", "Ada"]);
    });

    it("have an index of what they made, which rows without an author are not in", async () => {
      const text =
        "select indexname as name, indexdef as on from pg_indexes where indexname like '%\\_author' order by 1";
      const indexes = await newsroom.db.query<{ name: string; on: string }>({ text, values: [] });
      const on = new Map(indexes.map((index) => [index.name, index.on]));
      expect(on.get("articles_author")).to.match(
        /\(created_by_id, id\).*published_at IS NULL.*created_by_id IS NOT NULL/,
      );
      expect(on.get("pages_author")).to.contain("(locale, created_by_id, id)");
      expect(on.get("tags_author")).to.not.contain("published_at");
    });

    it("of the document of a single type are who wrote it first, and last", async () => {
      const settings = newsroom.documents(uid("setting"));
      await settings.upsertSingle({ data: { name: "a" }, author: ada });
      const written = await settings.upsertSingle({
        data: { name: "b" },
        author: ben,
        facts: ["createdBy", "updatedBy"],
      });
      const { createdBy, updatedBy } = (written as unknown as { readonly _facts: Facts })._facts;
      expect([createdBy?.["name"], updatedBy?.["name"]]).to.deep.equal(["Ada", "Ben"]);
    });

    it("are names that reads of code may use only as an administrator", async () => {
      const filters = { createdBy: { id: ada.id }, title: "seen" };
      await articles.create({ data: { title: "seen" }, author: ada });
      expect(await articles.count({ filters, visibility: "admin" })).to.equal(1);
      const [found] = await articles.findMany({ filters, populate: ["updatedBy"], visibility: "admin" });
      expect(found?.["updatedBy"]).to.include({ id: ada.id, name: "Ada" }).and.to.not.have.property("salary");
      expect(await failureOf(articles.findMany({ filters }))).to.include({ status: 400 });
      expect(await failureOf(articles.findMany({ populate: ["updatedBy"] }))).to.include({ status: 400 });
    });

    it("who are deleted are unknown", async () => {
      const people = newsroom.documents(uid("person"));
      const cleo = await people.create({ data: { name: "Cleo" } });
      const { documentId } = await articles.create({ data: { title: "a" }, author: cleo });
      await people.delete({ documentId: cleo.documentId });
      expect(await authors(documentId)).to.deep.equal([null, null]);
    });

    it("are told to hooks, of every kind of write", async () => {
      const settings = newsroom.documents(uid("badge"));
      const { documentId } = await settings.create({ data: { name: "x" }, author: ada });
      await settings.update({ documentId, data: { name: "y" }, author: ben });
      await settings.update({ documentId, data: { name: "y" } });
      await settings.delete({ documentId, author: ada });
      expect(events.map(([write, author]) => [write, author?.id])).to.deep.equal([
        ["create", ada.id],
        ["update", ben.id],
        ["update", undefined],
        ["delete", ada.id],
      ]);
    });
  });
});
