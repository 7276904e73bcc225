import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, request as ask } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { admissionLimitsOf } from "#core/http/admission.js";
import { channels, type ShedMessage } from "#core/base/telemetry.js";
import { DatabaseUnreachableError } from "#core/database/errors.js";
import { openRoute, type ServerParts, startServer, stopServers, type TestServer } from "./start-server.js";

const limits = { maxConcurrent: 4, maxWaiting: 3, shed: true };

/** A server whose `/work` ends when it is told, and `/large` has more to send than a socket holds. */
async function startWorking(parts: Partial<ServerParts> = {}) {
  const ends: (() => void)[] = [];
  let most = 0;
  let began = 0;
  const work = openRoute("GET", "/work", async () => {
    began += 1;
    await new Promise<void>((end) => {
      ends.push(end);
      most = Math.max(most, ends.length);
    });
    return { done: true };
  });
  const echo = openRoute("POST", "/echo", () => ({ done: true }));
  const large = openRoute("GET", "/large", () => ({ text: "x".repeat(8 * 1024 * 1024) }));
  const server = await startServer({ ...parts, routes: [work, echo, large], config: { limits, ...parts.config } });
  return {
    server,
    most: () => most,
    began: () => began,
    endAll: async (count: number) => {
      for (let ended = 0; ended < count; await sleep(5))
        for (const end of ends.splice(0)) {
          ended += 1;
          end();
        }
    },
  };
}

const sockets: Socket[] = [];
async function open({ url }: TestServer, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  sockets.push(socket);
  await once(socket, "connect");
  socket.write(text);
  return socket;
}

interface Answer {
  readonly status: number;
  readonly retry: string;
  readonly text: string;
}

/** One request on a connection of its own. */
function get(server: TestServer, path = "/api/work"): Promise<Answer> {
  return new Promise((done, fail) => {
    const request = ask(server.url + path, { agent: new Agent({ keepAlive: false }) }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () =>
        done({ status: response.statusCode ?? 0, retry: String(response.headers["retry-after"]), text }),
      );
    });
    request.on("error", fail).end();
  });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(10);
}

const statuses = async (answers: readonly Promise<{ readonly status: number }>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);

