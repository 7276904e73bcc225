import { expect } from "chai";
import { createError } from "#core/base/error.js";
import { jsonText } from "#core/http/answer-body.js";
import type { Route, RouteConfig } from "#core/http/route.js";
import type { Controller } from "#core/http/types.js";
import { type ServerParts, startServer, stopServers } from "./start-server.js";

const TOKEN = "a-long-secret";
const controllers = {
  "api::article.article": {
    find: (ctx) => ({ actor: ctx.state.actor.kind, route: ctx.state.route }),
    create: (ctx) => {
      ctx.status = 201;
      ctx.body = { made: true };
    },
  } satisfies Controller,
};

function withRoute(config: RouteConfig, parts: ServerParts = {}, route: Partial<Route> = {}): ServerParts {
  const declared: Route = { method: "GET", path: "/articles", handler: "article.find", ...route, config };
  return { controllers, routes: [declared], access: { tokens: { [TOKEN]: "read" } }, ...parts };
}

async function ask(parts: ServerParts, headers: Record<string, string> = {}): Promise<[number, unknown]> {
  const response = await (await startServer(parts)).request("/api/articles", { headers });
  return [response.status, await response.json()];
}

async function statusAndName(parts: ServerParts, headers: Record<string, string> = {}): Promise<unknown[]> {
  const [status, body] = await ask(parts, headers);
  const { error } = body as { error?: { name: string; message: string } };
  return error ? [status, error.name, error.message] : [status];
}

const known = { authorization: `Bearer ${TOKEN}` };

