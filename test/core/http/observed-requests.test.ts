import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { channels, type HttpMessage } from "#core/base/telemetry.js";
import { handlerOf } from "#core/http/request-info.js";
import { listenTo } from "../base/listen.js";
import { openRoute, startServer, stopServers } from "./start-server.js";

describe("what a server tells of its requests", () => {
  afterEach(stopServers);
  const heard = listenTo({ started: channels.http.start, ended: channels.http.end });
  const answered = () =>
    (heard.ended as HttpMessage[]).map(({ request, response, route, operation, duration }) => {
      expect(duration).to.be.greaterThan(0);
      return [request.method, response.statusCode, route?.path, operation];
    });
  const plain = openRoute(
    "GET",
    "/plain/:id",
    handlerOf(async () => ({ status: 200, body: { data: 1 } })),
  );
  const byKoa = openRoute("POST", "/koa", (ctx) => {
    ctx.state.operation = "query";
    return { data: 1 };
  });

  it("is one message for each, whichever way it is answered, with the route that matched", async () => {
    const { request } = await startServer({ routes: [plain, byKoa] });
    for (const path of ["/api/plain/1", "/api/plain/2?x=1", "/api/nowhere"]) await (await request(path)).text();
    await (await request("/api/koa", { method: "POST" })).text();
    await (await request("/api/koa", { method: "DELETE" })).text();
    expect(answered()).to.deep.equal([
      ["GET", 200, "/api/plain/:id", "get"],
      ["GET", 200, "/api/plain/:id", "get"],
      ["GET", 404, undefined, undefined],
      ["POST", 200, "/api/koa", "query"],
      ["DELETE", 405, undefined, undefined],
    ]);
    expect(heard.started).to.deep.equal(heard.ended);
  });

  it("is nothing for health, and nothing where nobody listens", async () => {
    const { request } = await startServer({ routes: [plain] });
    await (await request("/health/ready")).text();
    heard.stop();
    await (await request("/api/plain/1")).text();
    expect([heard.started, heard.ended]).to.deep.equal([[], []]);
  });

  it("has the time for which a request waited for others", async () => {
    const wait = openRoute("GET", "/wait", () => sleep(100).then(() => ({ data: 1 })));
    const limits = { maxConcurrent: 1, maxWaiting: 1, shed: false };
    const { request } = await startServer({ routes: [wait], config: { limits } });
    await Promise.all([request("/api/wait"), request("/api/wait")]);
    const [first, second] = (heard.ended as HttpMessage[]).map(({ duration }) => duration);
    expect(first).to.be.at.least(90);
    expect(second).to.be.at.least(180);
  });

  it("ends where the client goes away before its answer", async () => {
    let arrived = (): void => undefined;
    const hasArrived = new Promise<void>((done) => {
      arrived = done;
    });
    const never = openRoute("GET", "/never", () => {
      arrived();
      return new Promise(() => undefined);
    });
    const { url } = await startServer({ routes: [never], config: { closeTimeout: 10 } });
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write("GET /api/never HTTP/1.1\r\nHost: x\r\n\r\n");
    await hasArrived;
    const [message] = heard.started as HttpMessage[];
    const closed = once(message?.response as HttpMessage["response"], "close");
    socket.destroy();
    await closed;
    expect(heard.ended).to.have.lengthOf(1);
    expect(message?.response.writableFinished).to.equal(false);
  });
});
