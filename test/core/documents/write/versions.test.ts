import { expect } from "chai";
import { createAbility } from "#core/access/grant.js";
import type { Documents } from "#core/documents/documents.js";
import { eachDatabase } from "../../../databases.js";
import { failureOf, type Newsroom, openNewsroom, uid } from "./newsroom.js";

describe("versions of documents", () => {
  eachDatabase((database) => {
    let newsroom: Newsroom;
    let articles: Documents;
    before(async () => {
      newsroom = await openNewsroom(await database.connect());
      articles = newsroom.documents(uid("article"));
    });

    const read = async (documentId: string, status: "draft" | "published") =>
      await articles.findOne({ documentId, status });

    it("a new document of a type with drafts is a draft with a document id of 24 letters and digits", async () => {
      const created = await articles.create({ data: { title: "New" } });
      expect(created.documentId).to.match(/^[a-z0-9]{24}$/);
      expect(created).to.include({ title: "New", views: 0, publishedAt: null });
      expect(await read(created.documentId, "published")).to.equal(null);
    });

    it("a document of a type without drafts is there for everyone at once", async () => {
      const created = await newsroom.documents(uid("tag")).create({ data: { name: "now" } });
      expect(created.publishedAt).to.be.a("string");
      expect(await newsroom.documents(uid("tag")).count({ filters: { documentId: created.documentId } })).to.equal(1);
    });

    it("an update changes what it names and leaves the published version alone", async () => {
      const { documentId } = await articles.create({ data: { title: "One", code: "u1" }, status: "published" });
      const draft = await articles.update({ documentId, data: { title: "Two" } });
      expect(draft).to.include({ title: "Two", code: "u1", publishedAt: null });
      expect(await read(documentId, "published")).to.include({ title: "One" });
    });

    it("an update of both versions publishes nothing else of the draft, which stays modified if it was", async () => {
      const { documentId } = await articles.create({ data: { title: "One", code: "b1" }, status: "published" });
      const isModified = async () =>
        (await articles.count({ filters: { documentId }, publicationFilter: "modified" } as object)) === 1;
      await articles.update({ documentId, data: { views: 1 }, alsoPublished: true });
      expect(await read(documentId, "published")).to.include({ views: 1 });
      expect(await isModified()).to.equal(false);
      await articles.update({ documentId, data: { title: "Two" } });
      await articles.update({ documentId, data: { views: 2 }, alsoPublished: true });
      expect(await read(documentId, "published")).to.include({ title: "One", views: 2, code: "b1" });
      expect(await read(documentId, "draft")).to.include({ title: "Two", views: 2 });
      expect(await isModified()).to.equal(true);
    });

    it("an update of both versions of a document that was never published changes its draft", async () => {
      const { documentId } = await articles.create({ data: { title: "Draft" } });
      await articles.update({ documentId, data: { views: 3 }, alsoPublished: true });
      expect(await read(documentId, "draft")).to.include({ views: 3 });
      expect(await read(documentId, "published")).to.equal(null);
    });

    it("publishing again keeps the row id and the creation time, and carries all pending edits", async () => {
      const first = await articles.create({ data: { title: "One" }, status: "published" });
      const { documentId } = first;
      await articles.update({ documentId, data: { views: 5 } });
      const second = await articles.update({ documentId, data: { title: "Two" }, status: "published" });
      expect(second).to.include({ id: first.id, title: "Two", views: 5, createdAt: first["createdAt"] });
      expect(Date.parse(String(second?.["updatedAt"]))).to.be.greaterThan(Date.parse(String(first["updatedAt"])));
    });

    it("a document is modified after a draft edit and unmodified after publishing or discarding, however quick", async () => {
      const { documentId } = await articles.create({ data: { title: "M" }, status: "published" });
      const isModified = async () =>
        (await articles.count({ filters: { documentId }, publicationFilter: "modified" } as object)) === 1;
      expect(await isModified()).to.equal(false);
      await articles.update({ documentId, data: { title: "M2" } });
      expect(await isModified()).to.equal(true);
      await articles.publish({ documentId });
      expect(await isModified()).to.equal(false);
      await articles.update({ documentId, data: {} });
      expect(await isModified()).to.equal(false);
      await articles.update({ documentId, data: { title: "M3" } });
      expect(await isModified()).to.equal(true);
      await articles.discardDraft({ documentId });
      expect(await isModified()).to.equal(false);
    });

    it("a draft that breaks rules is refused by publishing, and stays as it was", async () => {
      const { documentId } = await articles.create({ data: { sections: [{ __component: "sections.quote" }] } });
      const failure = await failureOf(articles.publish({ documentId }));
      expect(failure).to.include({ status: 400, name: "ValidationError", message: "2 errors occurred" });
      const messages = (failure.details as { errors: { message: string }[] }).errors.map(({ message }) => message);
      expect(messages).to.deep.equal([
        "title must be a `string` type, but the final value was: `null`.",
        "sections[0].text must be a `string` type, but the final value was: `null`.",
      ]);
      expect(await failureOf(articles.update({ documentId, data: { views: 9 }, status: "published" }))).to.include({
        status: 400,
      });
      expect(await read(documentId, "draft")).to.include({ views: 0 });
      expect(await read(documentId, "published")).to.equal(null);
    });

    it("unpublishing removes the published row and returns the draft; the next one has a new id", async () => {
      const created = await articles.create({ data: { title: "U" }, status: "published" });
      const { documentId } = created;
      const { entries } = await articles.unpublish({ documentId, fields: ["title"] });
      expect(entries.map((entry) => entry["title"])).to.deep.equal(["U"]);
      expect(await read(documentId, "published")).to.equal(null);
      expect((await articles.unpublish({ documentId })).entries).to.deep.equal([]);
      const { entries: again } = await articles.publish({ documentId });
      expect(again[0]?.id).to.be.greaterThan(created.id);
    });

    it("discarding a draft brings the published content back, relations and components included", async () => {
      const tag = await newsroom.documents(uid("tag")).create({ data: { name: "kept" } });
      const data = { title: "D", tags: [tag.documentId], seo: { title: "s" } };
      const { documentId } = await articles.create({ data, status: "published" });
      await articles.update({ documentId, data: { title: "other", tags: [], seo: null } });
      const { entries } = await articles.discardDraft({ documentId, populate: ["tags", "seo"] });
      expect(entries[0]).to.include({ title: "D", publishedAt: null });
      expect(entries[0]?.["tags"]).to.have.length(1);
      expect(entries[0]?.["seo"]).to.include({ title: "s" });
    });

    it("deleting removes draft and published version and says what it removed", async () => {
      const { documentId } = await articles.create({ data: { title: "Gone" }, status: "published" });
      const { entries } = await articles.delete({ documentId });
      expect(entries.map((entry) => entry["publishedAt"] === null)).to.have.members([true, false]);
      expect(await read(documentId, "draft")).to.equal(null);
      expect(await articles.delete({ documentId })).to.deep.equal({ documentId, entries: [] });
    });

    it("an update of an unknown document is null, but an unknown attribute is told first", async () => {
      expect(await articles.update({ documentId: "nowhere", data: { title: "x" } })).to.equal(null);
      expect(await failureOf(articles.update({ documentId: "nowhere", data: { nope: 1 } }))).to.include({
        message: "Invalid key nope",
      });
    });

    it("a type without drafts has nothing to publish, and its status is ignored", async () => {
      const tags = newsroom.documents(uid("tag"));
      const { documentId } = await tags.create({ data: { name: "x" }, status: "draft" });
      expect(await tags.update({ documentId, data: { name: "y" }, status: "draft" })).to.include({ name: "y" });
      const failure = await failureOf(tags.publish({ documentId }));
      expect(failure).to.include({ status: 400 });
      expect(failure.message).to.contain("has no drafts");
    });

    it("a single type has one document, whoever creates it first", async () => {
      const settings = newsroom.documents(uid("setting"));
      const results = await Promise.allSettled([1, 2, 3].map((n) => settings.create({ data: { name: `s${n}` } })));
      expect(results.filter(({ status }) => status === "fulfilled")).to.have.length(1);
      const { documentId } = (await settings.findFirst()) as { documentId: string };
      expect((await failureOf(settings.create({ data: {} }))).message).to.contain(documentId);
      await settings.delete({ documentId });
      expect((await settings.create({ data: {} })).documentId).to.match(/^[a-z0-9]{24}$/);
    });

    it("a status that does not exist is refused by every write", async () => {
      const status = "archived" as "draft";
      expect(await failureOf(articles.create({ data: { title: "x" }, status }))).to.include({ status: 400 });
      expect(await failureOf(articles.update({ documentId: "x", data: {}, status }))).to.include({ status: 400 });
    });

    it("wrong fields of the answer are refused before anything is written", async () => {
      const before = await articles.count();
      expect(await failureOf(articles.create({ data: { title: "x" }, fields: ["nope"] }))).to.include({ status: 400 });
      expect(await failureOf(articles.delete({ documentId: "nowhere", populate: ["nope"] }))).to.include({
        status: 400,
      });
      expect(await articles.count()).to.equal(before);
    });

    it("wrong parameters reject, and never throw before there is a promise", async () => {
      const wrong = { sort: "nope" };
      for (const run of [articles.findMany, articles.findFirst, articles.count] as const) {
        let promise: Promise<unknown> | undefined;
        expect(() => {
          promise = run(wrong);
        }).to.not.throw();
        expect(await failureOf(promise as Promise<unknown>)).to.include({ status: 400 });
      }
    });

    it("what filters and sort beside a document id name is checked", async () => {
      const { documentId } = await articles.create({ data: { title: "x" } });
      const operations = ["publish", "unpublish", "discardDraft", "delete"] as const;
      for (const wrong of [{ sort: "nope" }, { filters: { nope: 1 } }, { lookup: { title: "x" } }]) {
        for (const operation of operations) {
          const error = await failureOf(articles[operation]({ documentId, ...wrong }));
          expect(error, `${operation} ${JSON.stringify(wrong)}`).to.include({ status: 400, name: "ValidationError" });
        }
        expect(await failureOf(articles.update({ documentId, data: {}, ...wrong }))).to.include({ status: 400 });
        expect(await failureOf(articles.create({ data: { title: "y" }, ...wrong }))).to.include({ status: 400 });
      }
      expect((await articles.publish({ documentId, sort: "title" })).entries).to.have.length(1);
    });

    it("an operation on versions is about those that fulfil its filters, all of them together", async () => {
      const { documentId } = await articles.create({ data: { title: "one" } });
      const others = { documentId, filters: { title: "another" } };
      expect((await articles.publish(others)).entries).to.deep.equal([]);
      expect((await articles.publish({ documentId, filters: { title: "one" } })).entries).to.have.length(1);
      for (const operation of ["publish", "unpublish", "discardDraft", "delete"] as const)
        expect((await articles[operation](others)).entries, operation).to.deep.equal([]);
      expect(await read(documentId, "published")).to.include({ title: "one" });
      // The draft of what is published has changed: one of its two versions does not fulfil the filters.
      await articles.update({ documentId, data: { title: "two" } });
      for (const title of ["one", "two"])
        expect((await articles.delete({ documentId, filters: { title } })).entries, title).to.deep.equal([]);
      expect(
        (await articles.delete({ documentId, filters: { title: { $in: ["one", "two"] } } })).entries,
      ).to.have.length(2);
    });

    it("filters of an operation on versions are conditions of code: not those of a caller, and not null", async () => {
      const { documentId } = await articles.create({ data: { title: "kept" } });
      for (const wrong of [{ filters: { title: "kept" }, visibility: "public" }, { filters: null }] as const)
        expect((await failureOf(articles.delete({ documentId, ...wrong }))).message).to.match(
          /^filters of delete has to be/,
        );
      expect(await read(documentId, "draft")).to.include({ title: "kept" });
    });

    it("one document is found where it fulfils the filters and the search", async () => {
      const { documentId } = await articles.create({ data: { title: "Findable" } });
      const titles = await Promise.all(
        [
          { filters: { title: "Findable" } },
          { search: "indab" },
          { filters: { title: "another" } },
          { search: "zz-zz" },
        ].map(async (conditions) => (await articles.findOne({ documentId, ...conditions }))?.["title"]),
      );
      expect(titles).to.deep.equal(["Findable", "Findable", undefined, undefined]);
    });

    it("an option that an operation does not have is refused before anything happens", async () => {
      const before = await articles.count();
      const wrong = { lookup: {} } as object;
      for (const run of [articles.findMany, articles.findFirst, articles.count] as const)
        expect((await failureOf(run(wrong))).message).to.match(/^Invalid key lookup: \w+ takes no such option/);
      expect(await failureOf(articles.findOne({ documentId: "x", ...wrong }))).to.include({ status: 400 });
      const limited = { limit: 1 } as object;
      expect((await failureOf(articles.findMany(limited))).message).to.match(
        /^Invalid key limit: findMany takes no such/,
      );
      expect(await failureOf(articles.create({ data: { title: "x" }, published: true } as never))).to.include({
        status: 400,
      });
      // Who writes is said by withOrigin, for all that a piece of work does.
      const origin = { transport: "import" };
      for (const write of [articles.create, articles.update] as const)
        expect((await failureOf(write({ documentId: "x", data: { title: "x" }, origin } as never))).message).to.match(
          /^Invalid key origin: \w+ takes no such option/,
        );
      expect(await articles.count()).to.equal(before);
    });

    it("data that are left out are none", async () => {
      const created = await articles.create({} as never);
      expect(created["title"]).to.equal(null);
      expect((await articles.update({ documentId: created.documentId } as never))?.documentId).to.equal(
        created.documentId,
      );
      expect(await failureOf(articles.create({ sort: "nope" } as never))).to.include({
        status: 400,
      });
      for (const operation of ["publish", "unpublish", "discardDraft", "delete"] as const)
        expect((await articles[operation]({} as never)).entries).to.deep.equal([]);
    });

    it("code may name the document that it creates, once in each locale", async () => {
      const documentId = "a-document_of-mine";
      const made = await articles.create({ data: { documentId, title: "Named" } });
      expect(made.documentId).to.equal(documentId);
      const again = await failureOf(articles.create({ data: { documentId, title: "Again" } }));
      expect(again).to.include({ name: "ApplicationError", status: 400 });
      expect(again.message).to.contain(`There is a document "${documentId}"`);
      for (const wrong of ["", "12", 12, "a/b", "x".repeat(256), null])
        expect((await failureOf(articles.create({ data: { documentId: wrong, title: "x" } }))).message).to.match(
          /^documentId must be a string/,
        );
      const byClient = articles.create({ data: { documentId: "mine", title: "x" }, visibility: "public" });
      expect((await failureOf(byClient)).message).to.equal("Invalid key documentId");
    });

    it("reads take an ability, and find what it reaches", async () => {
      const find = `${uid("article")}.find`;
      const ability = createAbility([{ action: find, where: { title: "Reached" }, fields: ["title"] }]);
      await articles.create({ data: { title: "Reached", code: "hidden" }, status: "published" });
      const reader = { ability, status: "published" } as const;
      const found = await articles.findMany(reader);
      expect(found.map(({ title }) => title)).to.deep.equal(["Reached"]);
      expect(found[0]).to.not.have.property("code");
      expect(await articles.count(reader)).to.equal(1);
      expect(await articles.findMany({ ...reader, ability: createAbility("none") })).to.deep.equal([]);
      expect(await failureOf(articles.findMany({ ...reader, filters: { code: "hidden" } }))).to.include({
        status: 400,
      });
      expect(await failureOf(articles.findMany({ ability }))).to.include({ status: 403 });
    });

    it("writes inside a transaction are rolled back together", async () => {
      const before = await articles.count();
      const work = newsroom.db.transaction(async () => {
        await articles.create({ data: { title: "a" }, status: "published" });
        await failureOf(articles.create({ data: { title: 5 } }));
        await articles.create({ data: {}, status: "published" });
      });
      expect(await failureOf(work)).to.include({ status: 400 });
      expect(await articles.count()).to.equal(before);
    });
  });
});
