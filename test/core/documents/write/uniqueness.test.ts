import { expect } from "chai";
import type { Documents } from "#core/documents/documents.js";
import { eachDatabase } from "../../../databases.js";
import { failureOf, type Newsroom, openNewsroom, uid } from "./newsroom.js";

const MANY = 100;
const times = <T>(work: (index: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: MANY }, (_, index) => work(index)));
const reasonsOf = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : []));
const succeeded = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === "fulfilled").length;

describe("uniqueness", () => {
  eachDatabase((database) => {
    let newsroom: Newsroom;
    let articles: Documents;
    before(async () => {
      newsroom = await openNewsroom(await database.connect());
      articles = newsroom.documents(uid("article"));
    });

    it("a taken value is refused with its attribute and value, all of them at once", async () => {
      await articles.create({ data: { title: "t", slug: "s", code: "c" }, status: "published" });
      const message = "This attribute must be unique";
      expect(await failureOf(articles.create({ data: { title: "t", slug: "s" }, status: "published" }))).to.deep.equal({
        status: 400,
        name: "ValidationError",
        message,
        details: { errors: [{ path: ["slug"], message, name: "ValidationError", value: "s" }] },
      });
      const both = await failureOf(
        articles.create({ data: { title: "t", slug: "s", code: "c" }, status: "published" }),
      );
      expect(both.message).to.equal("2 errors occurred");
      expect((both.details as { errors: { path: string[] }[] }).errors.map(({ path }) => path[0])).to.deep.equal([
        "slug",
        "code",
      ]);
    });

    it("drafts may share a value until they are published, and a document may keep its own", async () => {
      const own = await articles.create({ data: { title: "t", code: "own" }, status: "published" });
      expect(
        await articles.update({ documentId: own.documentId, data: { code: "own" }, status: "published" }),
      ).to.include({ code: "own" });
      const draft = await articles.create({ data: { title: "t", code: "own" } });
      expect(await failureOf(articles.publish({ documentId: draft.documentId }))).to.include({ status: 400 });
      await articles.delete({ documentId: own.documentId });
      expect((await articles.publish({ documentId: draft.documentId })).entries).to.have.length(1);
    });

    it("null and empty texts are no duplicates, long texts are compared whole", async () => {
      for (const code of [null, null, "", ""])
        await articles.create({ data: { title: "t", code }, status: "published" });
      // The most that a string takes is 255.
      const long = "x".repeat(254);
      await articles.create({ data: { title: "t", code: `${long}1` }, status: "published" });
      await articles.create({ data: { title: "t", code: `${long}2` }, status: "published" });
      expect(
        await failureOf(articles.create({ data: { title: "t", code: `${long}2` }, status: "published" })),
      ).to.include({ status: 400 });
    });

    it("a conflict inside a transaction spoils nothing but its own write", async () => {
      const authors = newsroom.documents(uid("author"));
      await authors.create({ data: { name: "Taken" } });
      await newsroom.db.transaction(async () => {
        expect(await failureOf(authors.create({ data: { name: "Taken" } }))).to.include({ status: 400 });
        await authors.create({ data: { name: "Free" } });
      });
      expect(await authors.count({ filters: { name: { $in: ["Taken", "Free"] } } })).to.equal(2);
    });

    it("a hundred parallel creates with one unique value leave one", async () => {
      const authors = newsroom.documents(uid("author"));
      const results = await times(() => authors.create({ data: { name: "Only one" } }));
      expect(succeeded(results)).to.equal(1);
      expect(await authors.count({ filters: { name: "Only one" } })).to.equal(1);
    });

    it("a hundred parallel sets of a one-to-one leave one holder", async () => {
      const badge = await newsroom.documents(uid("badge")).create({ data: { name: "b" } });
      const made = await times(() => articles.create({ data: { title: "holder" }, status: "published" }));
      const ids = made.map((result) => (result.status === "fulfilled" ? result.value.documentId : ""));
      const results = await times((index) =>
        articles.update({ documentId: ids[index] as string, data: { badge: badge.documentId }, status: "published" }),
      );
      expect(reasonsOf(results)).to.deep.equal([]);
      for (const status of ["draft", "published"] as const) {
        expect(await articles.count({ filters: { badge: { documentId: badge.documentId } }, status })).to.equal(1);
      }
    });

    it("a hundred parallel sets from the other side leave one holder", async () => {
      const badge = await newsroom.documents(uid("badge")).create({ data: { name: "b" } });
      const made = await times(() => articles.create({ data: { title: "holder" } }));
      const ids = made.map((result) => (result.status === "fulfilled" ? result.value.documentId : ""));
      const results = await times((index) =>
        newsroom.documents(uid("badge")).update({ documentId: badge.documentId, data: { holder: ids[index] } }),
      );
      expect(reasonsOf(results)).to.deep.equal([]);
      expect(await articles.count({ filters: { badge: { documentId: badge.documentId } } })).to.equal(1);
    });

    it("a value in a component that all locales share is unique in each of them, and free again in each", async () => {
      const pages = newsroom.documents(uid("page"));
      const seo = (property: string) => ({ seo: { title: "s", meta: [{ property }] } });
      const { documentId } = await pages.create({ data: { title: "One", ...seo("before") }, status: "published" });
      await pages.update({ documentId, locale: "fr", data: { title: "Un" }, status: "published" });
      await pages.update({ documentId, data: seo("after"), status: "published" });
      const inFrench = (property: string) =>
        pages.create({ data: { title: "Autre", ...seo(property) }, locale: "fr", status: "published" });
      expect(await failureOf(inFrench("after"))).to.include({ message: "This attribute must be unique" });
      const other = await inFrench("before");
      const pushed = await failureOf(pages.update({ documentId, data: seo("before"), status: "published" }));
      expect(pushed).to.include({ message: "This attribute must be unique" });
      await pages.delete({ documentId: other.documentId as string, locale: "fr" });
      await pages.update({ documentId, data: seo("before"), status: "published" });
      expect(await failureOf(inFrench("before"))).to.include({ message: "This attribute must be unique" });
    });

    it("of two documents that take one shared value in several locales at once, one gets it", async () => {
      const pages = newsroom.documents(uid("page"));
      const make = async (title: string) => {
        const { documentId } = await pages.create({ data: { title }, status: "published" });
        await pages.update({ documentId, locale: "fr", data: { title }, status: "published" });
        return documentId as string;
      };
      const [one, two] = [await make("one"), await make("two")];
      for (let round = 0; round < 10; round += 1) {
        const seo = { title: "s", meta: [{ property: `taken ${round}` }] };
        const write = (documentId: string, locale: string) =>
          pages.update({ documentId, locale, data: { seo }, status: "published" });
        const results = await Promise.allSettled([write(one, "en"), write(two, "fr")]);
        expect(succeeded(results), `round ${round}`).to.equal(1);
      }
    });

    it("a value of another locale is refused with that locale, and only where it is shared", async () => {
      const pages = newsroom.documents(uid("page"));
      const seo = { title: "s", meta: [{ property: "of a French page" }] };
      await pages.create({ data: { title: "Une", seo }, locale: "fr", status: "published" });
      const { documentId } = await pages.create({ data: { title: "One" }, status: "published" });
      await pages.update({ documentId, locale: "fr", data: { title: "Un" }, status: "published" });
      const { details } = await failureOf(pages.update({ documentId, data: { seo }, status: "published" }));
      expect(details).to.have.nested.property("errors[0].locale", "fr");
      expect(await pages.create({ data: { title: "English alone", seo }, status: "published" })).to.include({
        title: "English alone",
      });
    });

    it("a hundred parallel updates into a new locale make it once", async () => {
      const pages = newsroom.documents(uid("page"));
      const { documentId } = await pages.create({ data: { title: "t" } });
      const results = await times((index) =>
        pages.update({ documentId, locale: "fr", data: { title: `${index}` }, status: "published" }),
      );
      expect(reasonsOf(results)).to.deep.equal([]);
      expect(await pages.count({ filters: { documentId }, locale: "*", status: "published" })).to.equal(1);
    });
  });
});