describe("endpoint", () => {
  afterEach(stopServers);

  it("tells the handler the caller and which route answers", async () => {
    const [status, body] = await ask(withRoute({}), known);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      actor: "token",
      route: {
        method: "GET",
        path: "/api/articles",
        owner: "api::article",
        action: "api::article.article.find",
        api: "rest",
        operation: "find",
        scope: ["api::article.article.find"],
        isPattern: false,
        hasOwnCode: true,
      },
    });
  });

  it("refuses the public with 403, a bad token with 401, and has no WWW-Authenticate header", async () => {
    expect(await statusAndName(withRoute({}))).to.deep.equal([403, "ForbiddenError", "Forbidden"]);
    const { request } = await startServer(withRoute({}));
    const response = await request("/api/articles", { headers: { authorization: "Bearer nobody" } });
    expect([response.status, response.headers.get("www-authenticate")]).to.deep.equal([401, null]);
    expect(await response.json()).to.have.nested.property("error.message", "Missing or invalid credentials");
  });

  it("asks for the scope of the route instead of its action", async () => {
    const parts = withRoute({ auth: { scope: ["api::article.article.publish"] } });
    expect(await statusAndName(parts, known)).to.deep.equal([403, "ForbiddenError", "Forbidden"]);
    expect(await statusAndName({ ...parts, access: { public: ["api::article.*"] } })).to.deep.equal([200]);
  });

  it("lets everybody in and reads no credentials where auth is false", async () => {
    expect(await ask(withRoute({ auth: false }), { authorization: "Bearer nobody" })).to.have.nested.property(
      "[1].actor",
      "public",
    );
  });

  it("runs authentication, authorisation, policies, middlewares and the controller in this order", async () => {
    const seen: string[] = [];
    const parts = withRoute(
      {
        policies: [(ctx) => void seen.push(`policy ${ctx.state.actor.kind}`) as undefined],
        middlewares: [
          async (_ctx, next) => {
            seen.push("middleware");
            await next();
            seen.push("middleware after");
          },
        ],
      },
      { controllers: { "api::article.article": { find: () => (seen.push("controller") > 0 ? "done" : "") } } },
    );
    await statusAndName(parts);
    expect(seen).to.deep.equal([]);
    const { request } = await startServer(parts);
    expect(await (await request("/api/articles", { headers: known })).text()).to.equal("done");
    expect(seen).to.deep.equal(["policy token", "middleware", "controller", "middleware after"]);
  });

  it("blocks with Policy Failed on false only, and with the policy's own error when it throws", async () => {
    const Teapot = createError<object>("PLINTH_TEST_TEAPOT", 418, () => "Short and stout", {
      cause: "The test asks for it.",
      remedy: "Run another test.",
    });
    const verdict = async (value: boolean | undefined) =>
      statusAndName(withRoute({ policies: [async () => value] }), known);
    expect(await verdict(false)).to.deep.equal([403, "PolicyError", "Policy Failed"]);
    expect(await verdict(true)).to.deep.equal([200]);
    expect(await verdict(undefined)).to.deep.equal([200]);
    const thrown = withRoute({
      policies: [
        () => {
          throw new Teapot({});
        },
      ],
    });
    expect(await statusAndName(thrown, known)).to.deep.equal([418, "ApplicationError", "Short and stout"]);
  });

  it("finds policies by their own api's name, the app's, and by uid, and gives them config and app", async () => {
    const calls: unknown[] = [];
    const note = (name: string) => (_ctx: unknown, config: object, tools: object) =>
      void calls.push([name, config, Object.keys(tools)]) as undefined;
    const policies = {
      "api::article.is-owner": note("own"),
      "global::is-owner": note("global is-owner"),
      "global::is-human": note("global"),
      "plugin::bookmarks.is-marked": note("plugin"),
    };
    const refs = [
      "is-owner",
      { name: "is-human", config: { a: 1 } },
      "global::is-owner",
      "plugin::bookmarks.is-marked",
    ];
    await ask(withRoute({ policies: refs }, { policies }), known);
    expect(calls).to.deep.equal([
      ["own", {}, ["app"]],
      ["global", { a: 1 }, ["app"]],
      ["global is-owner", {}, ["app"]],
      ["plugin", {}, ["app"]],
    ]);
  });

  it("makes a named middleware once, with its config, and runs it with every request", async () => {
    let made = 0;
    const parts = withRoute(
      { middlewares: [{ name: "stamp", config: { value: "x" } }] },
      {
        middlewares: {
          "api::article.stamp": (config) => {
            made++;
            return (ctx, next) => {
              ctx.set("X-Stamp", String(config["value"]));
              return next();
            };
          },
        },
      },
    );
    const { request } = await startServer(parts);
    for (const _ of [1, 2]) {
      expect((await request("/api/articles", { headers: known })).headers.get("x-stamp")).to.equal("x");
    }
    expect(made).to.equal(1);
  });

  it("keeps the status and body that a handler sets", async () => {
    const parts = withRoute({ auth: false }, {}, { handler: "api::article.article.create" });
    expect(await ask(parts)).to.deep.equal([201, { made: true }]);
  });

  it("sends a body that carries its own JSON as that text, after middlewares could change it", async () => {
    const text = '{"data":[{"n":1.0}],"meta":{}}';
    const lazy = () => {
      let changed: { data: unknown } | undefined;
      return {
        get data() {
          changed ??= JSON.parse(text) as { data: unknown };
          return changed.data;
        },
        [jsonText]: () => (changed ? JSON.stringify(changed) : text),
      };
    };
    const own = (middlewares: RouteConfig["middlewares"] & object) =>
      withRoute({ auth: false, middlewares }, { controllers: { "api::article.article": { find: lazy } } });
    const plain = await (await startServer(own([]))).request("/api/articles");
    expect([plain.headers.get("content-type"), await plain.text()]).to.deep.equal([
      "application/json; charset=utf-8",
      text,
    ]);
    const edited = await startServer(
      own([
        async (ctx, next) => {
          await next();
          (ctx.body as { data: { n: number }[] }).data[0]!.n = 2;
        },
      ]),
    );
    expect(await (await edited.request("/api/articles")).text()).to.equal('{"data":[{"n":2}],"meta":{}}');
  });
});
