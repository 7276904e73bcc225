import { expect } from "chai";
import type { Document, Documents } from "#core/documents/documents.js";
import { eachDatabase } from "../../../databases.js";
import { failureOf, type Newsroom, openNewsroom, uid } from "./newsroom.js";

const POPULATE = { seo: { populate: "*" }, links: { populate: "*" }, sections: { populate: "*" } };

interface Link {
  readonly id: number;
  readonly label: string;
  readonly tag: { readonly name: string } | null;
  readonly tags: readonly { readonly name: string }[];
}

/** Lists are as long as the tests below need them. */
interface Article {
  readonly documentId: string;
  readonly seo: {
    readonly id: number;
    readonly title: string;
    readonly meta: readonly [{ readonly id: number }, { readonly id: number }];
  };
  readonly links: readonly [Link, Link, Link];
  readonly sections: readonly [Section, Section];
}

interface Section {
  readonly id: number;
  readonly title: string;
  readonly items: readonly Link[];
}

describe("writing components", () => {
  eachDatabase((database) => {
    let newsroom: Newsroom;
    let articles: Documents;
    let tag: Document;
    before(async () => {
      newsroom = await openNewsroom(await database.connect());
      articles = newsroom.documents(uid("article"));
      tag = await newsroom.documents(uid("tag")).create({ data: { name: "tag" } });
    });

    const create = async (data: object, status: "draft" | "published" = "published") =>
      (await articles.create({ data: { title: "t", ...data }, status, populate: POPULATE })) as unknown as Article;
    const update = async (documentId: string, data: object, status: "draft" | "published" = "published") =>
      (await articles.update({ documentId, data: { ...data }, status, populate: POPULATE })) as unknown as Article;

    it("new components get ids of their own, and what is not given is null or empty", async () => {
      const { seo, links, sections } = await create({
        seo: { title: "s" },
        links: [{ label: "l" }],
        sections: [{ __component: "sections.quote", text: "q" }],
      });
      expect(seo).to.deep.include({ title: "s", text: null, meta: [] });
      expect(links[0]).to.deep.include({ label: "l", url: null, tag: null, tags: [] });
      expect(sections[0]).to.deep.include({ __component: "sections.quote", text: "q", author: null });
      expect(new Set([seo.id, links[0].id, sections[0].id]).size).to.equal(3);
    });

    it("without an id a component is replaced, with one it is changed in part, nested ones too", async () => {
      const first = await create({
        seo: { title: "s", text: "t", meta: [{ property: "n1", content: "1" }, { property: "n2" }] },
      });
      const [one, two] = first["seo"].meta;
      const second = await update(first["documentId"], {
        seo: { id: first["seo"].id, title: "S", meta: [{ id: two.id, content: "2" }, { property: "n3" }] },
      });
      expect(second["seo"]).to.include({ id: first["seo"].id, title: "S", text: "t" });
      expect(second["seo"].meta[0]).to.deep.equal({ id: two.id, property: "n2", content: "2" });
      expect(second["seo"].meta.map(({ id }: { id: number }) => id)).not.to.include(one.id);
      const third = await update(first["documentId"], { seo: { title: "new" } });
      expect(third["seo"]).to.deep.include({ title: "new", text: null, meta: [] });
      expect(third["seo"].id).not.to.equal(first["seo"].id);
      expect((await update(first["documentId"], { seo: null }))["seo"]).to.equal(null);
    });

    it("lists and zones keep by id, reorder, add and drop; relations inside stay", async () => {
      const first = await create({
        links: [{ label: "one", tag: tag.id, tags: [tag.documentId] }, { label: "two" }],
        sections: [
          { __component: "sections.quote", text: "q" },
          { __component: "sections.list", items: [{ label: "i", tag: tag.id }] },
        ],
      });
      const [one, two] = first["links"];
      const second = await update(first["documentId"], {
        links: [{ id: two.id, label: "two!" }, { label: "new" }, { id: one.id }],
        sections: [{ __component: "sections.list", id: first["sections"][1].id, title: "T" }],
      });
      expect(second["links"].map(({ label }: { label: string }) => label)).to.deep.equal(["two!", "new", "one"]);
      expect(second["links"][2]).to.deep.include({ id: one.id });
      expect(second["links"][2].tag).to.include({ name: "tag" });
      expect(second["links"][2].tags).to.have.length(1);
      expect(second["sections"]).to.have.length(1);
      expect(second["sections"][0]).to.include({ title: "T" });
      expect(second["sections"][0].items).to.have.length(1);
    });

    it("draft and published version have the same component ids, and both are accepted", async () => {
      const first = await create({ seo: { title: "s", text: "t" } });
      const draft = await update(first["documentId"], { seo: null }, "draft");
      expect(draft["seo"]).to.equal(null);
      const second = await update(first["documentId"], { seo: { id: first["seo"].id, title: "again" } });
      expect(second["seo"]).to.include({ id: first["seo"].id, title: "again", text: "t" });
    });

    it("an id that belongs to no version of the document is refused", async () => {
      const other = await create({ seo: { title: "s" }, sections: [{ __component: "sections.quote", text: "q" }] });
      const { documentId } = (await create({ seo: { title: "s" }, links: [{ label: "l" }] })) as { documentId: string };
      const refusal = (attribute: string) => ({
        status: 400,
        name: "ApplicationError",
        message: `Some of the provided components in ${attribute} are not related to the entity`,
        details: {},
      });
      expect(await failureOf(update(documentId, { seo: { id: other["seo"].id, title: "x" } }))).to.deep.equal(
        refusal("seo"),
      );
      expect(await failureOf(update(documentId, { links: [{ id: 999999, label: "x" }] }))).to.deep.equal(
        refusal("links"),
      );
      expect(
        await failureOf(
          update(documentId, { sections: [{ __component: "sections.quote", id: other["sections"][0].id }] }),
        ),
      ).to.deep.equal(refusal("sections"));
      expect(await failureOf(create({ seo: { id: 1, title: "x" } }))).to.deep.equal(refusal("seo"));
    });

    it("unknown targets inside components are refused", async () => {
      const failure = await failureOf(
        create({ sections: [{ __component: "sections.quote", text: "q", author: "nowhere" }] }),
      );
      expect(failure.message).to.equal('Document with id "nowhere", locale "null" not found');
    });

    it("relations inside components can be connected and disconnected", async () => {
      const other = await newsroom.documents(uid("tag")).create({ data: { name: "other" } });
      const first = await create({ links: [{ label: "l", tags: [tag.id] }] });
      const { id } = first["links"][0];
      const change = async (tags: object) =>
        (await update(first["documentId"], { links: [{ id, tags }] }))["links"][0].tags.map(
          ({ name }: { name: string }) => name,
        );
      expect(await change({ connect: [{ id: other.id, position: { start: true } }] })).to.deep.equal(["other", "tag"]);
      expect(await change({ disconnect: [tag.documentId] })).to.deep.equal(["other"]);
    });

    it("draft edits of components do not leak", async () => {
      const first = await create({ seo: { title: "s" }, links: [{ label: "l" }] });
      await update(first["documentId"], { seo: { title: "draft" }, links: [] }, "draft");
      const read = (await articles.findOne({
        documentId: first["documentId"],
        status: "published",
        populate: POPULATE,
      })) as unknown as Article;
      expect(read["seo"].title).to.equal("s");
      expect(read["links"]).to.have.length(1);
    });

    it("a unique attribute inside components counts across entries when they are published", async () => {
      const seo = (property: string, more: object[] = []) => ({ seo: { title: "s", meta: [{ property }, ...more] } });
      const first = await create(seo("once"));
      await create(seo("once"), "draft");
      await create(seo(""));
      await create(seo(""));
      const failure = await failureOf(create(seo("once")));
      expect(failure).to.deep.equal({
        status: 400,
        name: "ValidationError",
        message: "This attribute must be unique",
        details: {
          errors: [
            {
              path: ["seo", "meta", "0", "property"],
              message: "This attribute must be unique",
              name: "ValidationError",
              value: "once",
            },
          ],
        },
      });
      expect(await failureOf(create(seo("twice", [{ property: "twice" }])))).to.include({
        message: "2 errors occurred",
      });
      await update(first["documentId"], { title: "again" });
      await articles.unpublish({ documentId: first["documentId"] });
      await create(seo("once"));
      expect(await failureOf(articles.publish({ documentId: first["documentId"] }))).to.include({ status: 400 });
    });
  });
});
