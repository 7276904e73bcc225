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

/** Milliseconds, longer than any test. */
const NEVER = 600_000;

/** A route that answers when it is told, and when it began. */
function heldRoute() {
  let end: () => void = () => undefined;
  let begin: () => void = () => undefined;
  const began = new Promise<void>((resolve) => (begin = resolve));
  const ended = new Promise<void>((resolve) => (end = resolve));
  const route = openRoute("GET", "/held", async () => {
    begin();
    await ended;
    return { done: true };
  });
  return { route, began, end };
}

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
    const { route, began, end } = heldRoute();
    const { server, url, request } = await startServer({ routes: [route] });
    const answer = request("/api/held");
    await began;
    const closed = server.close();
    while (
      await fetch(`${url}/_health`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      await wait(10);
    end();
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
    const { route, began, end } = heldRoute();
    // A close that waited for the client, or for the limit, would take longer than the test may.
    const config = { keepAliveTimeout: NEVER, closeTimeout: NEVER };
    const { server, url } = await startServer({ routes: [route], config });
    const ask = async (path: string) => {
      const [response] = await once(get(url + path, { agent }), "response");
      response.resume();
      await once(response, "end");
    };
    await ask("/_health");
    const pending = ask("/api/held");
    await began;
    const closed = server.close();
    end();
    await closed;
    await pending;
    agent.destroy();
  });

  it("cuts off a request that outlasts the time limit", async () => {
    const { route, began } = heldRoute();
    const { server, request } = await startServer({ routes: [route], config: { closeTimeout: 100 } });
    const answer = request("/api/held").catch((error: unknown) => error);
    await began;
    const start = performance.now();
    await server.close();
    expect(performance.now() - start).to.be.greaterThan(50);
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
    // Those that end are counted for some more turns.
    while (handles() > before) await wait(10);
  });
});
