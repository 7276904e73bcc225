import { Readable } from "node:stream";
import { expect } from "chai";
import { handlerOf } from "#core/http/request-info.js";
import { defaultMiddlewares } from "#core/http/middlewares/built-in.js";
import type { GlobalMiddlewareRef, Route } from "#core/http/route.js";
import { openRoute, type ServerParts, startServer, stopServers } from "./start-server.js";

/** Says whether its request has a koa context: only there a query may be changed, so only there it is not frozen. */
const handler = handlerOf(async ({ params, query }) => {
  if (params["id"] === "broken") throw new TypeError("a fault of ours");
  return { status: 200, body: { way: Object.isFrozen(query) ? "plain" : "koa", params, query } };
});
const route = openRoute("GET", "/hello/:id", handler);

async function wayOf(path: string, init: RequestInit = {}, parts: ServerParts = {}): Promise<string> {
  const { request } = await startServer({ routes: [route], ...parts });
  const body = (await (await request(path, init)).json()) as { way: string };
  return body.way;
}

function withMiddleware(name: string, config: Record<string, unknown>): readonly GlobalMiddlewareRef[] {
  return defaultMiddlewares.map((known) => (known === name ? { name, config } : known));
}

describe("requests without a koa context", () => {
  afterEach(stopServers);

  it("are those that only built-in middlewares would see, from whatever origin", async () => {
    expect(await wayOf("/api/hello/7", { headers: { origin: "https://app.example.com" } })).to.equal("plain");
    expect(await wayOf("/api/hello/7")).to.equal("plain");
    expect(await wayOf("/api/hello/7", {}, { globals: withMiddleware("plinth::cors", { origin: "*" }) })).to.equal(
      "plain",
    );
  });

  it("know the path's parameters and the query string", async () => {
    const { request } = await startServer({ routes: [route] });
    expect(await (await request("/api/Hello/7?a[b]=1")).json()).to.deep.equal({
      way: "plain",
      params: { id: "7" },
      query: { a: { b: "1" } },
    });
  });

  it("are not those that a middleware, a policy or a parser of bodies wants to see", async () => {
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
      "another method": [{ method: "OPTIONS" }, {}],
    };
    for (const [what, [init, parts]] of Object.entries(left)) {
      if (init.method) {
        const { request } = await startServer({ routes: [route] });
        expect((await request("/api/hello/7", init)).headers.get("allow"), what).to.equal("HEAD, GET");
      } else expect(await wayOf("/api/hello/7", init, parts), what).to.equal("koa");
    }
  });

  it("get the headers of their own origin, as with a koa context", async () => {
    const { request } = await startServer({ routes: [route] });
    const koa = await startServer({ routes: [route], globals: [(_ctx, next) => next(), ...defaultMiddlewares] });
    for (const origin of ["https://a.example", "https://b.example", "null", "x".repeat(1000), "https://a.example"]) {
      const plain = await request("/api/hello/7", { headers: { origin, "x-request-id": "same" } });
      const same = await koa.request("/api/hello/7", { headers: { origin, "x-request-id": "same" } });
      const headersOf = ({ headers }: Response) =>
        [...headers].filter(([name]) => name !== "date" && name !== "content-length");
      expect(headersOf(plain)).to.deep.equal(headersOf(same));
      expect(plain.headers.get("access-control-allow-origin")).to.equal(origin);
    }
  });

  it("have their bodies read as with a koa context", async () => {
    const echo = handlerOf(async ({ method, body, query }) => ({ status: 201, body: { method, query, body } }));
    const routes = [openRoute("POST", "/echo", echo), openRoute("PUT", "/echo", echo)];
    const plain = await startServer({ routes });
    const koa = await startServer({ routes, globals: [(_ctx, next) => next(), ...defaultMiddlewares] });
    const json = { "content-type": "application/json" };
    const sent: Readonly<Record<string, RequestInit>> = {
      "an object": { headers: json, body: '{"data":{"title":"é"}}' },
      "broken JSON": { headers: json, body: '{"data":' },
      "a number": { headers: json, body: "12" },
      "no bytes": { headers: json, body: "" },
      "JSON of another type": { headers: { "content-type": "application/vnd.api+json" }, body: "[1]" },
      "a form": { headers: { "content-type": "application/x-www-form-urlencoded" }, body: "a[b]=1&a[c]=2" },
      text: { headers: { "content-type": "text/plain" }, body: "text" },
      "too many levels": { headers: json, body: "[".repeat(600) + "]".repeat(600) },
      "a large body": { headers: json, body: JSON.stringify({ data: "x".repeat(300_000) }) },
      "too large a body": { headers: json, body: JSON.stringify({ data: "x".repeat(1_100_000) }) },
      "an unknown encoding": { headers: { ...json, "content-encoding": "rot13" }, body: "{}" },
      "no gzip": { headers: { ...json, "content-encoding": "gzip" }, body: "{}" },
    };
    for (const method of ["POST", "PUT"])
      for (const [what, init] of Object.entries(sent)) {
        const answers = await Promise.all(
          [plain, koa].map(async ({ request }) => {
            const answer = await request("/api/echo?a=1", { method, ...init });
            return { status: answer.status, body: await answer.text() };
          }),
        );
        expect(answers[0], `${method} ${what}`).to.deep.equal(answers[1]);
      }
  });

  it("have a koa context where an endpoint asks for one, and what is set on it is part of the answer", async () => {
    const handler = handlerOf(async ({ context, state, url }) => {
      const { method, params, query, request } = context;
      if (params["id"] === "other") context.status = 202;
      context.set("X-Mine", context.response.get("X-Frame-Options"));
      context.remove("X-DNS-Prefetch-Control");
      context.append("Set-Cookie", ["a=1", "b=2"]);
      if (query["throw"]) context.throw(409, "Not now");
      const isSame = context.state === state && state.route?.path === "/api/ask/:id";
      const status = params["id"] === "made" ? 201 : 200;
      return { status, body: { method, params, query, body: request.body, id: state.requestId, isSame, url } };
    });
    const routes = [openRoute("POST", "/ask/:id", handler)];
    const plain = await startServer({ routes });
    const koa = await startServer({ routes, globals: [(_ctx, next) => next(), ...defaultMiddlewares] });
    for (const path of ["/api/ask/1?a[b]=1", "/api/ask/other", "/api/ask/made", "/api/ask/1?throw=1"]) {
      const headers = { "content-type": "application/json", "x-request-id": "same" };
      const [one, other] = await Promise.all(
        [plain, koa].map(async ({ request }) => {
          const answer = await request(path, { method: "POST", headers, body: '{"a":1}' });
          const shown = [...answer.headers].filter(([name]) => name !== "date");
          return { status: answer.status, text: answer.statusText, headers: shown, body: await answer.json() };
        }),
      );
      expect(one, path).to.deep.equal(other);
    }
    const { headers } = await plain.request("/api/ask/1", { method: "POST" });
    expect([headers.get("x-mine"), headers.getSetCookie()]).to.deep.equal(["SAMEORIGIN", ["a=1", "b=2"]]);
    expect(headers.get("x-dns-prefetch-control")).to.equal(null);
  });

  it("are answered with headers of the endpoint in place of those of every answer, and with texts and streams as they are", async () => {
    const policy = { "content-security-policy": "default-src 'none'" };
    const html = { ...policy, "content-type": "text/html; charset=utf-8" };
    const bodies: Readonly<Record<string, () => unknown>> = {
      text: () => "<p>é</p>",
      stream: () => Readable.from(["<p>", "é", "</p>"]),
      json: () => ({ a: 1 }),
    };
    const handler = handlerOf(async ({ params }) => ({
      status: 200,
      headers: params["id"] === "json" ? policy : html,
      body: bodies[params["id"] ?? ""]?.(),
    }));
    const routes = [openRoute("GET", "/own/:id", handler)];
    const plain = await startServer({ routes });
    const koa = await startServer({ routes, globals: [(_ctx, next) => next(), ...defaultMiddlewares] });
    for (const id of Object.keys(bodies)) {
      const [one, other] = await Promise.all(
        [plain, koa].map(async ({ request }) => {
          const answer = await request(`/api/own/${id}`, { headers: { "x-request-id": "same" } });
          const shown = [...answer.headers].filter(([name]) => name !== "date");
          return { headers: Object.fromEntries(shown), body: await answer.text() };
        }),
      );
      expect(one, id).to.deep.equal(other);
      expect(one?.headers, id).to.include(policy);
    }
  });

  it("have a signal that says when the client has gone", async () => {
    let signal: AbortSignal | undefined;
    const waiting = handlerOf(async (request) => {
      signal = request.signal;
      await new Promise((done) => request.signal.addEventListener("abort", done));
      return { status: 204 };
    });
    const { request } = await startServer({ routes: [openRoute("GET", "/wait", waiting)] });
    const client = new AbortController();
    const answer = request("/api/wait", { signal: client.signal }).catch((error: Error) => error.name);
    while (!signal) await new Promise((done) => setTimeout(done, 10));
    client.abort();
    expect(await answer).to.equal("AbortError");
    while (!signal.aborted) await new Promise((done) => setTimeout(done, 10));
  });

  it("have the limits of query strings that are configured", async () => {
    const { request } = await startServer({ routes: [route], globals: withMiddleware("plinth::query", { depth: 1 }) });
    expect((await request("/api/hello/7?a[b]=1")).status).to.equal(200);
    expect((await request("/api/hello/7?a[b][c]=1")).status).to.equal(400);
  });

  it("ask for the actions of the route", async () => {
    const config = { auth: { scope: ["api::article.article.find"] } };
    const { request } = await startServer({
      routes: [{ ...route, config }],
      access: { public: [], tokens: { "may-read": "read" } },
    });
    expect((await request("/api/hello/7")).status).to.equal(403);
    expect((await request("/api/hello/7", { headers: { authorization: "Bearer may-read" } })).status).to.equal(200);
    expect((await request("/api/hello/7", { headers: { authorization: "Bearer nobody" } })).status).to.equal(401);
  });

  it("are logged, and what went wrong under the request's id, without showing it", async () => {
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
