import { expect } from "chai";
import { serveCorpusApp } from "../../corpus-app.js";
import { seedCorpusApp } from "../../corpus-content.js";
import { eitherDatabase } from "../../databases.js";

// Where the reference answers in a way, on the level of HTTP, that WIRE.md decides otherwise, or leaves open.
describe("Requests that the reference gets wrong", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveCorpusApp(database);
    seedCorpusApp(app);
    const post = (text: string) => app().request("POST", "/api/articles", { text });

    it("a count is not dressed up as an entry in the older format", async () => {
      const path = "/api/authors?filters[name]=Ada&fields=name&populate[articles][count]=true";
      const { status, body } = await app().request("GET", path, { headers: { "strapi-response-format": "v4" } });
      expect([status, body.data[0].attributes]).to.deep.equal([200, { name: "Ada", articles: { count: 3 } }]);
    });

    it("paths may be written in any case", async () => {
      const { status, body } = await app().request("GET", "/API/Categories?fields=slug&sort=slug&pagination[limit]=1");
      expect([status, body.data[0].slug]).to.deep.equal([200, "hardware"]);
    });

    for (const method of ["PATCH", "OPTIONS"]) {
      it(`${method} of an unknown path is a 404 like any other`, async () => {
        const { status, body } = await app().request(method, "/api/nothings");
        expect([status, body.data, body.error]).to.deep.equal([
          404,
          null,
          { status: 404, name: "NotFoundError", message: "Not Found", details: {}, code: "PLINTH_HTTP_NOT_FOUND" },
        ]);
      });
    }

    it("a __proto__ key in a body is refused before anything is read from it", async () => {
      const { status, body } = await post('{"data":{"title":"x","__proto__":{"admin":true}}}');
      expect([status, body.data, body.error.name]).to.deep.equal([400, null, "SyntaxError"]);
      expect(body.error.message).to.equal("Object contains forbidden prototype property");
    });

    it("a constructor key in a body is an unknown key", async () => {
      const { status, body } = await post('{"data":{"title":"x","constructor":{"a":1}}}');
      expect([status, body.error.name, body.error.message]).to.deep.equal([
        400,
        "ValidationError",
        "Invalid key constructor",
      ]);
      expect(body.error.details).to.deep.equal({ key: "constructor", path: null, source: "body" });
    });

    it("a NUL character in a text is refused with the attribute's name", async () => {
      const { status, body } = await post('{"data":{"title":"a\\u0000b"}}');
      expect([status, body.error.message]).to.deep.equal([400, "title must not contain the NUL character"]);
      expect(body.error.details.errors[0].path).to.deep.equal(["title"]);
    });
  });
});
