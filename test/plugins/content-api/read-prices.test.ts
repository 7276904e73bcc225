import { expect } from "chai";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { serveCorpusTypes } from "../../corpus-app.js";
import { eitherDatabase } from "../../databases.js";

const AUTHORS = 600;
const ARTICLES = 3000;

describe("The price of a read in much content", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusTypes(database, { reads: { cost: 300_000 }, plugins: [graphqlPlugin] });
    const refused = async (path: string) => {
      const { status, body } = await app().request("GET", `/api/${path}`);
      expect([status, body.error?.code], path).to.deep.equal([400, "PLINTH_QUERY_TOO_COSTLY"]);
      return body.error;
    };

    before("write content by SQL", async () => {
      const { db } = app().plinth.app;
      const columns = "document_id, locale, created_at, updated_at, published_at";
      const values = "'en', now(), now(), now() from generate_series";
      await db.query({
        text: `insert into authors (name, ${columns}) select 'A' || n, 'author' || n, ${values}(1, ${AUTHORS}) n`,
        values: [],
      });
      await db.query({
        text: `insert into articles (title, author, ${columns})
            select 'T' || n, 'author' || n % ${AUTHORS}, 'article' || n, ${values}(1, ${ARTICLES}) n`,
        values: [],
      });
    });

    it("is refused beyond the budget, with what it costs", async () => {
      const error = await refused("authors?filters[articles][body][$containsi]=engine");
      expect(error.details.limit).to.equal(300_000);
      expect(error.details.cost).to.be.greaterThan(300_000);
      const costly = Array.from({ length: 3 }, (_, i) => `filters[$or][${i}][body][$containsi]=x`).join("&");
      expect((await refused(`articles?${costly}`)).details).to.deep.equal({ cost: 1_200_125, limit: 300_000 });
    });

    it("says of rows that the caller may not see no more than their power of two", async () => {
      const { details } = await refused("authors?filters[articles][body][$containsi]=engine");
      const again = await refused("authors?filters[articles][body][$containsi]=engin");
      expect(again.details).to.deep.equal(details);
      // 1,024 authors and 4,096 links: a condition for each link, twice because they are counted, and the page.
      expect(details.cost).to.equal(2 * 4096 * 101 + 25 * 5);
    });

    it("counts the length of what is compared and searched for, also in variables", async () => {
      const length = 10_000;
      for (const query of ["articles?filters[title][$containsi]=", "articles?filters[author][name][$eqi]="]) {
        expect((await app().request("GET", `/api/${query}a`)).status, query).to.equal(200);
        await refused(`${query}${"a".repeat(length)}`);
      }
      const query = "query ($v: String) { articles(filters: { title: { containsi: $v } }) { title } }";
      const ask = (v: string) => app().request("POST", "/graphql", { body: { query, variables: { v } } });
      expect((await ask("a")).body.errors).to.equal(undefined);
      expect((await ask("a".repeat(length))).body.errors[0].message).to.match(/^The request costs \d+ and 300000/);
    });
  });
});
