import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { refusalOf } from "#core/http/connections.js";
import { startServer, stopServers } from "./start-server.js";

describe("What node cannot read as a request", () => {
  afterEach(stopServers);

  /** Writes bytes to a new server; resolves with the status and the parsed body of its answer. */
  async function answerTo(sent: string) {
    const { url } = await startServer({});
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    await once(socket, "connect");
    socket.write(sent);
    const received = await text(socket);
    const [head = "", body = ""] = received.split("\r\n\r\n");
    expect(head).to.include("Content-Type: application/json; charset=utf-8").and.include("Connection: close");
    return { status: Number(head.split(" ")[1]), body: JSON.parse(body) };
  }

  it("is answered 431 when its query string is too long", async () => {
    const { status, body } = await answerTo(`GET /api/x?a=${"x".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(status).to.equal(431);
    expect(body).to.deep.equal({
      data: null,
      error: {
        status: 431,
        name: "RequestHeaderFieldsTooLargeError",
        message: "The path, query string and headers of the request have more than 16384 bytes together.",
        details: { max: 16_384 },
        code: "PLINTH_HTTP_HEADERS_TOO_LARGE",
      },
    });
  });

  it("is answered 400 when it breaks the rules of HTTP", async () => {
    for (const sent of ["nonsense\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n"]) {
      const { status, body } = await answerTo(sent);
      expect([status, body.error.name, body.error.code], sent).to.deep.equal([
        400,
        "BadRequestError",
        "PLINTH_HTTP_MALFORMED_REQUEST",
      ]);
    }
  });

  it("is answered 408 when it does not arrive in time, and not at all when nobody is there any more", () => {
    const refusal = refusalOf(Object.assign(new Error("late"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }));
    expect(refusal)
      .to.match(/^HTTP\/1\.1 408 Request Timeout\r\n/)
      .and.include("PLINTH_HTTP_REQUEST_TIMEOUT");
    expect(refusalOf(Object.assign(new Error("gone"), { code: "ECONNRESET" }))).to.equal(undefined);
  });

  it("does not keep others from being answered", async () => {
    const { url } = await startServer({});
    await fetch(`${url}/_health?${"x".repeat(2_000_000)}`).catch(() => undefined);
    expect((await fetch(`${url}/_health`)).status).to.equal(204);
  });
});
