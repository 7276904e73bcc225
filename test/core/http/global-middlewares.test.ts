import { expect } from "chai";
import { defaultMiddlewares } from "#core/http/middlewares/built-in.js";
import type { GlobalMiddlewareRef } from "#core/http/route.js";
import type { Middleware, MiddlewareFactory } from "#core/http/types.js";
import { thrownBy } from "../kernel/thrown-by.js";
import { buildServer, openRoute, startServer, stopServers } from "./start-server.js";

const routes = [openRoute("GET", "/hello", (ctx) => ({ query: ctx.query }))];
const ORIGIN = "https://app.example.com";

function stamp(name: string): Middleware {
  return (ctx, next) => {
    ctx.append("X-Order", name);
    return next();
  };
}

const named: MiddlewareFactory = (config) => stamp(`named ${String(config["value"])}`);

async function headersOf(path: string, init: RequestInit, globals?: readonly GlobalMiddlewareRef[]): Promise<Response> {
  const { request } = await startServer({ routes, ...(globals ? { globals } : {}) });
  return request(path, init);
}

function withCors(config: Record<string, unknown>): readonly GlobalMiddlewareRef[] {
  return defaultMiddlewares.map((name) => (name === "plinth::cors" ? { name, config } : name));
}

describe("global middlewares", () => {
  afterEach(stopServers);

  it("run in the order of the list: by name, with configuration, as a factory, and as functions", async () => {
    const { request } = await startServer({
      routes,
      middlewares: { "global::named": named, "plugin::x.named": named },
      globals: [
        stamp("first"),
        { name: "global::named", config: { value: 1 } },
        { name: "named", config: { value: 2 } },
        { name: "plugin::x.named", config: { value: 3 } },
        { factory: named, config: { value: 4 } },
        ...defaultMiddlewares,
      ],
    });
    const order = (await request("/api/hello")).headers.get("x-order");
    expect(order).to.equal("first, named 1, named 2, named 3, named 4");
  });

  it("stop the start when one is unknown, is none, or the router is missing", () => {
    const codeOf = (globals: readonly unknown[]) => {
      try {
        buildServer({ globals: globals as readonly GlobalMiddlewareRef[] });
        return "none";
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    expect(codeOf(defaultMiddlewares)).to.equal("none");
    expect(codeOf(["global::nobody", ...defaultMiddlewares])).to.equal("PLINTH_REGISTRY_UNKNOWN");
    expect(codeOf([{ config: {} }, ...defaultMiddlewares])).to.equal("PLINTH_HTTP_INVALID_MIDDLEWARE");
    expect(codeOf([null, ...defaultMiddlewares])).to.equal("PLINTH_HTTP_INVALID_MIDDLEWARE");
    expect(codeOf([{ factory: () => 7 }, ...defaultMiddlewares])).to.equal("PLINTH_HTTP_INVALID_MIDDLEWARE");
    expect(codeOf(defaultMiddlewares.slice(0, -1))).to.equal("PLINTH_HTTP_INVALID_MIDDLEWARE");
  });

  it("may send a request elsewhere before the router sees it", async () => {
    const rewrite: Middleware = (ctx, next) => {
      ctx.path = ctx.path.replace("/old", "/hello");
      return next();
    };
    expect((await headersOf("/api/old", {}, [rewrite, ...defaultMiddlewares])).status).to.equal(200);
  });
});

describe("plinth::query", () => {
  afterEach(stopServers);

  it("gives handlers the nested query string, and lets them replace it", async () => {
    const { request } = await startServer({
      routes: [
        ...routes,
        openRoute("GET", "/replace", (ctx) => {
          ctx.query = { ...ctx.query, locale: "en" };
          return ctx.query;
        }),
      ],
    });
    expect(await (await request("/api/hello?filters[a][$eq]=1")).json()).to.deep.equal({
      query: { filters: { a: { $eq: "1" } } },
    });
    expect(await (await request("/api/replace?a=1")).json()).to.deep.equal({ a: "1", locale: "en" });
  });

  it("answers 400 for what is beyond its limits, which can be configured", async () => {
    const refused = await headersOf("/api/hello?a[100]=1", {});
    expect(refused.status).to.equal(400);
    expect(await refused.json()).to.have.nested.property("error.details.limit", "arrayLimit");
    const raised = defaultMiddlewares.map((name) =>
      name === "plinth::query" ? { name, config: { arrayLimit: 200 } } : name,
    );
    expect((await headersOf("/api/hello?a[100]=1", {}, raised)).status).to.equal(200);
  });
});

describe("plinth::cors", () => {
  afterEach(stopServers);

  it("reflects any origin without credentials by default", async () => {
    const { headers } = await headersOf("/api/hello", { headers: { origin: ORIGIN } });
    expect(headers.get("access-control-allow-origin")).to.equal(ORIGIN);
    expect(headers.get("access-control-allow-credentials")).to.equal(null);
    expect(headers.get("vary")).to.equal("Origin");
  });

  it("allows credentials to origins configured by name, on errors as well", async () => {
    for (const path of ["/api/hello", "/api/nothing"]) {
      const { headers } = await headersOf(path, { headers: { origin: ORIGIN } }, withCors({ origin: [ORIGIN] }));
      expect(headers.get("access-control-allow-origin"), path).to.equal(ORIGIN);
      expect(headers.get("access-control-allow-credentials"), path).to.equal("true");
    }
  });

  it("says nothing to origins that are not configured, and never allows * credentials", async () => {
    const other = await headersOf(
      "/api/hello",
      { headers: { origin: "https://evil.example" } },
      withCors({ origin: [ORIGIN] }),
    );
    expect(other.headers.get("access-control-allow-origin")).to.equal(null);
    const star = await headersOf("/api/hello", { headers: { origin: "*" } });
    expect(star.headers.get("access-control-allow-credentials")).to.equal(null);
  });

  it("answers preflights with 204, methods and headers, without asking who is there", async () => {
    const headers = { origin: ORIGIN, "access-control-request-method": "PUT", authorization: "Bearer nobody" };
    const response = await headersOf("/api/hello", { method: "OPTIONS", headers });
    expect(response.status).to.equal(204);
    expect(response.headers.get("access-control-allow-methods")).to.equal("GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS");
    expect(response.headers.get("access-control-allow-headers")).to.equal(
      "Content-Type,Authorization,Origin,Accept,If-Match,If-None-Match,Idempotency-Key,Plinth-Position,Plinth-Consistency",
    );
  });
});

describe("plinth::security and plinth::logger", () => {
  afterEach(stopServers);

  it("send the security headers of helmet, and no X-Powered-By", async () => {
    const { headers } = await headersOf("/api/hello", {});
    expect(headers.get("x-content-type-options")).to.equal("nosniff");
    expect(headers.get("x-frame-options")).to.equal("SAMEORIGIN");
    expect(headers.get("referrer-policy")).to.equal("no-referrer");
    expect(headers.get("x-powered-by")).to.equal(null);
  });

  it("write one line per request, with its status and id", async () => {
    const { request, log } = await startServer({ routes });
    const id = (await request("/api/hello?secret=1")).headers.get("x-request-id");
    expect(log).to.have.length(1);
    expect(log[0]).to.include({ method: "GET", path: "/api/hello", status: 200, requestId: id });
    expect(JSON.stringify(log)).not.to.contain("secret");
  });

  it("refuse options that they do not have, and names of built-in ones that do not exist", async () => {
    const messageOf = async (...globals: readonly unknown[]) => {
      const build = () => buildServer({ globals: [...globals, "plinth::router"] as readonly GlobalMiddlewareRef[] });
      return (await thrownBy(build)).message;
    };
    expect(await messageOf({ name: "plinth::cors", config: { origins: ["a"], maxAge: "1h" } }))
      .to.contain('plinth::cors.origins is not known. Did you mean "origin"?')
      .and.contain('plinth::cors.maxAge must be a whole number from 0, and is "1h"');
    expect(await messageOf({ name: "plinth::body", config: { jsonLimit: "much" } })).to.contain(
      "plinth::body.jsonLimit",
    );
    expect(await messageOf({ name: "plinth::security", config: { csp: false } })).to.contain(
      "plinth::security.csp is not",
    );
    expect(await messageOf({ name: "plinth::logger", config: { level: 1 } })).to.contain(
      "plinth::logger.level is not known",
    );
    expect(await messageOf({ name: "plinth::cors", options: {} })).to.contain(
      'Entry 1 of config/middlewares has a key "options"',
    );
    expect(await messageOf("plinth::corz")).to.contain(
      'is "plinth::corz", which does not exist. Did you mean "plinth::cors"?',
    );
  });
});
