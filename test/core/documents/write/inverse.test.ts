import { expect } from "chai";
import type { Document, Documents } from "#core/documents/documents.js";
import { eachDatabase } from "../../../databases.js";
import { failureOf, type Newsroom, openNewsroom, textOf, uid } from "./newsroom.js";

describe("writing a relation from its other side", () => {
  eachDatabase((database) => {
    let newsroom: Newsroom;
    let articles: Documents;
    before(async () => {
      newsroom = await openNewsroom(await database.connect());
      articles = newsroom.documents(uid("article"));
    });

    const article = async (title: string, status: "draft" | "published" = "published") =>
      (await articles.create({ data: { title }, status })).documentId;
    const nameOf = async (documentId: string, field: string, status: "draft" | "published") => {
      const found = await articles.findOne({ documentId, status, populate: [field] });
      const value = found?.[field] as { name: string } | { name: string }[] | null;
      return Array.isArray(value) ? value.map(({ name }) => name).join("") : (value?.name ?? null);
    };
    const titles = (document: Document | null | undefined) => textOf(document, "articles", "title");

    it("a list of a type without drafts sets drafts and published rows of its members", async () => {
      const [x, y] = [await article("x"), await article("y", "draft")];
      const author = await newsroom
        .documents(uid("author"))
        .create({ data: { name: "Inverse", articles: [y, x] }, populate: ["articles"], status: "published" });
      expect(titles(author)).to.equal("x");
      expect(await nameOf(x, "author", "draft")).to.equal("Inverse");
      expect(await nameOf(x, "author", "published")).to.equal("Inverse");
      expect(await nameOf(y, "author", "draft")).to.equal("Inverse");
      await articles.publish({ documentId: y });
      const read = await newsroom
        .documents(uid("author"))
        .findOne({ documentId: author.documentId, status: "published", populate: ["articles"] });
      expect(titles(read)).to.equal("yx");
    });

    it("members can be connected, placed, moved and disconnected", async () => {
      const tags = newsroom.documents(uid("tag"));
      const [x, y, z] = [await article("x"), await article("y"), await article("z")];
      const { documentId } = await tags.create({ data: { name: "list", articles: [x, y] } });
      const change = async (given: unknown) =>
        titles(
          await tags.update({ documentId, data: { articles: given }, populate: ["articles"], status: "published" }),
        );
      expect(await change({ connect: [{ documentId: z, position: { before: x } }] })).to.equal("zxy");
      expect(await change({ connect: [z], disconnect: [x] })).to.equal("yz");
      expect(await change({ connect: [{ documentId: y, position: { end: true } }] })).to.equal("zy");
      expect(await nameOf(x, "tags", "published")).to.equal("");
      expect(await nameOf(z, "tags", "published")).to.equal("list");
      expect(await change([])).to.equal("");
    });

    it("an owner that points elsewhere is taken over, and unknown members are refused", async () => {
      const authors = newsroom.documents(uid("author"));
      const x = await article("x");
      const one = await authors.create({ data: { name: "First", articles: [x] } });
      await authors.create({ data: { name: "Second", articles: [x] } });
      expect(await nameOf(x, "author", "published")).to.equal("Second");
      const read = await authors.findOne({ documentId: one.documentId, populate: ["articles"] });
      expect(titles(read)).to.equal("");
      expect(await failureOf(authors.create({ data: { name: "Third", articles: ["nowhere"] } }))).to.include({
        status: 400,
      });
    });

    it("new links come last on the other side", async () => {
      const authors = newsroom.documents(uid("author"));
      const [x, y, z] = [await article("x"), await article("y"), await article("z")];
      const { documentId } = await authors.create({ data: { name: "Order", articles: [z, x] } });
      await articles.update({ documentId: y, data: { author: documentId }, status: "published" });
      expect(titles(await authors.findOne({ documentId, populate: ["articles"] }))).to.equal("zxy");
    });

    for (const [name, field] of [
      ["editor", "editor"],
      ["topic", "topics"],
    ] as const) {
      it(`a draft of ${name} changes drafts only, and publishing it carries the change on`, async () => {
        const owners = newsroom.documents(uid(name));
        const [x, y] = [await article("x"), await article("y")];
        const { documentId } = await owners.create({ data: { name: "N", articles: [x] }, status: "published" });
        expect(await nameOf(x, field, "published")).to.equal("N");
        await owners.update({ documentId, data: { articles: [y] } });
        expect(await nameOf(x, field, "draft")).to.equal(field === "topics" ? "" : null);
        expect(await nameOf(x, field, "published")).to.equal("N");
        expect(await nameOf(y, field, "published")).to.equal(field === "topics" ? "" : null);
        await owners.publish({ documentId });
        await owners.publish({ documentId });
        expect(await nameOf(x, field, "published")).to.equal(field === "topics" ? "" : null);
        expect(await nameOf(y, field, "published")).to.equal("N");
        await owners.update({ documentId, data: { articles: [x, y] } });
        await owners.discardDraft({ documentId });
        expect(await nameOf(x, field, "draft")).to.equal(field === "topics" ? "" : null);
        expect(await nameOf(y, field, "draft")).to.equal("N");
      });
    }

    it("a one-to-one is exclusive from both sides, per status", async () => {
      const badges = newsroom.documents(uid("badge"));
      const [x, y] = [await article("x"), await article("y")];
      const gold = await badges.create({ data: { name: "gold", holder: x } });
      await articles.update({ documentId: y, data: { badge: gold.documentId } });
      expect([await nameOf(x, "badge", "draft"), await nameOf(y, "badge", "draft")]).to.deep.equal([null, "gold"]);
      expect([await nameOf(x, "badge", "published"), await nameOf(y, "badge", "published")]).to.deep.equal([
        "gold",
        null,
      ]);
      await articles.publish({ documentId: y });
      expect([await nameOf(x, "badge", "published"), await nameOf(y, "badge", "published")]).to.deep.equal([
        null,
        "gold",
      ]);
      await badges.update({ documentId: gold.documentId, data: { holder: x } });
      expect([await nameOf(x, "badge", "published"), await nameOf(y, "badge", "published")]).to.deep.equal([
        "gold",
        null,
      ]);
      await badges.update({ documentId: gold.documentId, data: { holder: null } });
      expect(await nameOf(x, "badge", "draft")).to.equal(null);
    });

    it("polymorphic links are written from the side they lead to", async () => {
      const badges = newsroom.documents(uid("badge"));
      const [x, y] = [await article("x"), await article("y")];
      const data = { name: "iron", subjectOf: [x, y], mentionedIn: [y, x] };
      const { documentId } = await badges.create({ data });
      const read = async (field: string) => {
        const found = await badges.findOne({ documentId, status: "published", populate: [field] });
        return textOf(found, field, "title");
      };
      expect([await read("subjectOf"), await read("mentionedIn")]).to.deep.equal(["xy", "yx"]);
      const owner = await articles.findOne({
        documentId: x,
        status: "published",
        populate: { subject: true, mentions: true },
      });
      expect(owner?.["subject"]).to.include({ __type: uid("badge"), name: "iron" });
      expect(owner?.["mentions"]).to.have.length(1);
      await badges.update({ documentId, data: { subjectOf: { disconnect: [x] }, mentionedIn: [x] } });
      expect([await read("subjectOf"), await read("mentionedIn")]).to.deep.equal(["y", "x"]);
    });

    it("a tree of one type is written from parents and from children", async () => {
      const tags = newsroom.documents(uid("tag"));
      const root = await tags.create({ data: { name: "root" } });
      const leaf = await tags.create({ data: { name: "leaf", parent: root.documentId } });
      const other = await tags.create({ data: { name: "other", children: [leaf.documentId] } });
      const read = await tags.findOne({ documentId: leaf.documentId, populate: ["parent"] });
      expect(read?.["parent"]).to.include({ documentId: other.documentId });
    });
  });
});
