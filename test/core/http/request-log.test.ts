import { expect } from "chai";
import { stdSerializers } from "pino";
import { defaultMiddlewares } from "#core/http/middlewares/built-in.js";
import { handlerOf } from "#core/http/request-info.js";
import { withoutTokens, withoutTokensIn } from "#core/http/without-tokens.js";
import { openRoute, type ServerParts, startServer, stopServers } from "./start-server.js";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

/** With and without a koa context. */
const ways: Readonly<Record<string, ServerParts>> = {
  plain: {},
  koa: { globals: [(_ctx, next) => next(), ...defaultMiddlewares] },
};

const find = handlerOf(async ({ state }) => {
  if (state.actor.kind === "public") state.operation = "query";
  return { status: 200, body: {} };
});
const routes = {
  "api::article": [{ method: "GET", path: "/articles/:id", handler: "article.find" } as const],
  "plugin::shop": [
    { ...openRoute("POST", "/order", find), api: "upload" } as const,
    { ...openRoute("GET", "/admin/x", find), type: "root", config: { auth: false, prefix: "" } } as const,
    { ...openRoute("GET", "/x", find), type: "root", config: { auth: false, prefix: "" } } as const,
  ],
};
const controllers = { "api::article.article": { find } };
const access = { public: [], tokens: { "may-read": "all" } } as const;

for (const [way, parts] of Object.entries(ways)) {
  describe(`the line of a request, answered with ${way}`, () => {
    afterEach(stopServers);

    const ask = async (path: string, init?: RequestInit) => {
      const { request, log } = await startServer({ routes, controllers, access, ...parts });
      await request(path, init);
      return log.at(-1);
    };
    const bearer = { authorization: "Bearer may-read" };

    it("says who asked what of which API, in which trace", async () => {
      const traceparent = `00-${TRACE}-${SPAN}-01`;
      const line = await ask("/api/articles/7", { headers: { ...bearer, traceparent, "x-request-id": "abc" } });
      expect(line).to.deep.include({ requestId: "abc", traceId: TRACE, spanId: SPAN, actor: { kind: "token" } });
      expect(line).to.include({ method: "GET", path: "/api/articles/7", api: "rest", operation: "find", status: 200 });
    });

    it("has no trace where none came, and no actor where the caller is not known", async () => {
      const line = await ask("/api/articles/7", {
        headers: { authorization: "Bearer nobody", traceparent: "00-1-2-3" },
      });
      expect(line).to.include({ status: 401, api: "rest", operation: "find" });
      expect(line).not.to.have.any.keys("actor", "traceId", "spanId");
    });

    it("names who was refused", async () => {
      const line = await ask("/api/articles/7");
      expect(line).to.deep.include({ status: 403, actor: { kind: "public" } });
    });

    it("takes API and operation from the route, and the operation from what was asked", async () => {
      expect(await ask("/api/shop/order", { method: "POST" })).to.include({ api: "upload", operation: "query" });
      expect(await ask("/admin/x")).to.include({ api: "admin" });
      expect(await ask("/x", { headers: bearer })).to.include({ api: "other" });
      expect(await ask("/api/nothing")).to.include({ api: "other", operation: "none", status: 404 });
    });
  });
}

describe("texts in the log", () => {
  const TOKEN = "a1".repeat(32);

  it("have no tokens in the causes and properties of an error, whatever those are", () => {
    const order: Record<string, unknown> = { hint: `Bearer ${TOKEN}`, amount: 10n };
    order["items"] = [{ order }];
    const inner = Object.assign(new Error(`refused ${TOKEN}`), { order });
    const error = Object.assign(new AggregateError([inner], "both failed"), { inner });
    const written = withoutTokensIn(stdSerializers.err(error));
    expect(written).to.include({ type: "AggregateError", message: "both failed" });
    const text = JSON.stringify(written);
    expect(text).to.include("Bearer …").and.include("refused …").and.include("[Circular]");
    expect(text).not.to.include(TOKEN);
  });

  it("are those of the error alone where its properties cannot be written", () => {
    const toJSON = () => {
      throw new Error("no JSON");
    };
    const written = withoutTokensIn(
      stdSerializers.err(Object.assign(new Error(`refused ${TOKEN}`), { own: { toJSON } })),
    );
    expect(written).to.include({ type: "Error", message: "refused …" }).and.not.to.have.property("own");
  });

  it("have no tokens, and keep what merely is long", () => {
    const tokens = ["a1".repeat(32), "eyJhbGciOi.eyJpZCI6MX0.c2lnbmF0dXJl", "Zm9v-YmFy_Zm9vYmFy0Zm9vYmFyZm9vYmFyZm9v"];
    for (const token of tokens) expect(withoutTokens(`/api/x/${token}?y`)).to.equal("/api/x/…?y");
    const kept = [
      "/api/articles/how-to-build-a-headless-content-server-in-2026",
      "/api/orders/0f8fad5b-d9cb-469f-a165-70867728950e",
      "/api/articles/hgv1vny5cebq2l3czil1rpb3",
    ];
    for (const text of kept) expect(withoutTokens(text)).to.equal(text);
  });
});
