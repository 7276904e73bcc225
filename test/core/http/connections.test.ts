import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { openRoute, type ServerParts, startServer, stopServers, type TestServer } from "./start-server.js";
import { handlerOf } from "#core/http/request-info.js";

const MB = 1024 * 1024;
const large = openRoute("GET", "/large", () => ({ text: "x".repeat(8 * MB) }));
const echo = openRoute("POST", "/echo", (ctx) => ({ length: JSON.stringify(ctx.request.body).length }));

/** A client that sends what it is told, and keeps what it gets. */
interface Client {
  readonly socket: Socket;
  readonly text: () => string;
  readonly isClosed: () => boolean;
}

async function open({ url }: TestServer): Promise<Client> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let text = "";
  let isClosed = false;
  socket.setEncoding("latin1").on("data", (chunk) => (text += chunk));
  socket.on("close", () => (isClosed = true)).on("error", () => undefined);
  opened.push(socket);
  await once(socket, "connect");
  return { socket, text: () => text, isClosed: () => isClosed };
}

const opened: Socket[] = [];
const get = (path: string) => `GET /api${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const headOfPost = (length: number) =>
  `POST /api/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
const codeOf = (err: unknown) => (err as { readonly code?: unknown } | undefined)?.code;
const countOf = (text: string, part: string) => text.split(part).length - 1;

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await wait(20);
}

/** A server whose handler of `/work` counts how many work at once. */
async function startCounting(config: ServerParts["config"] = {}) {
  let running = 0;
  const counts = { most: 0, all: 0 };
  const work = openRoute("GET", "/work/:n", async ({ params }) => {
    running += 1;
    counts.all += 1;
    counts.most = Math.max(counts.most, running);
    await wait(5);
    running -= 1;
    return { n: params["n"] };
  });
  return { counts, server: await startServer({ routes: [work], config }) };
}

