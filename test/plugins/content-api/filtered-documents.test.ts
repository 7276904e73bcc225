import { expect } from "chai";
import { type CorpusRequest, serveCorpusTypes } from "../../corpus-app.js";
import { eitherDatabase } from "../../databases.js";

const uid = "api::article.article";
const users = {
  /** Reads what is published, and may delete. */
  cleaner: [`${uid}.findOne`, `${uid}.delete`],
  /** Reads articles with few views, and may delete all. */
  ruled: [{ action: `${uid}.findOne`, where: { views: { $lt: 5 } } }, `${uid}.delete`],
  /** Deletes, and reads nothing. */
  blind: [`${uid}.delete`],
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
      expect((await ask("GET", query)).status).to.equal(200);
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

    it("a delete takes what the same read shows, and answers the same where that is nothing", async () => {
      const remove = async (query: string) => (await ask("DELETE", `${path}?${query}`)).status;
      for (const query of [...OTHERS, "filters[views]=10&locale=*"]) {
        expect(await remove(query), query).to.equal(204);
        expect(await statusOf(""), query).to.equal(200);
      }
      expect(await remove("filters[nope]=1")).to.equal(400);
      expect(await remove(`filters[author][name]=${name}`)).to.equal(204);
      expect(await statusOf("")).to.equal(404);
    });

    it("a delete by filters takes a draft where the draft is asked for", async () => {
      const draft = `/api/articles/${await create("/api/articles?status=draft", { title: "Draft" })}`;
      const state = async () => (await ask("GET", `${draft}?status=draft`)).status;
      await ask("DELETE", `${draft}?filters[title]=Draft`);
      expect(await state()).to.equal(200);
      await ask("DELETE", `${draft}?filters[title]=Draft&status=draft`);
      expect(await state()).to.equal(404);
    });

    it("of several locales the one that is asked for is deleted", async () => {
      await ask("PUT", `${path}?locale=fr`, { body: { data: { title: "Machines" } } });
      await ask("DELETE", `${path}?locale=fr&filters[title]=Engines`);
      expect(await statusOf("locale=fr")).to.equal(200);
      await ask("DELETE", `${path}?locale=fr&filters[title]=Machines`);
      expect([await statusOf("locale=en"), await statusOf("locale=fr")]).to.deep.equal([200, 404]);
    });

    it("a draft action refuses them, and changes nothing", async () => {
      for (const key of ["filters[views]=10", "_q=ngine", "publicationFilter=modified", "hasPublishedVersion=true"])
        for (const action of ["publish", "unpublish", "discard-draft"]) {
          const { status, body } = await ask("POST", `${path}/actions/${action}?${key}`);
          expect([status, body.error.code], `${action} ${key}`).to.deep.equal([400, "PLINTH_REST_UNKNOWN_PARAMETER"]);
        }
      expect(await statusOf("")).to.equal(200);
    });

    it("a caller learns nothing by them of what they may not read: a draft, or a row outside of their rule", async () => {
      await ask("PUT", `${path}?status=draft`, { body: { data: { title: "Secret" } } });
      const guess = (title: string, token: string) => ask("DELETE", `${path}?filters[title]=${title}`, { token });
      for (const [title, token] of [
        ["Secret", "cleaner"],
        ["Engines", "ruled"],
        ["Engines", "blind"],
      ] as const) {
        expect((await guess(title, token)).status, token).to.equal(204);
        expect(await statusOf(""), token).to.equal(200);
      }
      const drafts = await ask("DELETE", `${path}?filters[title]=Secret&status=draft`, { token: "cleaner" });
      expect(drafts.status).to.equal(403);
      expect((await guess("Engines", "cleaner")).status).to.equal(204);
      expect(await statusOf("")).to.equal(404);
    });

    it("a status beside a delete without filters is ignored, as there", async () => {
      expect((await ask("DELETE", `${path}?status=draft`, { token: "cleaner" })).status).to.equal(204);
      expect(await statusOf("")).to.equal(404);
    });
  });
});
