import { expect } from "chai";
import { withDirectRead } from "../../../core/src/http/direct-read.js";
import { defaultMiddlewares } from "../../../core/src/http/middlewares/built-in.js";
import type { GlobalMiddlewareRef, Route } from "../../../core/src/http/route.js";
import { openRoute, type ServerParts, startServer, stopServers } from "./start-server.js";

/** A handler that tells which road a request came. */
const handler = withDirectRead(
  () => ({ road: "koa" }),
  ({ headers, params, parseQuery }) => {
    if (headers["x-leave"] !== undefined) return undefined;
    if (params["id"] === "broken") return Promise.reject(new TypeError("a fault of ours"));
    return Promise.resolve({ text: JSON.stringify({ road: "direct", params, query: parseQuery() }) });
  },
);
const route = openRoute("GET", "/hello/:id", handler);

async function roadOf(path: string, init: RequestInit = {}, parts: ServerParts = {}): Promise<string> {
  const { request } = await startServer({ routes: [route], ...parts });
  const body = (await (await request(path, init)).json()) as { road: string };
  return body.road;
}

function withMiddleware(name: string, config: Record<string, unknown>): readonly GlobalMiddlewareRef[] {
  return defaultMiddlewares.map((known) => (known === name ? { name, config } : known));
}

describe("the direct road", () => {
  afterEach(stopServers);

  it("answers reads that only built-in middlewares would see", async () => {
    expect(await roadOf("/api/hello/7")).to.equal("direct");
    expect(await roadOf("/api/hello/7", {}, { globals: withMiddleware("plinth::cors", { origin: "*" }) })).to.equal(
      "direct",
    );
  });

  it("knows the path's parameters and the query string", async () => {
    const { request } = await startServer({ routes: [route] });
    expect(await (await request("/api/Hello/7?a[b]=1")).json()).to.deep.equal({
      road: "direct",
      params: { id: "7" },
      query: { a: { b: "1" } },
    });
  });

  it("is left where a middleware, a policy, an origin or the handler itself wants to see the request", async () => {
    const pass = (_ctx: unknown, next: () => Promise<unknown>) => next();
    const guarded = (config: Route["config"]) => ({
      routes: [{ ...route, config: { auth: false, ...config } as const }],
    });
    const left: Readonly<Record<string, readonly [RequestInit, ServerParts]>> = {
      "a global middleware": [{}, { globals: [pass, ...defaultMiddlewares] }],
      "a function in the configuration": [
        {},
        { globals: withMiddleware("plinth::security", { contentSecurityPolicy: { directives: { a: [() => "b"] } } }) },
      ],
      "a policy": [{}, guarded({ policies: [() => true] })],
      "a middleware of the route": [{}, guarded({ middlewares: [pass] })],
      "an origin": [{ headers: { origin: "https://app.example.com" } }, {}],
      "a header": [{ headers: { "x-leave": "yes" } }, {}],
      "another method": [{ method: "OPTIONS" }, {}],
    };
    for (const [what, [init, parts]] of Object.entries(left)) {
      if (init.method) {
        const { request } = await startServer({ routes: [route] });
        expect((await request("/api/hello/7", init)).headers.get("allow"), what).to.equal("HEAD, GET");
      } else expect(await roadOf("/api/hello/7", init, parts), what).to.equal("koa");
    }
  });

  it("has the limits of query strings that are configured", async () => {
    const { request } = await startServer({ routes: [route], globals: withMiddleware("plinth::query", { depth: 1 }) });
    expect((await request("/api/hello/7?a[b]=1")).status).to.equal(200);
    expect((await request("/api/hello/7?a[b][c]=1")).status).to.equal(400);
  });

  it("asks for the actions of the route", async () => {
    const config = { auth: { scope: ["api::article.article.find"] } };
    const { request } = await startServer({
      routes: [{ ...route, config }],
      access: { public: [], tokens: { "may-read": "read" } },
    });
    expect((await request("/api/hello/7")).status).to.equal(403);
    expect((await request("/api/hello/7", { headers: { authorization: "Bearer may-read" } })).status).to.equal(200);
    expect((await request("/api/hello/7", { headers: { authorization: "Bearer nobody" } })).status).to.equal(401);
  });

  it("logs what it answered, and what went wrong under the request's id, without showing it", async () => {
    const { request, log } = await startServer({ routes: [route] });
    await request("/api/hello/7?a=1");
    expect(log.at(-1)).to.include({ method: "GET", path: "/api/hello/7", status: 200 });
    const answer = await request("/api/hello/broken", { headers: { "x-request-id": "abc" } });
    expect(await answer.text()).to.equal(
      '{"data":null,"error":{"status":500,"name":"InternalServerError","message":"Internal Server Error"}}',
    );
    expect(log.find(({ msg }) => msg === "A request failed")).to.include({
      requestId: "abc",
      path: "/api/hello/broken",
    });
    expect(log.at(-1)).to.include({ status: 500, requestId: "abc" });
  });
});
