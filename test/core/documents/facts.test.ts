import { expect } from "chai";
import { createAbility } from "#core/access/grant.js";
import type { Documents } from "#core/documents/documents.js";
import { transformOutput } from "#core/documents/hooks.js";
import type { Facts } from "#core/documents/params/facts.js";
import { parseReadParams } from "#core/documents/params/parse-params.js";
import { eachDatabase } from "../../databases.js";
import { failureOf, type Newsroom, newsroomModel, openNewsroom, uid } from "./write/newsroom.js";

const factsOf = (row: object | null | undefined) => (row as { readonly _facts: Facts })._facts;

describe("facts of documents", () => {
  eachDatabase((database) => {
    let newsroom: Newsroom;
    let articles: Documents;
    let pages: Documents;
    let ada: { readonly id: number; readonly documentId: string };
    before(async () => {
      newsroom = await openNewsroom(await database.connect(), (hooks) => {
        hooks.tap(
          transformOutput(uid("article")),
          (article) => ({ ...article, title: `<${String(article["title"])}>` }),
          { owner: "test" },
        );
      });
      articles = newsroom.documents(uid("article"));
      pages = newsroom.documents(uid("page"));
      ada = await newsroom
        .documents(uid("person"))
        .create({ data: { name: "Ada", email: "ada@example.com", salary: 9 } });
    });

    it("say whether a document is a draft, published, or changed since, for its draft and its published version", async () => {
      const state = async (documentId: string, status: "draft" | "published" = "draft") =>
        factsOf(await articles.findOne({ documentId, status, facts: true })).state;
      const { documentId } = await articles.create({ data: { title: "One" } });
      expect(await state(documentId)).to.equal("draft");
      await articles.publish({ documentId });
      expect([await state(documentId), await state(documentId, "published")]).to.deep.equal(["published", "published"]);
      await articles.update({ documentId, data: { title: "Two" } });
      expect([await state(documentId), await state(documentId, "published")]).to.deep.equal(["modified", "modified"]);
      await articles.discardDraft({ documentId });
      expect(await state(documentId)).to.equal("published");
      await articles.unpublish({ documentId });
      expect(await state(documentId)).to.equal("draft");
    });

    it("of a type without drafts say that it is published", async () => {
      const tag = await newsroom.documents(uid("tag")).create({ data: { name: "a" }, facts: true });
      expect(factsOf(tag)).to.deep.equal({ state: "published", createdBy: null, updatedBy: null, locales: [] });
    });

    it("list the locales of a document, each with its state", async () => {
      const { documentId } = await pages.create({ data: { title: "en" }, status: "published" });
      await pages.update({ documentId, locale: "fr", data: { title: "fr" } });
      const [en] = await pages.findMany({ filters: { documentId }, facts: true });
      expect(factsOf(en).locales).to.deep.equal([
        { locale: "en", state: "published" },
        { locale: "fr", state: "draft" },
      ]);
      const fr = await pages.publish({ documentId, locale: "fr", facts: ["locales"] });
      expect(factsOf(fr.entries[0]).locales.map(({ state }) => state)).to.deep.equal(["published", "published"]);
    });

    it("say who wrote, by the fields that the content-type of authors names", async () => {
      const data = { title: "By Ada" };
      const created = await articles.create({ data, author: ada, facts: true });
      const person = { id: ada.id, documentId: ada.documentId, name: "Ada", email: "ada@example.com" };
      expect(factsOf(created)).to.deep.equal({ state: "draft", createdBy: person, updatedBy: person, locales: [] });
      expect(await articles.findOne({ documentId: created.documentId })).to.not.have.any.keys("_facts", "createdBy");
    });

    it("are those that are asked for, and the last key of a row", async () => {
      const { documentId } = await articles.create({ data: { title: "Some" } });
      const found = await articles.findOne({ documentId, populate: ["author"], facts: ["locales", "state"] });
      expect(Object.keys(found ?? {}).at(-1)).to.equal("_facts");
      expect(found?.["_facts"]).to.deep.equal({ state: "draft", locales: [] });
    });

    it("come with populated entries where a selection asks for them, with the page in one statement", async () => {
      const { documentId } = await newsroom
        .documents(uid("editor"))
        .create({ data: { name: "Eve" }, status: "published" });
      await articles.create({ data: { title: "Edited", editor: documentId } });
      const type = newsroomModel.contentTypes.get(uid("article"));
      if (!type) throw new TypeError("no article");
      const prepared = parseReadParams(
        newsroomModel,
        type,
        { filters: { title: "Edited" } },
        {
          visibility: "code",
          ability: createAbility("all"),
          kind: "list",
          defaultStatus: "draft",
          facts: true,
          asStored: true,
          selection: {
            fields: [{ name: "title" }],
            order: ["editor", "title"],
            populate: [{ name: "editor", fields: [{ name: "name" }], populate: [], facts: ["state"] }],
          },
        },
      );
      const before = newsroom.db.statementCount;
      const { text } = await articles.read(prepared);
      expect(newsroom.db.statementCount - before).to.equal(1);
      expect(JSON.parse(text)).to.deep.equal([
        {
          editor: { name: "Eve", _facts: { state: "published" } },
          title: "Edited",
          _facts: { state: "draft", createdBy: null, updatedBy: null, locales: [] },
        },
      ]);
    });

    it("count only the versions that the caller sees", async () => {
      const { documentId } = await pages.create({ data: { title: "shown" }, status: "published" });
      await pages.update({ documentId, data: { title: "hidden" } });
      await pages.update({ documentId, locale: "fr", data: { title: "shown" } });
      const find = (grant: Parameters<typeof createAbility>[0], status: "draft" | "published") =>
        pages.findOne({ documentId, status, ability: createAbility(grant), facts: ["state", "locales"] });
      const withoutDrafts = factsOf(await find([`${uid("page")}.findOne`], "published"));
      expect(withoutDrafts).to.deep.equal({ state: "published", locales: [{ locale: "en", state: "published" }] });
      const where = { title: "shown" };
      const ruled = [{ action: `${uid("page")}.findOne`, where }, `${uid("page")}.findDrafts`];
      expect(factsOf(await find(ruled, "published"))).to.deep.equal({
        state: "published",
        locales: [
          { locale: "en", state: "published" },
          { locale: "fr", state: "draft" },
        ],
      });
      expect(await find(ruled, "draft")).to.equal(null);
    });

    it("cannot be asked for by the grammar of requests", async () => {
      const failure = await failureOf(articles.findMany({ populate: { author: { facts: true } } }));
      expect(failure).to.deep.include({ status: 400 });
    });

    it("leave a read as it is stored, past the hooks on output, to those who write it back", async () => {
      const { documentId } = await articles.create({ data: { title: "Raw" } });
      expect(await articles.findOne({ documentId })).to.include({ title: "<Raw>" });
      expect(await articles.findOne({ documentId, asStored: true })).to.include({ title: "Raw" });
      const update = { documentId, data: { views: 1 } };
      expect(await articles.update(update)).to.include({ title: "<Raw>" });
      expect(await articles.update({ ...update, asStored: true })).to.include({ title: "Raw" });
    });
  });
});
