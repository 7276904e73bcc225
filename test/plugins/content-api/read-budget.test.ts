import { expect } from "chai";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { readBudgetOf } from "#core/app/create-app.js";
import { eitherDatabase } from "../../databases.js";
import { type CorpusApp, serveCorpusTypes } from "../../corpus-app.js";

const AUTHORS = 30;
const ARTICLES = 5;

/** Authors, of whom the first has articles that are in all categories. */
async function fill({ request }: Pick<CorpusApp, "request">): Promise<{ readonly author: string }> {
  const create = async (path: string, data: object): Promise<string> => {
    const { status, body } = await request("POST", path, { body: { data } });
    expect(status, JSON.stringify(body)).to.equal(201);
    return body.data.documentId;
  };
  const categories: string[] = [];
  for (let i = 0; i < ARTICLES; i += 1)
    categories.push(await create("/api/categories", { name: `C${i}`, slug: `c${i}` }));
  const author = await create("/api/authors", { name: "Author 0" });
  for (let i = 1; i < AUTHORS; i += 1) await create("/api/authors", { name: `Author ${i}` });
  for (let i = 0; i < ARTICLES; i += 1)
    await create("/api/articles", { title: `T${i}`, slug: `t${i}`, body: "é".repeat(1000), author, categories });
  return { author };
}

describe("The budget of a read", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusTypes(database, {
      rest: { nestedLimit: 2 },
      reads: { answerBytes: 8000, cost: 200_000 },
      plugins: [graphqlPlugin],
    });
    let author: string;
    const get = async (path: string) => (await app().request("GET", path)).body;
    const refused = async (path: string, status: number) => {
      const answer = await app().request("GET", path);
      expect(answer.status, path + JSON.stringify(answer.body)).to.equal(status);
      return answer.body.error;
    };

    before("write content", async () => {
      ({ author } = await fill(app()));
    });

    it("cuts lists at nestedLimit in the order of their links, on short and long pages, and gives their number", async () => {
      const titles = (entry: { articles: { title: string }[] }) => entry.articles.map(({ title }) => title);
      const query = "populate[articles][fields]=title&sort=id";
      for (const size of [10, 50]) {
        const { data } = await get(`/api/authors?${query}&pagination[pageSize]=${size}`);
        expect(titles(data[0])).to.deep.equal(["T0", "T1"]);
        const articles = (await get(`/api/articles?fields=title&populate=categories&pagination[pageSize]=${size}`))
          .data;
        expect(articles.map(({ categories }: { categories: object[] }) => categories.length)).to.deep.equal([
          2, 2, 2, 2, 2,
        ]);
        expect(articles[0].categories.map(({ slug }: { slug: string }) => slug)).to.deep.equal(["c0", "c1"]);
      }
      expect(titles((await get(`/api/authors/${author}?${query}`)).data)).to.deep.equal(["T0", "T1"]);
      const counted = (await get(`/api/authors/${author}?populate[articles][count]=true`)).data;
      expect(counted.articles).to.deep.equal({ count: ARTICLES });
      const filtered = await get(
        `/api/authors/${author}?populate[articles][filters][title][$gt]=T1&populate[articles][fields]=title`,
      );
      expect(titles(filtered.data)).to.deep.equal(["T2", "T3"]);
    });

    it("leaves code its lists", async () => {
      const found = await app()
        .plinth.app.documents("api::author.author")
        .findOne({ documentId: author, populate: ["articles"], status: "published" });
      expect(found?.["articles"]).to.have.length(ARTICLES);
    });

    it("holds for what a write answers", async () => {
      const { body } = await app().request("PUT", `/api/authors/${author}?populate=articles`, { body: { data: {} } });
      expect(body.data.articles).to.have.length(2);
    });

    it("refuses an answer that is too large with a 413 that names the part", async () => {
      for (const [path, part] of [
        ["/api/articles", "data"],
        ["/api/authors?populate[articles][populate][categories][populate]=articles", "articles.categories.articles"],
        [
          `/api/authors/${author}?populate[articles][populate][categories][populate]=articles`,
          "articles.categories.articles",
        ],
      ] as const) {
        const error = await refused(path, 413);
        expect(error).to.include({ name: "AnswerTooLargeError", code: "PLINTH_READ_TOO_LARGE" });
        expect(error.details).to.deep.equal({ part, limit: 8000 });
      }
      expect(await get("/api/articles?fields=title")).to.have.property("data");
    });

    it("refuses the same over GraphQL, after one statement", async () => {
      const { db } = app().plinth.app;
      const before = db.statementCount;
      const query = "{ articles { body } }";
      const { body } = await app().request("POST", "/graphql", { body: { query } });
      expect(body.errors[0].path).to.deep.equal(["articles"]);
      expect(body.errors[0].extensions.error.name).to.equal("AnswerTooLargeError");
      expect(db.statementCount - before).to.equal(1);
    });

    it("refuses more lists in each other than a path may have", async () => {
      const path = "articles.categories.articles.categories.articles";
      expect(await refused(`/api/authors?populate=${path}`, 400)).to.include({ code: "PLINTH_QUERY_TO_MANY_STEPS" });
      const nested = path
        .split(".")
        .reduceRight((inner, name) => `{ ${name}${name === "articles" ? " " : ""} ${inner} }`, "{ documentId }");
      const { body } = await app().request("POST", "/graphql", { body: { query: `{ authors ${nested} }` } });
      expect(body.errors[0].message).to.match(
        /^Invalid populate at articles.categories.articles.categories.articles: more than 4 lists/,
      );
    });
  });

  for (const [api, problem] of [
    [{ reads: { answerBytes: 0 } }, "api.reads.answerBytes must be a whole number from 1"],
    [{ reads: { answers: 1 } }, "api.reads.answers is not known"],
    [{ reads: 5 }, "api.reads must be an object"],
  ] as const) {
    it(`stops the start where ${problem}`, () => {
      const read = (path: string) => (path === "api.reads" ? api.reads : undefined);
      expect(() => readBudgetOf({ get: read as never }))
        .to.throw(problem)
        .with.property("code", "PLINTH_READS_INVALID_CONFIG");
    });
  }
});
