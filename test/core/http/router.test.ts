import { expect } from "chai";
import type { Route } from "#core/http/route.js";
import type { Handler } from "#core/http/types.js";
import { thrownBy } from "../kernel/thrown-by.js";
import { buildServer, openRoute, startServer, stopServers } from "./start-server.js";

const say =
  (text: string): Handler =>
  (ctx) => ({ text, params: { ...ctx.params } });
const NOT_FOUND = {
  data: null,
  error: { status: 404, name: "NotFoundError", message: "Not Found", details: {}, code: "PLINTH_HTTP_NOT_FOUND" },
};

const articles: readonly Route[] = [
  openRoute("GET", "/articles", say("list")),
  openRoute("POST", "/articles", say("create")),
  openRoute("GET", "/articles/:documentId", say("one")),
  openRoute("PUT", "/articles/:documentId", say("update")),
  openRoute("DELETE", "/articles/:documentId", say("delete")),
];

describe("routing over HTTP", () => {
  afterEach(stopServers);

  it("answers content-api routes below /api, whatever the letter case, with or without a trailing slash", async () => {
    const { request } = await startServer({ routes: articles });
    for (const path of ["/api/articles", "/api/articles/", "/API/Articles"]) {
      expect(await (await request(path)).json(), path).to.include({ text: "list" });
    }
    const one = await request("/api/articles/a%20b?x=1");
    expect(await one.json()).to.deep.equal({ text: "one", params: { documentId: "a b" } });
    expect(one.headers.get("content-type")).to.equal("application/json; charset=utf-8");
  });

  it("answers 404 as JSON for unknown paths, whatever the method, the body and the token", async () => {
    const { request } = await startServer({ routes: articles });
    const headers = { authorization: "Bearer nobody-knows", "content-type": "application/json" };
    for (const path of ["/nope", "/api/", "/api//articles", "/api/articles/a/b", "/articles"]) {
      for (const method of ["GET", "PATCH", "OPTIONS", "POST"]) {
        const body = method === "POST" ? "{broken" : null;
        const response = await request(path, { method, headers, body });
        expect(await response.json(), `${method} ${path}`).to.deep.equal(NOT_FOUND);
        expect(response.status).to.equal(404);
      }
    }
  });

  it("answers 405 with the methods of the path, before reading body and credentials", async () => {
    const { request } = await startServer({ routes: articles });
    const headers = { authorization: "Bearer nobody-knows", "content-type": "application/json" };
    const list = await request("/api/articles", { method: "DELETE", headers, body: "{broken" });
    expect([list.status, list.headers.get("allow"), await list.text()]).to.deep.equal([
      405,
      "HEAD, GET, POST",
      "Method Not Allowed",
    ]);
    expect(list.headers.get("content-type")).to.equal("text/plain; charset=utf-8");
    const one = await request("/api/articles/x", { method: "PATCH", headers });
    expect([one.status, one.headers.get("allow")]).to.deep.equal([405, "HEAD, GET, PUT, DELETE"]);
  });

  it("answers 404 to who reads a path that can only be written to", async () => {
    const { request } = await startServer({ routes: [openRoute("POST", "/login", say("in"))] });
    const read = await request("/api/login");
    expect([read.status, await read.json()]).to.deep.equal([404, NOT_FOUND]);
    const other = await request("/api/login", { method: "PUT" });
    expect([other.status, other.headers.get("allow")]).to.deep.equal([405, "POST"]);
  });

  it("answers OPTIONS on a known path with its methods", async () => {
    const { request } = await startServer({ routes: articles });
    const response = await request("/api/articles", { method: "OPTIONS" });
    expect([response.status, response.headers.get("allow"), await response.text()]).to.deep.equal([
      200,
      "HEAD, GET, POST",
      "",
    ]);
  });

  it("answers HEAD on every GET route, without a body", async () => {
    const { request } = await startServer({ routes: articles });
    const response = await request("/api/articles", { method: "HEAD" });
    expect([response.status, await response.text()]).to.deep.equal([200, ""]);
    expect(response.headers.get("content-type")).to.equal("application/json; charset=utf-8");
    expect(Number(response.headers.get("content-length"))).to.be.greaterThan(0);
    expect((await request("/api/nothings", { method: "HEAD" })).status).to.equal(404);
  });

  it("answers 400 for a parameter with bad percent encoding", async () => {
    const { request } = await startServer({ routes: articles });
    const response = await request("/api/articles/%zz");
    expect(response.status).to.equal(400);
    expect(await response.json()).to.have.nested.property("error.name", "ValidationError");
  });

  it("answers health checks with 204, even with a bad token", async () => {
    const { request } = await startServer({ routes: articles });
    const headers = { authorization: "Bearer nobody-knows" };
    for (const method of ["GET", "HEAD"]) expect((await request("/_health", { method, headers })).status).to.equal(204);
  });

  it("puts a plugin's routes below its name, root routes outside the REST prefix, and honours a prefix of its own", async () => {
    const { request, server } = await startServer({
      routes: {
        "plugin::bookmarks": [
          openRoute("GET", "/", say("plugin")),
          { ...openRoute("GET", "/feed", say("root")), type: "root" },
          { ...openRoute("GET", "/local", say("own")), config: { auth: false, prefix: "/auth" } },
        ],
        global: [{ ...openRoute("GET", "/hello", say("app")), type: "root" }],
      },
    });
    const paths = ["/api/bookmarks", "/bookmarks/feed", "/api/auth/local", "/hello"];
    const texts = await Promise.all(
      paths.map(async (path) => ((await (await request(path)).json()) as { text: string }).text),
    );
    expect(texts).to.deep.equal(["plugin", "root", "own", "app"]);
    expect(server.routes.map((route) => route.path)).to.deep.equal([
      "/api/bookmarks/",
      ...paths.slice(1),
      "/_health",
      "/",
    ]);
  });

  it("lets the route that was declared first answer, for the same method and path", async () => {
    const mine = openRoute("GET", "/articles", say("mine"));
    const { request, server } = await startServer({ routes: [mine, ...articles] });
    expect(await (await request("/api/articles")).json()).to.include({ text: "mine" });
    expect((await request("/api/articles", { method: "POST" })).status).to.equal(200);
    expect(server.routes.filter(({ path }) => path.startsWith("/api"))).to.have.length(articles.length);
  });

  it("answers routes with wildcards and regular expressions, after all others", async () => {
    const { request } = await startServer({
      routes: [
        openRoute("GET", "/files/*path", say("wildcard")),
        openRoute("GET", /^\/r(\d+)-(?<name>\w+)$/, say("regexp")),
        openRoute("GET", "/files/list", say("literal")),
      ],
    });
    expect(await (await request("/api/files/a/b.png")).json()).to.deep.equal({
      text: "wildcard",
      params: { path: "a/b.png" },
    });
    expect(await (await request("/r12-x")).json()).to.deep.equal({
      text: "regexp",
      params: { 0: "12", 1: "x", name: "x" },
    });
    expect(await (await request("/api/files/list")).json()).to.include({ text: "literal" });
    const other = await request("/r12-x", { method: "POST" });
    expect([other.status, other.headers.get("allow")]).to.deep.equal([405, "HEAD, GET"]);
  });

  it("refuses to start with routes that cannot work, and names all of them", () => {
    const handler = say("x");
    const start = () =>
      buildServer({
        controllers: { "api::article.article": { find: handler } },
        routes: [
          { method: "GET", path: "/a", handler: "article.fin" },
          { method: "GET", path: "/b", handler: "nothing.find" },
          { method: "GET", path: "/c", handler },
          { method: "GET", path: "d//e", handler: "article.find" },
          { method: "GET", path: "/f", handler: "article.find", config: { policies: ["is-nobody"] } },
          { method: "GET", path: "/g", handler: "article.find" },
        ],
      });
    expect(start)
      .to.throw()
      .with.property("details")
      .that.satisfies((details: { problems: { route: string; message: string }[] }) => {
        expect(details.problems.map((problem) => problem.route)).to.deep.equal([
          "GET /a of api::article",
          "GET /b of api::article",
          "GET /c of api::article",
          "GET d//e of api::article",
          "GET /f of api::article",
        ]);
        expect(details.problems[0]?.message).to.contain('Did you mean "find"?');
        expect(details.problems[2]?.message).to.contain("auth: false");
        return true;
      });
    expect(start).to.throw().with.property("code", "PLINTH_HTTP_INVALID_ROUTES");
  });

  it("refuses a method, a path, a type and keys that do not exist", async () => {
    const declared = { method: "GET", path: "/x", handler: say("x"), config: { auth: false } };
    const reasonOf = async (changes: object) => {
      const start = () => buildServer({ routes: [{ ...declared, ...changes } as Route] });
      const { details } = (await thrownBy(start)) as unknown as {
        details: { problems: readonly { message: string }[] };
      };
      return details.problems.map(({ message }) => message).join();
    };
    expect(await reasonOf({ method: "GETT" })).to.contain('its method "GETT" does not exist. Did you mean "GET"?');
    expect(await reasonOf({ path: "x" })).to.contain('its path "x" must start with a slash');
    expect(await reasonOf({ config: { auth: false, prefix: "v1" } })).to.contain(
      'its path "v1" must start with a slash',
    );
    expect(await reasonOf({ type: "contentapi" })).to.contain('its type "contentapi" must be content-api or root');
    expect(await reasonOf({ polices: [] })).to.contain('"polices" is not a key of a route.');
    expect(await reasonOf({ config: { auth: { scopes: [] } } })).to.contain(
      '"scopes" is not a key of `auth` of a route.',
    );
    expect(await reasonOf({ config: { auth: { expired: "pubic" } } })).to.contain(
      'its auth.expired "pubic" must be public or open',
    );
    expect(await reasonOf({ config: { auth: false, polices: [] } })).to.contain('Did you mean "policies"?');
  });
});
