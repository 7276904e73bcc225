import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { defaultMiddlewares } from "#core/http/middlewares/built-in.js";
import type { HttpContext } from "#core/http/types.js";
import { openRoute, startServer, stopServers, type TestServer } from "./start-server.js";

const MB = 1024 * 1024;
const JSON_TYPE = { "content-type": "application/json" };
const bodyOf = (length: number) => JSON.stringify({ data: "x".repeat(length - 11) });
const configured = (config: object) =>
  defaultMiddlewares.map((name) => (name === "plinth::body" ? { name, config: { ...config } } : name));
const post = (
  { request }: TestServer,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) => request(path, { method: "POST", headers: { ...JSON_TYPE, ...headers }, body });
const statusOf = async (answer: Promise<Response>) => (await answer).status;

const closed = { method: "POST", path: "/closed", handler: "article.create" } as const;
const controllers = { "api::article.article": { create: () => "made" } };

describe("a large body", () => {
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await stopServers();
  });

  it("is not read before it is known that its sender may call the route", async () => {
    const server = await startServer({ routes: [closed], controllers });
    const broken = "{".repeat(200_000);
    expect(await statusOf(post(server, "/api/closed", broken))).to.equal(403);
    expect(await statusOf(post(server, "/api/closed", gzipSync(broken), { "content-encoding": "gzip" }))).to.equal(403);
    const stream = new Blob(["{"]).stream();
    const init = { method: "POST", headers: JSON_TYPE, body: stream, duplex: "half" } as RequestInit;
    expect(await statusOf(server.request("/api/closed", init))).to.equal(403);
    expect(await statusOf(post(server, "/api/closed", "{"))).to.equal(400);
    expect(await statusOf(post(server, "/api/closed", bodyOf(2 * MB)))).to.equal(413);
  });

  it("is there for policies, middlewares and the handler of the route", async () => {
    const seen: unknown[] = [];
    const look = (ctx: HttpContext) => void seen.push(typeof (ctx.request.body as { data?: unknown })?.data);
    const route = openRoute("POST", "/open", (ctx) => {
      look(ctx);
      return { length: JSON.stringify(ctx.request.body).length };
    });
    const config = { auth: false, policies: [look] } as const;
    const server = await startServer({ routes: [{ ...route, config }] });
    expect(await (await post(server, "/api/open", bodyOf(500_000))).json()).to.deep.equal({ length: 500_000 });
    expect(seen).to.deep.equal(["string", "string"]);
  });

  it("may be larger on a route that says so", async () => {
    const handler = (ctx: HttpContext) => ({ length: JSON.stringify(ctx.request.body).length });
    const imports = { method: "POST", path: "/imports", handler, config: { auth: false, bodyLimit: "3mb" } } as const;
    const server = await startServer({ routes: [imports, openRoute("POST", "/other", handler)] });
    expect(await (await post(server, "/api/imports", bodyOf(2 * MB))).json()).to.deep.equal({ length: 2 * MB });
    expect(await statusOf(post(server, "/api/imports", bodyOf(4 * MB)))).to.equal(413);
    expect(await statusOf(post(server, "/api/other", bodyOf(2 * MB)))).to.equal(413);
  });

  it("waits until those before it are done, so that all together stay within the room", async () => {
    let [running, most] = [0, 0];
    const work = openRoute("POST", "/work", async () => {
      most = Math.max(most, ++running);
      await wait(30);
      running -= 1;
      return "done";
    });
    const server = await startServer({ routes: [work], globals: configured({ largeTotal: "900kb" }) });
    const large = Array.from({ length: 12 }, () => statusOf(post(server, "/api/work", bodyOf(400_000))));
    expect(await Promise.all(large)).to.deep.equal(large.map(() => 200));
    expect(most).to.equal(2);
    expect(await statusOf(post(server, "/api/work", bodyOf(MB - 10)))).to.equal(200);
  });

  it("is a 503 when there is no room for ten seconds, and a small one goes on", async () => {
    const echo = openRoute("POST", "/echo", () => "done");
    const server = await startServer({ routes: [echo], globals: configured({ largeTotal: "300kb" }) });
    const slow = connect(Number(new URL(server.url).port), "127.0.0.1").on("error", () => undefined);
    sockets.push(slow);
    slow.write(
      "POST /api/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 300000\r\n\r\n[",
    );
    await wait(100);
    const waiting = post(server, "/api/echo", bodyOf(300_000));
    expect(await statusOf(post(server, "/api/echo", bodyOf(50_000)))).to.equal(200);
    const answer = await waiting;
    expect([answer.status, answer.headers.has("retry-after")]).to.deep.equal([503, true]);
    expect(await answer.json()).to.have.nested.property("error.code", "PLINTH_HTTP_BODIES_WAIT");
    slow.destroy();
    await wait(100);
    expect(await statusOf(post(server, "/api/echo", bodyOf(300_000)))).to.equal(200);
  });
});
