import { expect } from "chai";
import { serveCorpusApp } from "../../corpus-app.js";
import { seedCorpusApp } from "../../corpus-content.js";
import { eitherDatabase } from "../../databases.js";

// Where the reference answers reads in a way that WIRE.md decides otherwise, or leaves open.
describe("Reads that the reference gets wrong", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusApp(database);
    const content = seedCorpusApp(app);
    const get = (path: string, token?: string) => app().request("GET", path, token === undefined ? {} : { token });
    const slugsOf = async (query: string) => {
      const { status, body } = await get(`/api/articles?fields=slug&sort=slug&${query}`);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.data.map(({ slug }: { slug: string }) => slug);
    };
    /** The error of a refused list of articles: a ValidationError that names the parameter. */
    const refusal = async (query: string) => {
      const { status, body } = await get(`/api/articles?${query}`);
      expect([status, body.data, body.error?.name], query).to.deep.equal([400, null, "ValidationError"]);
      return body.error;
    };

    it("$between with one value is refused", async () => {
      const error = await refusal("filters[views][$between][0]=10");
      expect(error.details).to.include({ key: "$between", path: "views", source: "query", param: "filters" });
      expect(error.message).to.include("two values");
    });

    it("$or with an object where a list belongs is refused", async () => {
      expect((await refusal("filters[$or][slug]=article-01")).details).to.include({ key: "$or", param: "filters" });
    });

    it("an empty $and is refused", async () => {
      expect((await refusal("filters[$and]=&filters[views][$lte]=20")).details).to.include({ key: "$and" });
    });

    it("an empty filters beside conditions is refused", async () => {
      expect((await refusal("filters=&filters[views][$lte]=20")).details).to.include({ param: "filters" });
    });

    it("$contains on a json attribute is refused, and says what may be asked of one", async () => {
      const error = await refusal("filters[extra][$contains]=nested");
      expect(error.details).to.include({ key: "$contains", path: "extra", kind: "json" });
    });

    it("a list under $eq means any of its values", async () => {
      const query = "filters[slug][$eq][0]=article-01&filters[slug][$eq][1]=article-02";
      expect(await slugsOf(query)).to.deep.equal(["article-01", "article-02"]);
    });

    it("a list in place of a value means any of its values", async () => {
      const query = "filters[slug][0]=article-01&filters[slug][1]=article-02";
      expect(await slugsOf(query)).to.deep.equal(["article-01", "article-02"]);
    });

    it("a word for a number is refused", async () => {
      const error = await refusal("filters[views][$eq]=abc");
      expect(error.details).to.include({ key: "$eq", path: "views", param: "filters" });
      expect(error.message).to.include("views must be a `number` type");
    });

    it("a prototype key in filters is refused, not dropped", async () => {
      expect((await refusal("filters[__proto__][title]=x&filters[views][$lte]=20")).message).to.equal(
        "Invalid key __proto__",
      );
    });

    it("a relation can be filtered by its target's document id, like by its row id", async () => {
      const { id, documentId } = content().grace;
      expect(await slugsOf(`filters[author]=${documentId}`)).to.deep.equal(["article-04"]);
      expect(await slugsOf(`filters[author]=${id}`)).to.deep.equal(["article-04"]);
    });

    for (const [query, key] of [
      ["pagination[page]=abc", "page"],
      ["pagination[start]=abc", "start"],
      ["pagination[page]=1.5&pagination[pageSize]=3", "page"],
      ["pagination[pageSize]=2.5", "pageSize"],
    ] as const) {
      it(`${query} is refused by the name that the client wrote`, async () => {
        const error = await refusal(query);
        expect(error.message).to.equal(`Invalid pagination ${key}: expected a whole number`);
        expect(error.details).to.include({ key, path: "pagination", param: "pagination" });
      });
    }

    it("an empty fields is refused", async () => {
      expect((await refusal("fields=")).details).to.include({ param: "fields" });
    });

    it("populate[author]=* gives the author with everything in it", async () => {
      const { status, body } = await get("/api/articles?filters[slug]=article-04&fields=slug&populate[author]=*");
      expect([status, body.data[0].author.name, body.data[0].author.avatar]).to.deep.equal([200, "Grace", null]);
      expect(body.data[0].author.articles).to.have.length(1);
    });

    it("what a populated entry is sorted by is not returned unless it is asked for", async () => {
      const query = "filters[slug]=technology&populate[children][fields]=name&populate[children][sort]=slug:desc";
      const { body } = await get(`/api/categories?fields=slug&${query}`);
      expect(body.data[0].children).to.deep.equal(
        [content().software, content().hardware].map(({ id, documentId }, index) => ({
          id,
          documentId,
          name: ["Software", "Hardware"][index],
        })),
      );
    });

    it("a component that the zone does not hold is refused in `on`", async () => {
      const error = await refusal("populate[sections][on][shared.seo]=true");
      expect(error.details).to.include({ key: "shared.seo", param: "populate" });
    });

    for (const status of ["", "DRAFT"]) {
      it(`status=${status} is refused, and shows no drafts`, async () => {
        expect((await refusal(`status=${status}`)).message).to.equal(
          `Invalid status "${status}": expected "draft" or "published"`,
        );
      });
    }

    it("a search does not look into private attributes", async () => {
      expect(await slugsOf("_q=private%201")).to.deep.equal([]);
      expect(await slugsOf("_q=Article%201")).to.deep.equal(["article-01"]);
    });
  });
});
