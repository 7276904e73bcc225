import { defaultMiddlewares } from "#core/http/middlewares/built-in.js";
import { expect } from "chai";
import { eitherDatabase } from "../../../databases.js";
import { EDITOR, serveCustomised } from "../customised-app.js";

const JSON_TYPE = { "content-type": "application/json" };
const PREFLIGHT = { "apollo-require-preflight": "1" };

type Sent = readonly [path: string, init: RequestInit];

const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): Sent => [
  "",
  {
    method: "POST",
    headers: { ...JSON_TYPE, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  },
];
const get = (query: string, headers: Readonly<Record<string, string>> = {}): Sent => [
  `?query=${encodeURIComponent(query)}`,
  { headers },
];

const ARTICLES = { query: '{ articles(sort: "title") { title author { name } } }' };

const SENT: Readonly<Record<string, Sent>> = {
  "a query whose resolvers set headers on the context": post(ARTICLES),
  "a query of another origin": post(ARTICLES, { origin: "https://app.example.com" }),
  "variables and an operation's name": post({
    query:
      "query A($n: Int) { articles_connection(pagination: { limit: $n }) { nodes { title } } } query B { __typename }",
    variables: { n: 1 },
    operationName: "A",
  }),
  "a client of the newer media type": post(ARTICLES, { accept: "application/graphql-response+json" }),
  "a client that takes neither": post(ARTICLES, { accept: "image/png" }),
  "a policy that reads the request": post({ query: "{ authors { name } }" }, { "x-word": "please" }),
  "a policy that refuses it": post({ query: "{ authors { name } }" }),
  "a fault of a resolver": post({ query: "{ fault }" }),
  "an error that a resolver throws by the context": post({ query: "{ refusal }" }),
  "a mutation": post(
    { query: 'mutation { createArticle(data: { title: "x" }) { title } }' },
    { authorization: `Bearer ${EDITOR}` },
  ),
  "a bearer that nobody knows": post(ARTICLES, { authorization: "Bearer nobody" }),
  "no body": ["", { method: "POST" }],
  "an empty object": post({}),
  "a document that is no text": post({ query: 12 }),
  "variables as a text": post({ ...ARTICLES, variables: "{}" }),
  "several operations in one request": post([ARTICLES, ARTICLES]),
  "broken JSON": post("{"),
  "a form": ["", { method: "POST", body: new URLSearchParams({ query: "{ __typename }" }) }],
  "a document that cannot be parsed": post({ query: "{ articles" }),
  "a field that there is not": post({ query: "{ nothing }" }),
  "a document over the limits": post({ query: `{ ${"articles { title } ".repeat(1)} ${"a: __typename ".repeat(60)}}` }),
  "a GET": get("{ articles { title } }", PREFLIGHT),
  "a GET with two documents": ["?query={__typename}&query={__typename}", { headers: PREFLIGHT }],
  "a GET that a form can send": get("{ articles { title } }"),
  "a GET of a mutation": get('mutation { renameAll(title: "x") }', PREFLIGHT),
  "a HEAD": ["?query={__typename}", { method: "HEAD", headers: PREFLIGHT }],
  "a PUT": ["", { method: "PUT", headers: JSON_TYPE, body: "{}" }],
  "a browser": ["", { headers: { accept: "text/html" } }],
  "a browser at the path with a slash": ["/", { headers: { accept: "text/html" }, redirect: "manual" }],
};

eitherDatabase(import.meta.url, (database) => {
  describe("GraphQL without a koa context", () => {
    const plain = serveCustomised(database);
    const koa = serveCustomised(database, { globals: [(_ctx, next) => next(), ...defaultMiddlewares] });

    before("write content", async () => {
      for (const app of [plain, koa])
        await app()
          .plinth.app.documents("api::article.article")
          .create({ data: { title: "Notes", text: "two words" } });
    });

    const ask = async (url: string, [path, init]: Sent) => {
      const headers = { ...init.headers, "x-request-id": "the-same" };
      const answer = await fetch(`${url}/graphql${path}`, { ...init, headers });
      const shown = [...answer.headers].filter(([name]) => name !== "date");
      return { status: answer.status, headers: Object.fromEntries(shown), body: await answer.text() };
    };

    for (const [what, sent] of Object.entries(SENT))
      it(`answers ${what} as with one, byte for byte`, async () => {
        expect(await ask(plain().url, sent)).to.deep.equal(await ask(koa().url, sent));
      });

    it("lets resolvers set headers on the context that they ask for", async () => {
      const { headers } = await ask(plain().url, post(ARTICLES));
      expect(headers["x-trace"]).to.equal("named, with options, function");
      expect(headers["x-content-type-options"]).to.equal("nosniff");
    });
  });
});
