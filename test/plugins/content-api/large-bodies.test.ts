import { expect } from "chai";
import { serveCorpusTypes } from "../../corpus-app.js";
import { eitherDatabase } from "../../databases.js";

const times = <T>(count: number, item: T): readonly T[] => Array.from({ length: count }, () => item);

eitherDatabase(import.meta.url, (database) => {
  describe("a body with very much in it", () => {
    const app = serveCorpusTypes(database);
    const create = (data: object) => app().request("POST", "/api/articles", { body: { data } });
    const countArticles = async () =>
      (await app().request("GET", "/api/articles?status=draft")).body.meta.pagination.total;

    it("gets the first hundred problems and how many there are, not an answer longer than itself", async () => {
      const data = { title: "x", slug: "many", seo: { metaTitle: "x", meta: times(9000, { property: ["?"] }) } };
      const { status, body } = await create(data);
      expect(status).to.equal(400);
      expect(body.error.message).to.equal("9000 errors occurred");
      expect(body.error.details.total).to.equal(9000);
      expect(body.error.details.errors).to.have.length(100);
      expect(body.error.details.errors[99].path).to.deep.equal(["seo", "meta", "99", "property"]);
    });

    it("gets its problems without values that are very long", async () => {
      const long = times(20_000, "x");
      const { body } = await create({ title: long, slug: ["short"] });
      const [title, slug] = body.error.details.errors;
      expect(title).to.include({ name: "ValidationError" }).and.not.to.have.property("value");
      expect(title.message.length).to.be.lessThan(3000);
      expect(slug.value).to.deep.equal(["short"]);
    });

    it("is refused with more components or targets than one request may write, before they are looked at", async () => {
      const before = await countArticles();
      const tooMany: readonly object[] = [
        { seo: { metaTitle: "x", meta: times(10_000, { property: "a" }) } },
        { seo: { metaTitle: "x", meta: times(30_000, 1) } },
        { categories: times(10_001, 1) },
        { categories: { connect: times(6000, { id: 1 }), disconnect: times(6000, { id: 1 }) } },
      ];
      for (const data of tooMany) {
        const { status, body } = await create({ title: "x", slug: "parts", ...data });
        expect([status, body.error.code]).to.deep.equal([400, "PLINTH_INPUT_TOO_MANY_PARTS"]);
        expect(body.error.details).to.deep.equal({ max: 10_000 });
      }
      expect(await countArticles()).to.equal(before);
    });
  });
});
