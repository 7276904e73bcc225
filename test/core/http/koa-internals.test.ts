import { Readable } from "node:stream";
import type { IncomingMessage } from "node:http";
import { expect } from "chai";
import Koa from "koa";
import { koaBody } from "koa-body";
import { createBodyContext, createContext, isType, replaceQuery } from "#core/http/koa-internals.js";
import { createExchange } from "#core/http/node-internals.js";

/** A request with a body of JSON, as far as parsers look at it. */
function requestWith(body: string): IncomingMessage {
  const headers = { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) };
  return Object.assign(Readable.from([Buffer.from(body)]), { headers }) as unknown as IncomingMessage;
}

describe("what our code takes for granted of koa", () => {
  it("every request of a server inherits what its prototype has for query, and the context shows it", async () => {
    const koa = new Koa();
    const replaced = new WeakMap<object, unknown>();
    replaceQuery<unknown>(koa.request, {
      get: (request) => replaced.get(request) ?? { read: request.querystring },
      set: (request, query) => void replaced.set(request, query),
    });
    const seen: unknown[] = [];
    koa.use((ctx) => {
      seen.push(ctx.query, ctx.request.query);
      ctx.query = { set: "by a handler" };
      seen.push(ctx.query, ctx.request.query);
      ctx.status = 204;
    });
    const { request, response } = createExchange({});
    await koa.callback()(Object.assign(request, { url: "/?a=1" }), response);
    const [read, set] = [{ read: "a=1" }, { set: "by a handler" }];
    expect(seen).to.deep.equal([read, read, set, set]);
    expect(response.statusCode).to.equal(204);
  });

  it("a context is made of a request and a response alone, and what is set on it is on the response", () => {
    const { request, response } = createExchange({ "x-given": "1" });
    const context = createContext(new Koa(), request, response);
    context.set("X-Set", "2");
    context.status = 202;
    expect([context.get("X-Given"), response.getHeader("x-set"), response.statusCode]).to.deep.equal(["1", "2", 202]);
  });

  it("the type of a body is told by the request of Node alone", () => {
    expect(isType(requestWith("{}"), ["json"])).to.equal("json");
    expect(isType(requestWith("{}"), ["multipart/*"])).to.equal(false);
    expect(isType(createExchange({}).request, ["json"])).to.equal(null);
  });
});

describe("what our code takes for granted of koa-body", () => {
  it("a body is read from, and left in, a context that has nothing else", async () => {
    const missing: PropertyKey[] = [];
    const guarded = <T extends object>(target: T): T =>
      new Proxy(target, {
        get: (of, key) => {
          if (!(key in of) && typeof key === "string") missing.push(key);
          return Reflect.get(of, key);
        },
      });
    const context = createBodyContext(requestWith('{"a":1}'));
    const read = koaBody({ text: false, multipart: false, patchKoa: true, patchNode: false });
    const whole = guarded({ ...context, request: guarded(context.request) });
    await read(whole as unknown as Parameters<typeof read>[0], async () => undefined);
    expect(context.request.body).to.deep.equal({ a: 1 });
    expect(missing).to.deep.equal([]);
  });
});