describe("a connection", () => {
  afterEach(async () => {
    for (const socket of opened.splice(0)) socket.destroy();
    await stopServers();
  });

  it("has one request worked on at a time, and its answers in their order", async () => {
    const { counts, server } = await startCounting();
    const client = await open(server);
    client.socket.write(Array.from({ length: 10 }, (_, n) => get(`/work/${n}`)).join(""));
    await until(() => countOf(client.text(), "HTTP/1.1 200") === 10);
    expect(client.text().match(/(?<="n":")\d+/g)).to.deep.equal([..."0123456789"]);
    expect(counts).to.deep.equal({ most: 1, all: 10 });
    client.socket.write(get("/work/again"));
    await until(() => client.text().includes("again"));
  });

  it("that sends thousands of requests ahead is closed when the first have been answered", async () => {
    const { counts, server } = await startCounting({ maxPipelined: 4 });
    const client = await open(server);
    client.socket.write(get("/work/1").repeat(2000));
    await until(client.isClosed);
    expect(counts).to.deep.equal({ most: 1, all: 5 });
    expect(countOf(client.text(), "HTTP/1.1 200")).to.equal(5);
    expect(countOf(client.text(), "Connection: close")).to.equal(1);
    expect((await server.request("/_health")).status).to.equal(204);
  });

  it("gets the answer to what it sent before the refusal of what is no request", async () => {
    const { server } = await startCounting();
    const client = await open(server);
    client.socket.write(`${get("/work/1")}${get("/work/2")}NONSENSE\r\n\r\n`);
    await until(client.isClosed);
    expect(client.text().match(/(?<=HTTP\/1.1 )\d+/g)).to.deep.equal(["200", "200", "400"]);
    expect(client.text()).to.match(/"n":"1".*"n":"2".*PLINTH_HTTP_MALFORMED_REQUEST/s);
  });

  it("is refused at once for a body that breaks the rules of HTTP, or does not end in time", async () => {
    const server = await startServer({ routes: [echo], config: { requestTimeout: 1500, headersTimeout: 1000 } });
    const head = "POST /api/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    const [broken, late] = [await open(server), await open(server)];
    broken.socket.write(`${head}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n`);
    late.socket.write(`${head}Content-Length: 10\r\n\r\n{`);
    await until(broken.isClosed);
    await until(late.isClosed);
    expect(broken.text()).to.match(/^HTTP\/1.1 400 /);
    expect(late.text()).to.match(/^HTTP\/1.1 408 /);
  });

  it("takes a body that was sent ahead", async () => {
    const server = await startServer({ routes: [large, echo] });
    const client = await open(server);
    client.socket.write(`${get("/large")}${headOfPost(9)}{"a":"b"}${headOfPost(2)}{}`);
    await until(() => client.text().endsWith('{"length":2}'));
    expect(client.text()).to.contain('{"length":9}');
  });

  it("whose answer is not taken is cut off, and one that takes it steadily is not", async () => {
    // Longer than the process of the test is ever late, and shorter than the steady one takes.
    const server = await startServer({ routes: [large], config: { stallTimeout: 2_000, minRate: 100_000 } });
    const [stalled, steady] = [await open(server), await open(server)];
    for (const { socket } of [stalled, steady]) socket.write(get("/large"));
    stalled.socket.pause();
    let taken = 0;
    steady.socket.on("data", async (chunk) => {
      taken += chunk.length;
      steady.socket.pause();
      await wait(chunk.length / 2500);
      steady.socket.resume();
    });
    await until(() => server.log.some(({ msg }) => msg.includes("server.minRate")));
    stalled.socket.resume();
    await until(stalled.isClosed);
    expect(stalled.text().length).to.be.lessThan(8 * MB);
    await until(() => taken > 8 * MB);
    expect(server.log.filter(({ msg }) => msg.includes("server.minRate"))).to.have.length(1);
  });

  it("whose body arrives too slowly is answered with 408 and closed", async () => {
    const server = await startServer({ routes: [echo], config: { stallTimeout: 600, minRate: 1000 } });
    const client = await open(server);
    client.socket.write(headOfPost(100_000));
    const drip = setInterval(() => client.socket.write("["), 50);
    await until(client.isClosed).finally(() => clearInterval(drip));
    expect(client.text()).to.match(/^HTTP\/1\.1 408 /);
    expect(client.text()).to.contain("PLINTH_HTTP_REQUEST_TIMEOUT");
    expect(server.log.filter(({ msg }) => msg === "A request failed")).to.have.length(0);
  });

  it("whose body arrives steadily may take longer than that", async () => {
    const server = await startServer({ routes: [echo], config: { stallTimeout: 600, minRate: 1000 } });
    const client = await open(server);
    const body = JSON.stringify({ text: "x".repeat(20_000) });
    client.socket.write(headOfPost(body.length));
    for (let at = 0; at < body.length; at += 500) {
      client.socket.write(body.slice(at, at + 500));
      await wait(40);
    }
    await until(() => client.text().includes(`{"length":${body.length}}`));
  });

  it("is not cut off while the server works, however long that takes", async () => {
    const slow = openRoute("GET", "/slow", () => wait(1500).then(() => ({ done: true })));
    const server = await startServer({ routes: [slow], config: { stallTimeout: 400 } });
    expect((await server.request("/api/slow")).status).to.equal(200);
  });

  it("whose headers do not arrive is answered with 408 and closed", async () => {
    const server = await startServer({ config: { headersTimeout: 300 } });
    const client = await open(server);
    client.socket.write("GET /_health HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    await until(() => client.text().startsWith("HTTP/1.1 408 "));
    expect(client.text()).to.contain("PLINTH_HTTP_REQUEST_TIMEOUT");
  });

  const text = "x".repeat(8 * MB);
  const ways = {
    "with a koa context": { handler: () => ({ text }), write: () => ({ text }) },
    "without one": {
      handler: handlerOf(async () => ({ status: 200, body: { text }, headers: { "cache-control": "max-age=60" } })),
      write: handlerOf(async () => ({ status: 201, body: { text } })),
    },
  };
  for (const [way, { handler, write }] of Object.entries(ways))
    it(`is refused a large answer while those of others wait, ${way}; small ones and writes are answered`, async () => {
      const routes = [openRoute("GET", "/read", handler), openRoute("POST", "/write", write), echo];
      const server = await startServer({ routes, config: { maxUnsent: 20 * MB } });
      const clients: Client[] = [];
      for (let n = 0; n < 10; n++) clients.push(await open(server));
      // At once: one by one, a server that is late would cut off each that waits before the next one comes.
      for (const { socket } of clients) socket.pause().write(get("/read"));
      await until(() => server.log.some(({ err }) => codeOf(err) === "PLINTH_HTTP_ANSWERS_WAIT"));
      const init = { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } };
      expect((await server.request("/api/echo", init)).status).to.equal(200);
      const written = await server.request("/api/write", init);
      expect((await written.text()).length).to.be.greaterThan(8 * MB);
      for (const { socket } of clients) socket.resume();
      const isAnswered = ({ text: taken, isClosed }: Client) => isClosed() || taken().length > 8 * MB;
      const refused = () => clients.filter((client) => client.text().startsWith("HTTP/1.1 503 "));
      await until(() => clients.every((client) => isAnswered(client) || refused().includes(client)));
      expect(refused().length).to.be.within(1, 7);
      expect(refused()[0]?.text())
        .to.match(/Retry-After: [123]\r\n/)
        .and.include('"PLINTH_HTTP_ANSWERS_WAIT"')
        .and.not.match(/cache-control/i);
      expect((await server.request("/api/read")).status).to.equal(200);
    });

  it("is cut off first that waits longest, when all together keep too much", async () => {
    const server = await startServer({ routes: [large], config: { maxUnsent: 20 * MB } });
    const clients: Client[] = [];
    for (let n = 0; n < 6; n++) {
      const client = await open(server);
      client.socket.pause().write(get("/large"));
      clients.push(client);
      await wait(600);
    }
    await until(() => server.log.some(({ msg }) => msg.includes("server.maxUnsent")));
    await wait(600);
    for (const { socket } of clients) socket.resume();
    await until(() => clients.every(({ text, isClosed }) => isClosed() || text().length > 8 * MB));
    const whole = clients.map(({ text }) => text().length > 8 * MB);
    expect(whole[0]).to.equal(false);
    expect(whole.at(-1)).to.equal(true);
    expect(whole.filter(Boolean).length).to.be.within(1, 3);
  });
});

describe("a server that stops", () => {
  afterEach(async () => {
    for (const socket of opened.splice(0)) socket.destroy();
    await stopServers();
  });

  it("says so in its answers and to health checks, and takes requests for a while", async () => {
    const { server } = await startCounting({ drainDelay: 400 });
    const [kept, idle] = [await open(server), await open(server)];
    kept.socket.write(get("/work/1"));
    await until(() => kept.text().includes('"n":"1"'));
    expect(kept.text()).to.contain("Connection: keep-alive");
    const closed = server.server.close();
    kept.socket.write(get("/work/2"));
    await until(kept.isClosed);
    expect(kept.text()).to.match(/Connection: close\r\n\r\n\{"n":"2"\}$/);
    expect((await server.request("/health/ready")).status).to.equal(503);
    expect(await (await server.request("/api/work/3")).json()).to.deep.equal({ n: "3" });
    await closed;
    await until(idle.isClosed);
  });

  it("answers who has connected before it stops, and no connection is reset", async () => {
    const { server } = await startCounting();
    const kept = await open(server);
    kept.socket.write(get("/work/1"));
    await until(() => kept.text().includes('"n":"1"'));
    const { answers, errors } = await connectMany(server, 20);
    kept.socket.write(get("/work/2"));
    const closed = server.server.close();
    for (const [n, text] of (await answers).entries()) expect(text).to.contain(`late${n}`);
    await until(() => kept.text().includes('"n":"2"'));
    await closed;
    expect(errors).to.deep.equal([]);
  });

  it("answers them however long that takes", async () => {
    const computing = openRoute("GET", "/work/:n", ({ params }) => {
      for (const end = performance.now() + 20; performance.now() < end; );
      return { n: params["n"] };
    });
    const server = await startServer({ routes: [computing] });
    const { answers, errors } = await connectMany(server, 40);
    const closed = server.server.close();
    for (const [n, text] of (await answers).entries()) expect(text).to.contain(`late${n}`);
    await closed;
    expect(errors).to.deep.equal([]);
  });
});

/** Connects clients that ask for something at once. @returns when all are connected */
async function connectMany({ url }: { readonly url: string }, count: number) {
  const errors: unknown[] = [];
  const late = Array.from({ length: count }, () => connect(Number(new URL(url).port), "127.0.0.1"));
  const answers = late.map(async (socket, n) => {
    socket.on("error", (error) => errors.push(error)).write(get(`/work/late${n}`));
    const [chunk] = await once(socket, "data");
    return String(chunk);
  });
  await Promise.all(late.map((socket) => once(socket, "connect")));
  return { answers: Promise.all(answers), errors };
}