describe("server.limits", () => {
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await stopServers();
  });

  it("has requests wait beyond maxConcurrent and refuses them beyond maxWaiting, health aside", async () => {
    const shed: ShedMessage[] = [];
    const listen = (message: ShedMessage) => void shed.push(message);
    channels.shed.subscribe(listen);
    const { server, most, began, endAll } = await startWorking();
    const first = Array.from({ length: 4 }, () => get(server));
    await until(() => began() === 4);
    const beyond: Answer[] = [];
    const note = (answer: Answer): Answer => {
      beyond.push(answer);
      return answer;
    };
    const second = Array.from({ length: 8 }, () => get(server).then(note));
    // While none of the first has ended.
    await until(() => beyond.length === 5);
    for (const { status, retry, text } of beyond) {
      expect(status).to.equal(503);
      expect(Number(retry)).to.be.within(1, 3);
      expect(JSON.parse(text)).to.deep.equal({
        data: null,
        error: {
          status: 503,
          name: "ServiceUnavailableError",
          message: "The server has too much to do at the moment. Try again later.",
          details: {},
          code: "PLINTH_HTTP_FULL",
        },
      });
    }
    for (const path of ["/health/live", "/_health"]) expect((await get(server, path)).status).to.be.lessThan(205);
    await endAll(7);
    expect(await statuses(first)).to.deep.equal(Array(4).fill(200));
    expect((await statuses(second)).sort()).to.deep.equal([...Array(3).fill(200), ...Array(5).fill(503)]);
    expect(most()).to.equal(4);
    channels.shed.unsubscribe(listen);
    expect(shed.map(({ reason }) => reason)).to.deep.equal(Array(5).fill("concurrent"));
    const told = () => server.log.filter(({ level }) => level === 50).map((line) => Number(line["count"] ?? 1));
    await until(() => told().reduce((sum, count) => sum + count, 0) === 5);
    expect(told()).to.deep.equal([1, 4]);
  });

  it("are those of the guide where nothing is said", () => {
    const guide = readFileSync(new URL("../../../core/guides/deployment.md", import.meta.url), "utf8");
    const { maxConcurrent, maxWaiting, shed } = admissionLimitsOf(
      {},
      { kind: "postgres", connections: 10 },
      "production",
    );
    expect(guide).to.include(
      `\`limits: { maxConcurrent: ${maxConcurrent}, maxWaiting: ${maxWaiting}, shed: ${shed} }\``,
    );
    expect(admissionLimitsOf({}, { kind: "pglite", connections: 1 }, "test").shed).to.equal(false);
  });

  it("does not count clients that are slow to send or to take", async () => {
    const { server, endAll } = await startWorking({ config: { limits: { ...limits, shed: false } } });
    const post = "POST /api/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{";
    for (let n = 0; n < 10; n++) await open(server, post);
    const large = () => open(server, "GET /api/large HTTP/1.1\r\nHost: x\r\n\r\n");
    // Each has begun to arrive, and is taken no further.
    for (let n = 0; n < 10; n++) await once(await large(), "readable");
    const asked = Array.from({ length: 7 }, () => get(server));
    await endAll(7);
    expect(await statuses(asked)).to.deep.equal(Array(7).fill(200));
  });

  it("forgets who went away while they waited", async () => {
    const { server, began, endAll } = await startWorking();
    const first = Array.from({ length: 4 }, () => get(server));
    await until(() => began() === 4);
    for (let n = 0; n < 3; n++) await open(server, "GET /api/work HTTP/1.1\r\nHost: x\r\n\r\n");
    await sleep(50);
    for (const socket of sockets.splice(0)) socket.destroy();
    await sleep(200);
    await endAll(4);
    await statuses(first);
    expect(began()).to.equal(4);
    const again = get(server);
    await endAll(1);
    expect((await again).status).to.equal(200);
  });

  it("refuses new requests and those that wait while the database has no room", async () => {
    let refusal: InstanceType<typeof DatabaseUnreachableError> | undefined;
    const { server, began, endAll } = await startWorking({ refusal: () => refusal });
    const first = Array.from({ length: 4 }, () => get(server));
    await until(() => began() === 4);
    const second = Array.from({ length: 2 }, () => get(server));
    await sleep(50);
    refusal = new DatabaseUnreachableError({ where: "10.0.0.7:5432", reason: "it has no room" });
    const { status, text } = await get(server);
    expect(status).to.equal(503);
    expect(text).to.not.include("10.0.0.7");
    await endAll(4);
    expect(await statuses([...first, ...second])).to.deep.equal([200, 200, 200, 200, 503, 503]);
  });

  it("refuses nobody while the server stops", async () => {
    const { server, endAll } = await startWorking({ config: { drainDelay: 600 } });
    const closed = server.server.close();
    const asked = Array.from({ length: 20 }, () => get(server));
    await endAll(20);
    expect(await statuses(asked)).to.deep.equal(Array(20).fill(200));
    await closed;
  });

  it("refuses requests while many wait and its own work makes the event loop late all the time, and not for one long turn", async () => {
    const { server, endAll, first } = await startWithMany(MANY);
    await sleep(1_200);
    compute(300);
    await sleep(1_200);
    expect((await server.request("/nothing")).status).to.equal(404);
    for (let n = 0; n < 5; n++) {
      compute(300);
      await sleep(1);
    }
    const { status, text } = await get(server, "/nothing");
    expect([status, JSON.parse(text).error.code]).to.deep.equal([503, "PLINTH_HTTP_LATE"]);
    expect((await get(server, "/health/live")).status).to.equal(200);
    await sleep(2_200);
    expect((await server.request("/nothing")).status).to.equal(404);
    await endAll(MANY);
    expect(new Set(await statuses(first))).to.deep.equal(new Set([200]));
  });

  it("refuses nobody while the event loop is late because others have the processor, or with few requests", async () => {
    const many = await startWithMany(MANY);
    const few = await startWithMany(FEW);
    await sleep(1_200);
    for (let n = 0; n < 5; n++) {
      halt(400);
      await sleep(1);
    }
    expect((await get(many.server, "/nothing")).status).to.equal(404);
    for (let n = 0; n < 5; n++) {
      compute(300);
      await sleep(1);
    }
    expect((await get(many.server, "/nothing")).status, "the loop is late through own work").to.equal(503);
    expect((await get(few.server, "/nothing")).status).to.equal(404);
    await Promise.all([many.endAll(MANY), few.endAll(FEW)]);
  });
});

/** Requests that are worked on: with few the process refuses none, however late it is. */
const [FEW, MANY] = [20, 40];

/** A server that works on so many requests. */
async function startWithMany(count: number) {
  const working = await startWorking({ config: { limits: { maxConcurrent: 100, maxWaiting: 0, shed: true } } });
  const first = Array.from({ length: count }, () => get(working.server));
  await until(() => working.began() === count);
  return { ...working, first };
}

/** Keeps the event loop busy by work of this process. @param ms - of processor */
function compute(ms: number): void {
  for (const start = process.cpuUsage(); process.cpuUsage(start).user < ms * 1000; );
}

/** Keeps the event loop from going on without work, as other programs do that have the processor. */
const halt = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
