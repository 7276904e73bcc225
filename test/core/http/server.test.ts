import { once } from "node:events";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { buildServer, openRoute, startServer, stopServers } from "./start-server.js";

const slow = openRoute("GET", "/slow", async () => {
  await wait(150);
  return { done: true };
});

describe("HTTP server", () => {
  afterEach(stopServers);

  it("says which address is taken", async () => {
    const first = await startServer({});
    const port = Number(new URL(first.url).port);
    const second = buildServer({ config: { port } }).server;
    const error = await second.listen().catch((thrown: unknown) => thrown);
    expect(error).to.have.property("code", "PLINTH_HTTP_CANNOT_LISTEN");
    expect(error).to.have.deep.property("details", { host: "127.0.0.1", port, reason: "EADDRINUSE" });
    await second.close();
  });

  it("lets a request that is being answered finish when it closes, and accepts no other", async () => {
    const { server, url, request } = await startServer({ routes: [slow] });
    const answer = request("/api/slow");
    await wait(50);
    const closed = server.close();
    await wait(20);
    const refused = await fetch(`${url}/_health`).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Error);
    expect(await (await answer).json()).to.deep.equal({ done: true });
    await closed;
  });

  it("listens again after it has closed", async () => {
    const { server } = await startServer({ routes: [slow] });
    await server.close();
    const url = await server.listen();
    const pending = fetch(`${url}/api/slow`);
    expect((await fetch(`${url}/_health`)).status).to.equal(204);
    expect(await (await pending).json()).to.deep.equal({ done: true });
    await server.close();
  });

  it("ends connections that are kept alive, before and after their answers, without waiting", async () => {
    const agent = new Agent({ keepAlive: true });
    const { server, url } = await startServer({ routes: [slow] });
    const ask = async (path: string) => {
      const [response] = await once(get(url + path, { agent }), "response");
      response.resume();
      await once(response, "end");
    };
    await ask("/_health");
    const pending = ask("/api/slow");
    await wait(50);
    const start = performance.now();
    await server.close();
    await pending;
    expect(performance.now() - start).to.be.lessThan(1000);
    agent.destroy();
  });

  it("cuts off a request that outlasts the time limit", async () => {
    const stuck = openRoute("GET", "/stuck", () => new Promise(() => undefined));
    const { server, request } = await startServer({ routes: [stuck], config: { closeTimeout: 100 } });
    const answer = request("/api/stuck").catch((error: unknown) => error);
    await wait(50);
    const start = performance.now();
    await server.close();
    expect(performance.now() - start).to.be.within(50, 2000);
    expect(await answer).to.be.instanceOf(Error);
  });

  it("survives a client that hangs up while it sends its body", async () => {
    const { url, request, log } = await startServer({ routes: [openRoute("POST", "/x", () => "x")] });
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    await once(socket, "connect");
    socket.write("POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{");
    await wait(50);
    socket.destroy();
    await wait(50);
    expect((await request("/_health")).status).to.equal(204);
    expect(log.filter((line) => line.msg === "A request failed")).to.have.length(0);
  });

  it("starts and stops again and again without leaving a handle", async () => {
    const handles = () => process.getActiveResourcesInfo().filter((name) => /TCP|Timeout/.test(name)).length;
    const run = async () => {
      const { server } = buildServer({ routes: [slow] });
      const url = await server.listen();
      await (await fetch(`${url}/_health`, { headers: { connection: "close" } })).text();
      await server.close();
      await server.close();
    };
    await run();
    await wait(20);
    const before = handles();
    for (let i = 0; i < 20; i++) await run();
    await wait(50);
    expect(handles()).to.be.at.most(before);
  });
});
