import { expect } from "chai";
import { eitherDatabase } from "../../../databases.js";
import { serveGraphql } from "../serve-graphql.js";

const QUERY = 'query Some($n: Int) { categories(sort: "name", pagination: { limit: $n }) { name slug } }';
const CONDITIONAL = "query ($x: Boolean!) { categories { name slug @include(if: $x) } }";
const TWO = "query One { categories { name } } query Two { categories { slug } }";
const JSON_TYPE = { "content-type": "application/json" };

type Body = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

/** Requests that are like a known one, with what Apollo Server has to say to them. */
const UNLIKE: Readonly<Record<string, readonly [Body | readonly Body[], Headers, number]>> = {
  "with another operation's name": [{ query: QUERY, operationName: "Other" }, {}, 400],
  "with an operation's name that is none": [{ query: QUERY, operationName: 1 }, {}, 400],
  "with a variable of another type": [{ query: QUERY, variables: { n: "many" } }, {}, 400],
  "with variables as a list": [{ query: QUERY, variables: [] }, {}, 400],
  "with variables as a text": [{ query: QUERY, variables: "{}" }, {}, 400],
  "with a persisted query of another hash": [
    { query: QUERY, extensions: { persistedQuery: { version: 1, sha256Hash: "0" } } },
    {},
    400,
  ],
  "for a client that takes neither JSON": [{ query: QUERY }, { accept: "image/png" }, 406],
  "for a client of the newer media type": [{ query: QUERY }, { accept: "application/graphql-response+json" }, 200],
  "several at once": [[{ query: QUERY }, { query: QUERY }], {}, 400],
};

eitherDatabase(import.meta.url, (database) => {
  describe("A query that was accepted before", () => {
    let looked = 0;
    const parsed = new Map<string, unknown>();
    const documentStore = {
      get: async (key: string) => {
        looked += 1;
        return parsed.get(key);
      },
      set: async (key: string, document: unknown) => void parsed.set(key, document),
      delete: async (key: string) => parsed.delete(key),
    };
    const app = serveGraphql(database, {
      pluginConfig: { graphql: { costLimit: 100, apolloServer: { documentStore } } },
    });

    before("write content", async () => {
      for (const name of ["Aa", "Bb"])
        await app().request("POST", "/api/categories", { body: { data: { name, slug: `s-${name}` } } });
    });

    const ask = async (body: unknown, headers: Headers = {}) => {
      const sent = { ...JSON_TYPE, "x-request-id": "the-same", ...headers };
      const url = `${app().url}/graphql`;
      const before = looked;
      const answer = await fetch(url, { method: "POST", headers: sent, body: JSON.stringify(body) });
      const shown = [...answer.headers].filter(([name]) => name !== "date");
      const { status } = answer;
      const text = await answer.text();
      return { status, headers: Object.fromEntries(shown), text, wasLookedUp: looked > before };
    };

    it("is answered without Apollo Server, with other variables as well, byte for byte alike", async () => {
      const { wasLookedUp, ...first } = await ask({ query: QUERY, variables: { n: 1 } });
      const { wasLookedUp: again, ...second } = await ask({ query: QUERY, variables: { n: 1 }, operationName: "Some" });
      expect([wasLookedUp, again]).to.deep.equal([true, false]);
      expect(second).to.deep.equal(first);
      const both = await ask({ query: QUERY, variables: null });
      expect(both).to.deep.include({ status: 200, wasLookedUp: false });
      expect(JSON.parse(both.text).data.categories).to.have.length(2);
    });

    for (const [what, [body, headers, status]] of Object.entries(UNLIKE))
      it(`is left to Apollo Server when it is sent ${what}`, async () => {
        await ask({ query: QUERY });
        const answer = await ask(body, headers);
        expect(answer.status).to.equal(status);
        expect(await ask(body, headers)).to.deep.include({ status, text: answer.text });
      });

    it("is refused where another site can send it", async () => {
      await ask({ query: QUERY });
      expect((await ask({ query: QUERY }, { "content-type": "text/plain" })).status).to.equal(400);
    });

    it("asks for the caller's permissions each time", async () => {
      const query = "{ authors { name } }";
      const token = { authorization: "Bearer corpus-full" };
      for (const _ of [1, 2]) {
        const { data, errors } = await app().send(query);
        expect([data.authors, errors]).to.deep.equal([[], undefined]);
        expect((await app().send(query, { token: "" })).errors?.[0]?.message).to.equal("Forbidden access");
      }
      expect((await ask({ query }, { ...token, authorization: "Bearer nobody" })).status).to.equal(401);
    });

    it("is looked at anew where its cost or its fields depend on variables or on an operation's name", async () => {
      const fields = async (x: boolean) => JSON.parse((await ask({ query: CONDITIONAL, variables: { x } })).text).data;
      for (const _ of [1, 2]) {
        expect((await fields(true)).categories[0]).to.deep.equal({ name: "Aa", slug: "s-Aa" });
        expect((await fields(false)).categories[0]).to.deep.equal({ name: "Aa" });
        const two = await ask({ query: TWO, operationName: "Two" });
        expect(JSON.parse(two.text).data.categories[0]).to.deep.equal({ slug: "s-Aa" });
        expect(JSON.parse((await ask({ query: TWO, operationName: "One" })).text).data.categories[0]).to.deep.equal({
          name: "Aa",
        });
      }
    });

    it("reports a null that the schema does not have, at its place", async () => {
      await app().plinth.app.db.query({ text: `update categories set name = null where slug = 's-Bb'`, values: [] });
      const query = '{ categories(sort: "slug") { slug name } }';
      const first = await ask({ query });
      expect(JSON.parse(first.text).errors[0].path).to.deep.equal(["categories", 1, "name"]);
      await ask({ query: QUERY });
      const { text, wasLookedUp } = await ask({ query: QUERY });
      expect(wasLookedUp).to.equal(true);
      expect(JSON.parse(text).errors[0].path).to.include("name");
    });
  });
});
