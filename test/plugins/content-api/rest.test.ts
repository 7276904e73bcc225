import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { serveCorpusTypes } from "../../corpus-app.js";

describe("REST endpoints", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveCorpusTypes(database);
    const ask = (...request: Parameters<ReturnType<typeof served>["request"]>) => served().request(...request);
    const create = async (path: string, data: object) => (await ask("POST", path, { body: { data } })).body.data;
    let ada: { documentId: string };

    before("write content", async () => {
      ada = await create("/api/authors", { name: "Ada" });
      const science = await create("/api/categories", { name: "Science", slug: "science" });
      for (const [index, title] of ["Alpha", "Beta", "Gamma"].entries()) {
        const data = {
          title,
          slug: title.toLowerCase(),
          views: index + 1,
          author: ada.documentId,
          categories: [science.documentId],
        };
        await create("/api/articles", data);
      }
      await ask("POST", "/api/articles?status=draft", { body: { data: { title: "Draft", slug: "draft" } } });
    });

    it("list, filter, sort, select and populate in one request, as JSON in UTF-8", async () => {
      const query = "filters[views][$gt]=1&sort=views:desc&fields=title&populate[author][fields]=name";
      const { status, headers, body } = await ask("GET", `/api/articles?${query}`);
      expect([status, headers.get("content-type")]).to.deep.equal([200, "application/json; charset=utf-8"]);
      expect(body.data.map(({ title, author }: { title: string; author: object }) => [title, author])).to.deep.equal(
        ["Gamma", "Beta"].map((title) => [title, { id: 1, documentId: ada.documentId, name: "Ada" }]),
      );
      expect(body.meta).to.deep.equal({ pagination: { page: 1, pageSize: 25, pageCount: 1, total: 2 } });
    });

    it("page by page or by offset, counted or not", async () => {
      const metaOf = async (query: string) => (await ask("GET", `/api/articles?${query}`)).body.meta.pagination;
      expect(await metaOf("pagination[pageSize]=2&pagination[page]=2")).to.deep.equal({
        page: 2,
        pageSize: 2,
        pageCount: 2,
        total: 3,
      });
      expect(await metaOf("pagination[start]=1&pagination[limit]=500")).to.deep.equal({
        start: 1,
        limit: 100,
        total: 3,
      });
      expect(await metaOf("pagination[withCount]=false")).to.deep.equal({ page: 1, pageSize: 25 });
    });

    it("page a list beside a populate, and refuse pages inside of it", async () => {
      const beside = await ask("GET", "/api/articles?pagination[pageSize]=1&populate=categories");
      expect([beside.status, beside.body.data.length, beside.body.data[0].categories.length]).to.deep.equal([
        200, 1, 1,
      ]);
      const inside = await ask("GET", "/api/categories?populate[articles][pagination][pageSize]=1");
      expect([inside.status, inside.body.error.message]).to.deep.equal([400, "Invalid key pagination at articles"]);
    });

    it("give one document, and 404 for none", async () => {
      const found = await ask("GET", `/api/authors/${ada.documentId}?fields=name`);
      expect(found.body).to.deep.equal({ data: { id: 1, documentId: ada.documentId, name: "Ada" }, meta: {} });
      const missing = await ask("GET", "/api/authors/nobody");
      expect([missing.status, missing.body.error.name]).to.deep.equal([404, "NotFoundError"]);
    });

    it("answer 201 to a create, 200 to an update, 204 to a delete, and the same 204 again", async () => {
      const created = await ask("POST", "/api/categories?fields=name", {
        body: { data: { name: "Short", slug: "short" } },
      });
      expect([created.status, Object.keys(created.body.data)]).to.deep.equal([201, ["id", "documentId", "name"]]);
      const path = `/api/categories/${created.body.data.documentId}`;
      const updated = await ask("PUT", `${path}?populate=parent`, { body: { data: { name: "Long" } } });
      expect([updated.status, updated.body.data.name, updated.body.data.slug]).to.deep.equal([200, "Long", "short"]);
      expect(updated.body.data.parent).to.equal(null);
      for (const _ of [1, 2]) {
        const deleted = await ask("DELETE", path);
        expect([deleted.status, deleted.body]).to.deep.equal([204, ""]);
      }
      expect((await ask("PUT", path, { body: { data: { name: "Gone" } } })).status).to.equal(404);
    });

    it("write nothing when the query string or the body is wrong", async () => {
      const count = async () => (await ask("GET", "/api/categories")).body.meta.pagination.total;
      const before = await count();
      const data = { name: "Never", slug: "never" };
      for (const path of [
        "?fields=nope",
        "?populate=nope",
        "?filters[nope]=1",
        "?where=x",
        "?status[]=draft&filters=x",
      ]) {
        expect((await ask("POST", `/api/categories${path}`, { body: { data } })).status).to.equal(400);
      }
      for (const body of [{}, { data: null }, { data: "x" }, { data: [data] }, [], { name: "Never" }]) {
        expect((await ask("POST", "/api/categories", { body })).status).to.equal(400);
      }
      expect(await count()).to.equal(before);
    });

    it("check the query string before the data, and the permission before both", async () => {
      const both = await ask("POST", "/api/categories?fields=nope", { body: {} });
      expect(both.body.error.message).to.equal("Invalid key nope");
      const missing = await ask("POST", "/api/categories", { body: {} });
      expect(missing.body.error).to.include({
        message: 'Missing "data" payload in the request body',
        code: "PLINTH_REST_MISSING_DATA",
      });
      expect((await ask("POST", "/api/categories?fields=nope", { body: {}, token: "" })).status).to.equal(403);
    });

    it("leave out what the public may not find", async () => {
      const { body } = await ask("GET", "/api/articles?populate=*&pagination[limit]=1", { token: "" });
      expect(body.data[0].categories).to.have.length(1);
      expect(body.data[0]).not.to.have.property("author");
    });

    it("give drafts to those who ask for them", async () => {
      expect((await ask("GET", "/api/articles?filters[slug]=draft")).body.data).to.deep.equal([]);
      const { body } = await ask("GET", "/api/articles?filters[slug]=draft&status=draft");
      expect([body.data.length, body.data[0].publishedAt]).to.deep.equal([1, null]);
    });

    it("refuse page and pageSize outside of pagination", async () => {
      const { status, body } = await ask("GET", "/api/articles?page=2");
      expect([status, body.error.name, body.error.details]).to.deep.equal([400, "PaginationError", {}]);
    });

    it("give the older format of entries to those who ask for it", async () => {
      const headers = { "Strapi-Response-Format": "v4" };
      const { body } = await ask(
        "GET",
        `/api/authors/${ada.documentId}?fields=name&populate[articles][fields]=slug&populate[articles][sort]=slug`,
        { headers },
      );
      expect(body.data.attributes.name).to.equal("Ada");
      expect(body.data.attributes.articles.data[0].attributes).to.deep.equal({ slug: "alpha" });
    });

    it("make a single type's document with the first PUT, however many come at once", async () => {
      expect((await ask("GET", "/api/global")).status).to.equal(404);
      const puts = Array.from({ length: 10 }, (_, index) =>
        ask("PUT", "/api/global", { body: { data: { siteName: `Site ${index}` } } }),
      );
      const answers = await Promise.all(puts);
      expect(answers.map(({ status }) => status)).to.deep.equal(puts.map(() => 200));
      expect(new Set(answers.map(({ body }) => body.data.documentId)).size).to.equal(1);
      expect((await ask("DELETE", "/api/global")).status).to.equal(204);
      expect((await ask("GET", "/api/global")).status).to.equal(404);
      expect((await ask("DELETE", "/api/global")).status).to.equal(204);
    });

    it("know 405 from 404", async () => {
      expect((await ask("POST", "/api/global", { body: {} })).status).to.equal(405);
      expect((await ask("GET", "/api/article")).status).to.equal(404);
    });

    it("answer random query strings with 200 or 400, never anything else", async () => {
      const names = ["title", "author", "sections", "$or", "$in", "0", "populate", "__proto__", "secret", "*", ""];
      const pick = (seed: number) => names[seed % names.length];
      for (let seed = 1; seed < 150; seed += 1) {
        const root = ["filters", "sort", "fields", "populate", "pagination"][seed % 5];
        const query = `${root}[${pick(seed * 7)}][${pick(seed * 13)}]=${pick(seed * 3)}&${root}[${pick(seed)}]=%00${seed}`;
        const { status } = await ask("GET", `/api/articles?${query}`);
        expect(status, query).to.be.oneOf([200, 400]);
      }
    });

    it("a relation of a type without locales is written to the rows of the request's locale", async () => {
      const { documentId } = await create("/api/articles?locale=fr", { title: "Un", slug: "un" });
      const body = { data: { name: "Marie", articles: [documentId] } };
      const { status, body: made } = await ask("POST", "/api/authors?locale=fr", { body });
      expect(status).to.equal(201);
      const { body: found } = await ask("GET", `/api/articles/${documentId}?locale=fr&populate=author`);
      expect(found.data.author).to.include({ documentId: made.data.documentId });
      expect((await ask("POST", "/api/authors?locale=xx", { body })).body.error).to.include({
        status: 400,
        code: "PLINTH_DOCUMENT_UNKNOWN_LOCALE",
      });
    });
  });
});
