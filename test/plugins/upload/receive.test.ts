import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HttpContext, isPlinthError } from "@plinth/core";
import { expect } from "chai";
import Koa from "koa";
import { parseConfig } from "#plugins/upload/src/config.js";
import { receive } from "#plugins/upload/src/request/receive.js";

const HEAD =
  "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\n";
const PART = '--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nabc';

describe("A request with files whose connection is cut", () => {
  const temporaryDirectory = mkdtempSync(join(tmpdir(), "plinth-receive-"));
  const config = parseConfig({ temporaryDirectory });
  let server: Server;
  /** Decides when the app begins to receive. */
  let begin: (ctx: Koa.Context) => Promise<unknown>;
  let outcome: Promise<unknown>;

  before("start a server", async () => {
    const koa = new Koa({ env: "test" });
    koa.silent = true;
    koa.use(async (ctx) => {
      const received = begin(ctx).then(() => receive(ctx as unknown as HttpContext, config, async () => "received"));
      outcome = received.catch((error: unknown) => error);
      await outcome;
    });
    server = createServer(koa.callback()).listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  after(() => {
    server.close();
    rmSync(temporaryDirectory, { recursive: true });
  });

  const sendAndCut = async (text: string) => {
    const { port } = server.address() as { port: number };
    const socket = connect(port, "127.0.0.1");
    const asked = once(server, "request");
    socket.write(text);
    await asked;
    setTimeout(() => socket.destroy(), 20);
    await once(socket, "close");
    return await outcome;
  };

  it("leaves nothing when that was before anybody read it", async () => {
    begin = (ctx) => new Promise((resolve) => ctx.req.on("error", () => undefined).once("close", resolve));
    const error = await sendAndCut(HEAD + PART);
    expect(isPlinthError(error) && error.code).to.equal("PLINTH_UPLOAD_MALFORMED");
    expect(readdirSync(temporaryDirectory)).to.deep.equal([]);
  });

  it("leaves nothing when that is while it is read", async () => {
    begin = async () => undefined;
    for (const text of [HEAD, HEAD + PART]) {
      const error = await sendAndCut(text);
      expect(isPlinthError(error) && error.code).to.equal("PLINTH_UPLOAD_MALFORMED");
      expect(readdirSync(temporaryDirectory)).to.deep.equal([]);
    }
  });
});
