import { expect } from "chai";
import { type CorpusRequest, serveCorpusTypes } from "../../corpus-app.js";
import { eitherDatabase } from "../../databases.js";

const uid = "api::article.article";
const users = {
  /** Reads what is published, and may delete and publish. */
  cleaner: [`${uid}.find`, `${uid}.findOne`, `${uid}.delete`, `${uid}.publish`],
};

describe("Filters on one document", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusTypes(database, { users, rest: { openDrafts: false } });
    let path: string;
    let author: string;
    let name: string;
    let written = 0;

    const ask = (method: string, url: string, options?: CorpusRequest) => app().request(method, url, options);
    const statusOf = async (query: string, options?: CorpusRequest) =>
      (await ask("GET", `${path}?${query}`, options)).status;
    const create = async (url: string, data: object): Promise<string> =>
      (await ask("POST", url, { body: { data } })).body.data.documentId;

    beforeEach("write an article", async () => {
      written += 1;
      // Names of authors are unique.
      name = `Ada-${written}`;
      author = `/api/authors/${await create("/api/authors", { name })}`;
      const data = { title: "Engines", views: 10, author: author.slice("/api/authors/".length) };
      path = `/api/articles/${await create("/api/articles", data)}`;
    });

    const matching = () => [
      "filters[views][$lt]=99",
      `filters[author][name]=${name}`,
      "_q=ngine",
      "filters[$not][views]=11",
    ];
    const OTHERS = [
      ...["filters[views][$gt]=99999", "filters[author][name]=Grace", "_q=zz-zz", "filters[$not][views]=10"],
      ...["filters[views]=10&_q=zz-zz", "publicationFilter=never-published-document"],
    ];

    it("the document is found where it fulfils them", async () => {
      for (const query of matching()) expect(await statusOf(query), query).to.equal(200);
    });

    it("it is a 404 where it does not, as an unknown document is", async () => {
      const unknown = await ask("GET", "/api/articles/nowhere");
      for (const query of OTHERS) {
        const { status, body } = await ask("GET", `${path}?${query}`);
        expect({ status, body }, query).to.deep.equal({ status: 404, body: unknown.body });
      }
    });

    it("a document that is known is asked for again when what it is filtered by changes", async () => {
      const query = `${path}?filters[author][name]=${name}`;
      const tag = (await ask("GET", query)).headers.get("etag") ?? "";
      const again = () => ask("GET", query, { headers: { "If-None-Match": tag } });
      expect((await again()).status).to.equal(304);
      await ask("PUT", author, { body: { data: { name: `Grace-${written}` } } });
      expect((await again()).status).to.equal(404);
      await ask("PUT", author, { body: { data: { name } } });
      expect((await again()).status).to.be.oneOf([200, 304]);
    });

    it("the document of a single type is filtered as well", async () => {
      await ask("PUT", "/api/homepage", { body: { data: { heading: "Home" } } });
      const statuses: number[] = [];
      for (const query of ["filters[heading]=Home", "_q=Hom", "filters[heading]=nope", "_q=zz-zz"])
        statuses.push((await ask("GET", `/api/homepage?${query}`)).status);
      expect(statuses).to.deep.equal([200, 200, 404, 404]);
    });

    it("they do not keep back the answer of a write, which they do not choose", async () => {
      const { status, body } = await ask("PUT", `${path}?filters[views][$gt]=99999`, { body: { data: { views: 11 } } });
      expect([status, body.data.views]).to.deep.equal([200, 11]);
      expect((await ask("PUT", `${path}?filters[nope]=1`, { body: { data: { views: 12 } } })).status).to.equal(400);
    });

    it("a delete takes what fulfils them, and answers the same where nothing does", async () => {
      expect((await ask("DELETE", `${path}?filters[views][$gt]=99999`)).status).to.equal(204);
      expect(await statusOf("")).to.equal(200);
      expect((await ask("DELETE", `${path}?filters[nope]=1`)).status).to.equal(400);
      expect((await ask("DELETE", `${path}?filters[author][name]=${name}`)).status).to.equal(204);
      expect(await statusOf("")).to.equal(404);
    });

    it("a delete and a draft action refuse what chooses lists, and change nothing", async () => {
      for (const key of ["_q=zz-zz", "publicationFilter=modified", "hasPublishedVersion=true"]) {
        const refused = [await ask("DELETE", `${path}?${key}`), await ask("POST", `${path}/actions/unpublish?${key}`)];
        for (const { status, body } of refused)
          expect([status, body.error.code], key).to.deep.equal([400, "PLINTH_REST_UNKNOWN_PARAMETER"]);
      }
      expect(await statusOf("")).to.equal(200);
    });

    it("a draft action on a document that does not fulfil them is a 404, and changes nothing", async () => {
      expect((await ask("POST", `${path}/actions/unpublish?filters[views]=11`)).status).to.equal(404);
      expect(await statusOf("")).to.equal(200);
      expect((await ask("POST", `${path}/actions/unpublish?filters[views]=10`)).status).to.equal(200);
      expect(await statusOf("")).to.equal(404);
    });

    it("of several locales those are deleted that fulfil them", async () => {
      await ask("PUT", `${path}?locale=fr`, { body: { data: { title: "Machines" } } });
      await ask("DELETE", `${path}?locale=*&filters[title]=Machines`);
      expect([await statusOf("locale=en"), await statusOf("locale=fr")]).to.deep.equal([200, 404]);
    });

    it("a caller who may not read drafts learns nothing of them by what a delete does", async () => {
      await ask("PUT", `${path}?status=draft`, { body: { data: { title: "Secret" } } });
      const guess = (title: string) => ask("DELETE", `${path}?filters[title]=${title}`, { token: "cleaner" });
      expect((await guess("Secret")).status).to.equal(204);
      expect(await statusOf("")).to.equal(200);
      expect((await guess("Engines")).status).to.equal(204);
      expect(await statusOf("")).to.equal(404);
    });
  });
});
