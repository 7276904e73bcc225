import { expect } from "chai";
import { eitherDatabase } from "../../../databases.js";
import { EDITOR, serveCustomised } from "../customised-app.js";

const QUERY = "{ articles { title } }";

eitherDatabase(import.meta.url, (database) => {
  describe("GraphQL over HTTP", () => {
    const app = serveCustomised(database);
    const ask = (init: RequestInit, path = "") => fetch(`${app().url}/graphql${path}`, init);

    it("answers a query, and says that the answer is not to be kept", async () => {
      const { status, headers, body } = await app().send(QUERY);
      expect(status).to.equal(200);
      expect(headers.get("cache-control")).to.equal("no-store");
      expect(headers.get("content-type")).to.match(/^application\/json/);
      expect(body).to.deep.equal({ data: { articles: [] } });
    });

    it("refuses what a form on another site could send", async () => {
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
        const response = await ask({ method: "POST", headers: { "content-type": type }, body: `query=${QUERY}` });
        expect(response.status, type).to.equal(400);
      }
      expect((await ask({ method: "POST" })).status).to.equal(400);
    });

    it("answers a GET only with a header that no form can send, and no mutation by it", async () => {
      const query = `?query=${encodeURIComponent(QUERY)}`;
      expect((await ask({}, query)).status).to.equal(400);
      const headers = { "apollo-require-preflight": "1" };
      const answered = await ask({ headers }, query);
      expect(await answered.json()).to.deep.equal({ data: { articles: [] } });
      const mutation = `?query=${encodeURIComponent('mutation { createTag(data: { name: "x" }) { name } }')}`;
      expect((await ask({ headers }, mutation)).status).to.equal(405);
    });

    it("answers a bearer that nobody knows as REST does", async () => {
      const { status, body } = await app().send(QUERY, { token: "nobody" });
      expect(status).to.equal(401);
      expect(body.error).to.include({ name: "UnauthorizedError", message: "Missing or invalid credentials" });
    });

    it("answers 400 for a document, a variable or an argument that cannot be", async () => {
      const codes = [
        ["{ articles", "GRAPHQL_PARSE_FAILED"],
        ["{ nothing }", "GRAPHQL_VALIDATION_FAILED"],
        ["query ($d: ArticleInput!) { articles { title } shout(text: $d) { text } }", "GRAPHQL_VALIDATION_FAILED"],
        ["query ($l: Int!) { articles(pagination: { limit: $l }) { title } }", "BAD_USER_INPUT"],
      ];
      for (const [query = "", code] of codes) {
        const { status, body } = await app().send(query);
        expect(status, query).to.equal(400);
        expect(body.errors[0].extensions.code, query).to.equal(code);
      }
    });

    it("tells of a fault of the server nothing but the request's id, and answers the other fields", async () => {
      const { status, headers, body } = await app().send("{ fault articles { title } }");
      expect(status).to.equal(200);
      expect(body).to.deep.equal({
        data: { fault: null, articles: [] },
        errors: [
          {
            message: "Internal Server Error",
            path: ["fault"],
            extensions: { code: "INTERNAL_SERVER_ERROR", requestId: headers.get("x-request-id") },
          },
        ],
      });
    });

    it("shows an error that a resolver throws for the client", async () => {
      const { body } = await app().send("{ refusal }");
      expect(body.errors[0]).to.deep.include({ message: "Not now", path: ["refusal"] });
      expect(body.errors[0].extensions).to.deep.equal({
        code: "STRAPI_CONFLICT_ERROR",
        error: { name: "ConflictError", message: "Not now", details: {} },
      });
    });

    it("is a 413 for a body that is too large, and a 400 for one that is not JSON", async () => {
      const headers = { "content-type": "application/json" };
      expect((await ask({ method: "POST", headers, body: `"${"x".repeat(2_000_000)}"` })).status).to.equal(413);
      expect((await ask({ method: "POST", headers, body: "{" })).status).to.equal(400);
    });

    it("tells the schema and shows a page to try queries on, which loads nothing from other hosts", async () => {
      const page = await ask({ headers: { accept: "text/html" } });
      expect(page.status).to.equal(200);
      expect(page.headers.get("content-type")).to.match(/^text\/html/);
      expect(page.headers.get("content-security-policy")).to.contain("script-src 'self';").and.not.contain("http");
      expect(page.headers.get("x-content-type-options")).to.equal("nosniff");
      const html = await page.text();
      const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = ""]) => file);
      expect(files).to.have.length(5);
      for (const file of files) {
        const response = await fetch(new URL(file, `${app().url}/graphql`));
        expect(response.status, file).to.equal(200);
        expect(response.headers.get("content-type"), file).to.match(/^text\/(css|javascript)/);
        expect((await response.text()).length, file).to.be.above(100);
      }
      for (const file of ["other.js", "__proto__", "constructor", "toString"])
        expect((await fetch(`${app().url}/graphql/graphiql/${file}`)).status, file).to.equal(404);
      const slash = await fetch(`${app().url}/graphql/`, { headers: { accept: "text/html" }, redirect: "manual" });
      expect([slash.status, slash.headers.get("location")]).to.deep.equal([302, "../graphql"]);
      expect((await app().send("{ __schema { queryType { name } } }")).status).to.equal(200);
    });
  });

  describe("GraphQL in production", () => {
    const app = serveCustomised(database, { environment: "production" });

    it("tells nobody the schema, and does not guess what a name should have been", async () => {
      const { status, body } = await app().send("{ __schema { types { name } } }", { token: EDITOR });
      expect(status).to.equal(400);
      expect(body.errors[0].message).to.contain("introspection is not allowed");
      const guess = await app().send("{ articles { titel } }");
      expect(guess.body.errors[0].message).to.not.contain("Did you mean");
      expect((await app().send("{ articles { __typename } }")).status).to.equal(200);
    });

    it("has no page", async () => {
      const response = await fetch(`${app().url}/graphql`, { headers: { accept: "text/html" } });
      expect(response.status).to.equal(400);
      expect((await fetch(`${app().url}/graphql/graphiql/start.js`)).status).to.equal(404);
    });
  });

  describe("GraphQL as configured", () => {
    const paths: string[] = [];
    const app = serveCustomised(database, {
      environment: "production",
      graphql: {
        introspection: true,
        landingPage: ({ environment }: { environment: string }) => environment === "production",
        depthLimit: 1,
        apolloServer: {
          plugins: [{ requestDidStart: async () => ({ didResolveOperation: async () => void paths.push("plugin") }) }],
          formatError: (formatted: object) => ({ ...formatted, message: "Formatted by the app" }),
        },
      },
    });

    it("tells the schema and has the page in production, too", async () => {
      expect((await app().send("{ __schema { queryType { name } } }")).status).to.equal(200);
      const page = await fetch(`${app().url}/graphql`, { headers: { accept: "text/html" } });
      expect(page.status).to.equal(200);
    });

    it("passes options on to Apollo Server, beside its own", async () => {
      const { body } = await app().send('mutation { renameAll(title: "x") }');
      expect(body.errors[0]).to.deep.include({ message: "Formatted by the app" });
      expect(body.errors[0].extensions.code).to.equal("FORBIDDEN");
      expect(paths).to.contain("plugin");
    });
  });
});
