import { once } from "node:events";
import { createServer, get, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect } from "chai";
import Koa from "koa";
import { closeAfter, createExchange, queuedBytes, SharedSocket } from "#core/http/node-internals.js";

describe("what our code uses of Node beside its documentation", () => {
  let server: Server;
  beforeEach("listen", async () => {
    server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterEach("close", () => void server.close());
  const port = () => (server.address() as AddressInfo).port;

  it("is there: the bytes of a write that the system has not taken", async () => {
    const accepted = once(server, "connection") as Promise<[Socket]>;
    const client = connect(port(), "127.0.0.1").pause();
    const [socket] = await accepted;
    expect(queuedBytes(socket)).to.equal(0);
    const length = 64 * 1024 * 1024;
    socket.write(Buffer.alloc(length));
    expect(queuedBytes(socket)).to.be.within(1, length);
    client.destroy();
    socket.destroy();
    expect(queuedBytes(socket)).to.equal(0);
  });

  it("lets an answer end its connection", async () => {
    server.on("request", (request, response) => {
      if (request.url === "/last") closeAfter(response);
      response.end();
    });
    const headerOf = async (path: string) => {
      const [response] = await once(get({ port: port(), path, headers: { connection: "keep-alive" } }), "response");
      response.resume();
      return response.headers.connection;
    };
    expect(await headerOf("/")).to.equal("keep-alive");
    expect(await headerOf("/last")).to.equal("close");
    server.closeAllConnections();
  });

  it("binds a socket without accepting on it, for another server to listen on", async () => {
    const shared = new SharedSocket({ address: "127.0.0.1", port: 0, family: 4 });
    const other = createServer((_, response) => response.end("here")).listen(shared.handle);
    await once(other, "listening");
    const address = { address: "127.0.0.1", port: (other.address() as AddressInfo).port, family: 4 };
    const [response] = await once(get({ port: address.port, headers: { connection: "close" } }), "response");
    expect(response.statusCode).to.equal(200);
    response.resume();
    expect(() => new SharedSocket(address))
      .to.throw()
      .with.property("code", "EADDRINUSE");
    expect(() => new SharedSocket({ fd: 999_999 }))
      .to.throw()
      .with.property("code")
      .that.is.a("string");
    await new Promise((closed) => other.close(closed));
    shared.close();
  });

  it("lets koa answer a request that came from no client", async () => {
    const koa = new Koa();
    koa.use((ctx) => {
      ctx.set("X-Origin", ctx.get("origin"));
      ctx.status = 204;
    });
    const { request, response } = createExchange({ origin: "https://example.com" });
    await koa.callback()(request, response);
    expect({ ...response.getHeaders() }).to.deep.equal({ "x-origin": "https://example.com" });
  });
});
