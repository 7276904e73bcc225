import { expect } from "chai";
import type { Document, Documents } from "#core/documents/documents.js";
import { eachDatabase } from "../../../databases.js";
import { failureOf, listOf, type Newsroom, openNewsroom, textOf, uid } from "./newsroom.js";

describe("writing relations", () => {
  eachDatabase((database) => {
    let newsroom: Newsroom;
    let articles: Documents;
    let tags: Document[];
    let ids: string[];
    before(async () => {
      newsroom = await openNewsroom(await database.connect());
      articles = newsroom.documents(uid("article"));
      tags = [];
      for (const name of ["a", "b", "c", "d", "e"])
        tags.push(await newsroom.documents(uid("tag")).create({ data: { name } }));
      ids = tags.map(({ documentId }) => documentId);
    });

    const names = (document: Document | null | undefined) => textOf(document, "tags");
    const withTags = async (given: unknown) =>
      await articles.create({ data: { title: "t", tags: given }, populate: ["tags"] });
    const change = async (documentId: string, given: unknown) =>
      names(await articles.update({ documentId, data: { tags: given }, populate: ["tags"] }));

    it("targets can be named by document id, by row id, and as objects; their order is kept", async () => {
      expect(names(await withTags([ids[2], tags[0]?.id, { documentId: ids[1] }, { id: tags[3]?.id }]))).to.equal(
        "cabd",
      );
    });

    it("connect appends, places, and moves what is linked already", async () => {
      const { documentId } = await withTags([ids[0], ids[1]]);
      expect(await change(documentId, { connect: [ids[2]] })).to.equal("abc");
      expect(await change(documentId, { connect: [{ documentId: ids[3], position: { before: ids[1] } }] })).to.equal(
        "adbc",
      );
      expect(
        await change(documentId, { connect: [{ documentId: ids[0], position: { after: tags[2]?.id } }] }),
      ).to.equal("dbca");
      expect(await change(documentId, { connect: [{ documentId: ids[2], position: { start: true } }] })).to.equal(
        "cdba",
      );
      expect(await change(documentId, { connect: [ids[2]] })).to.equal("dbac");
      expect(await change(documentId, { connect: [ids[4]], disconnect: [ids[3], ids[2]] })).to.equal("bae");
    });

    it("two connects at the start end up reversed, and duplicates collapse", async () => {
      const { documentId } = await withTags([ids[4]]);
      const start = (documentId: string | undefined) => ({ documentId, position: { start: true } });
      expect(await change(documentId, { connect: [start(ids[0]), start(ids[1])] })).to.equal("bae");
      expect(await change(documentId, [ids[2], ids[2], ids[0]])).to.equal("ca");
    });

    it("an empty list and null clear, an empty object leaves as it is", async () => {
      const { documentId } = await withTags([ids[0]]);
      expect(await change(documentId, {})).to.equal("a");
      expect(await change(documentId, [])).to.equal("");
      await change(documentId, ids);
      expect(await change(documentId, null)).to.equal("");
    });

    it("unknown targets are refused with the name the client gave, and nothing is written", async () => {
      const before = await articles.count();
      expect(await failureOf(withTags([ids[0], "nowhere"]))).to.deep.equal({
        status: 400,
        name: "ValidationError",
        message: 'Document with id "nowhere", locale "null" not found',
        details: {},
      });
      const message = `2 relation(s) of type ${uid("tag")} associated with this entity do not exist`;
      expect(await failureOf(withTags([999999, ids[0], -1]))).to.deep.equal({
        status: 400,
        name: "ValidationError",
        message,
        details: { errors: [{ path: [], message, name: "ValidationError", value: [999999, -1] }] },
      });
      expect((await failureOf(articles.create({ data: { title: "t", cover: 1 } }))).message).to.contain(
        "1 relation(s) of type plinth::file",
      );
      expect(await articles.count()).to.equal(before);
    });

    it("a position beside something that is not linked is refused, unless it need not be strict", async () => {
      const { documentId } = await withTags([ids[0]]);
      const connect = [{ documentId: ids[1], position: { before: ids[2] } }];
      expect(await failureOf(change(documentId, { connect }))).to.include({ status: 400, name: "ValidationError" });
      expect(await change(documentId, { connect, options: { strict: false } })).to.equal("ab");
    });

    it("a to-one relation is set, replaced, disconnected and cleared", async () => {
      const authors = newsroom.documents(uid("author"));
      const ada = await authors.create({ data: { name: "Ada" } });
      const bob = await authors.create({ data: { name: "Bob" } });
      const { documentId } = await articles.create({ data: { title: "t", author: ada.documentId } });
      const set = async (author: unknown) =>
        (await articles.update({ documentId, data: { author }, populate: ["author"] }))?.["author"] as {
          name: string;
        } | null;
      expect((await set({ disconnect: [bob.documentId] }))?.name).to.equal("Ada");
      expect((await set({ connect: [bob.id] }))?.name).to.equal("Bob");
      expect(await set({ disconnect: [bob.documentId] })).to.equal(null);
      expect((await set({ set: [ada.documentId] }))?.name).to.equal("Ada");
      expect(await set(null)).to.equal(null);
    });

    it("draft edits of relations do not leak, and publishing keeps their order", async () => {
      const { documentId } = await articles.create({
        data: { title: "t", tags: [ids[2], ids[0]] },
        status: "published",
      });
      await change(documentId, { connect: [{ documentId: ids[4], position: { start: true } }] });
      const published = async () =>
        names(await articles.findOne({ documentId, status: "published", populate: ["tags"] }));
      expect(await published()).to.equal("ca");
      await articles.publish({ documentId });
      await articles.publish({ documentId });
      expect(await published()).to.equal("eca");
    });

    it("polymorphic relations keep the type of each target", async () => {
      const author = await newsroom.documents(uid("author")).create({ data: { name: "Morph" } });
      const data = {
        title: "t",
        subject: { __type: uid("author"), id: author.id },
        mentions: [
          { __type: uid("tag"), id: tags[1]?.id },
          { __type: uid("author"), documentId: author.documentId },
        ],
      };
      const { documentId } = await articles.create({ data, status: "published" });
      const read = async () =>
        await articles.findOne({ documentId, status: "published", populate: { subject: true, mentions: true } });
      expect((await read())?.["subject"]).to.include({ __type: uid("author"), name: "Morph" });
      expect(textOf(await read(), "mentions", "__type")).to.equal(uid("tag") + uid("author"));
      await newsroom.documents(uid("author")).delete({ documentId: author.documentId });
      expect((await read())?.["subject"]).to.equal(null);
      expect((await read())?.["mentions"]).to.have.length(1);
    });

    it("deleting a document takes it out of lists, to-one relations and components of others", async () => {
      const doomed = await newsroom.documents(uid("tag")).create({ data: { name: "x" } });
      const child = await newsroom.documents(uid("tag")).create({ data: { name: "child", parent: doomed.documentId } });
      const data = {
        title: "t",
        tags: [ids[0], doomed.id, ids[1]],
        links: [{ label: "l", tag: doomed.id, tags: [doomed.id, ids[0]] }],
      };
      const { documentId } = await articles.create({ data, status: "published" });
      const where = (status: "draft" | "published") =>
        articles.findOne({ documentId, status, populate: { tags: true, links: { populate: "*" } } });
      expect(names(await where("published"))).to.equal("axb");
      await newsroom.documents(uid("tag")).delete({ documentId: doomed.documentId });
      for (const status of ["draft", "published"] as const) {
        const found = await where(status);
        expect(names(found)).to.equal("ab");
        const [link] = listOf(found, "links");
        expect(link?.["tag"]).to.equal(null);
        expect(names(link)).to.equal("a");
      }
      const found = await newsroom
        .documents(uid("tag"))
        .findOne({ documentId: child.documentId, populate: ["parent"] });
      expect(found?.["parent"]).to.equal(null);
      const [row] = await newsroom.db.query<{ count: string }>({
        text: "select count(*)::text as count from articles_links where target = $1",
        values: [doomed.documentId],
      });
      expect(row?.count).to.equal("0");
    });

    it("says where a document is linked to, in which versions, components included", async () => {
      const tags = newsroom.documents(uid("tag"));
      const { documentId } = await tags.create({ data: { name: "used" } });
      expect(await tags.usesOf(documentId)).to.deep.equal([]);
      const child = await tags.create({ data: { parent: documentId } });
      const article = await articles.create({
        data: { title: "t", tags: [documentId], mentions: [{ __type: uid("tag"), documentId }] },
        status: "published",
      });
      const data = { tags: [], mentions: [], links: [{ tag: documentId, tags: [documentId] }] };
      await articles.update({ documentId: article.documentId, data });
      const uses = (await tags.usesOf(documentId)).map(({ field, status, ...use }) => [use.documentId, status, field]);
      expect(uses).to.have.deep.members([
        [child.documentId, "published", "parent"],
        [article.documentId, "published", "mentions"],
        [article.documentId, "published", "tags"],
        [article.documentId, "draft", "shared.link#tag"],
        [article.documentId, "draft", "shared.link#tags"],
      ]);
      await tags.create({ data: { parent: documentId } });
      const first = (await tags.usesOf(documentId, { most: 1 })).map(({ field }) => field);
      expect(first).to.have.members(["parent", "mentions", "tags", "shared.link#tag", "shared.link#tags"]);
      await articles.delete({ documentId: article.documentId });
      expect((await tags.usesOf(documentId)).map(({ field }) => field)).to.deep.equal(["parent", "parent"]);
    });

    it("publishing a document before or after its relation targets, in any order and repeatedly, never loses or duplicates a link", async () => {
      const make = async (title: string) => (await articles.create({ data: { title } })).documentId;
      const [owner, x, y] = [await make("o"), await make("x"), await make("y")];
      const steps = [
        () => articles.update({ documentId: owner, data: { related: [y, x] }, status: "published" }),
        () => articles.publish({ documentId: x }),
        () => articles.publish({ documentId: owner }),
        () => articles.publish({ documentId: y }),
        () => articles.publish({ documentId: x }),
        () => articles.unpublish({ documentId: y }),
        () => articles.publish({ documentId: owner }),
        () => articles.publish({ documentId: y }),
        () => articles.update({ documentId: x, data: { title: "x" }, status: "published" }),
      ];
      const seen: string[] = [];
      for (const step of steps) {
        await step();
        const found = await articles.findOne({ documentId: owner, status: "published", populate: ["related"] });
        seen.push(textOf(found, "related", "title"));
      }
      expect(seen).to.deep.equal(["", "x", "x", "yx", "yx", "x", "x", "yx", "yx"]);
    });

    it("a write costs a handful of statements, however many links it changes", async () => {
      const many: string[] = [];
      for (let index = 0; index < 30; index += 1)
        many.push((await newsroom.documents(uid("tag")).create({ data: {} })).documentId);
      const cost = async (work: () => Promise<unknown>) => {
        const before = newsroom.db.statementCount;
        await work();
        return newsroom.db.statementCount - before;
      };
      const { documentId } = await articles.create({ data: { title: "t" }, status: "published" });
      const few = await cost(() =>
        articles.update({ documentId, data: { tags: many.slice(0, 2) }, status: "published" }),
      );
      const lots = await cost(() =>
        articles.update({ documentId, data: { tags: [...many].reverse() }, status: "published" }),
      );
      expect(lots).to.equal(few);
      expect(lots).to.be.lessThan(13);
    });
  });
});
