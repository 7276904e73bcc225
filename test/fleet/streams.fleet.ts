import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { serverDatabase } from "../databases.js";
import { fetchData } from "../durability/fleet.js";
import { type LoadedProcess, percentile, startLoaded } from "./loaded-process.js";

const STREAMS = 10_000;
/** Different reads; every second stream is of the first. */
const FORMS = 200;
/** Streams that are opened at once. */
const AT_ONCE = 200;

/** A client that counts the answers it gets. */
class Client {
  answers = 0;
  lastAt = 0;
  #text = "";
  readonly socket: Socket;

  constructor(url: string, path: string) {
    const { port } = new URL(url);
    this.socket = connect(Number(port), "127.0.0.1")
      .setEncoding("utf8")
      .on("error", () => undefined);
    this.socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n`);
    this.socket.on("data", (chunk: string) => {
      this.#text += chunk;
      const count = this.#text.split("\nid: ").length - 1;
      this.#text = this.#text.slice(-4);
      if (count === 0) return;
      this.answers += count;
      this.lastAt = performance.now();
    });
  }
}

const database = serverDatabase();
if (database)
  describe("a process with ten thousand streams", () => {
    let served: LoadedProcess;
    const clients: Client[] = [];
    before(async () => {
      served = await startLoaded(database.config(), fileURLToPath(new URL("./serve-streams.ts", import.meta.url)));
    });
    after(async () => {
      for (const { socket } of clients) socket.destroy();
      await served.end();
    });

    it("has room for them, and tells each of a change", async () => {
      await fetchData(served.url, "POST", "/api/cars", { plate: "B 1" });
      const before = await served.report();
      const openedAt = performance.now();
      for (let from = 0; from < STREAMS; from += AT_ONCE) {
        for (let index = from; index < from + AT_ONCE; index += 1)
          clients.push(
            new Client(served.url, `/api/cars?pagination[pageSize]=${index % 2 === 0 ? 1 : 1 + (index % FORMS)}`),
          );
        while (clients.some(({ answers }) => answers === 0)) await sleep(20);
      }
      const opening = performance.now() - openedAt;
      const open = await served.report();
      const kilobytes = ((open.memory - before.memory) * 1024) / STREAMS;
      const writtenAt = performance.now();
      await fetchData(served.url, "POST", "/api/cars", { plate: "B 2" });
      while (clients.some(({ answers }) => answers === 1)) await sleep(20);
      const took = clients.map(({ lastAt }) => lastAt - writtenAt);
      const { late } = await served.report();
      console.log(
        `[fleet] live reads: ${STREAMS} streams of ${FORMS / 2 + 1} reads opened in ${(opening / 1000).toFixed(1)} s, ${kilobytes.toFixed(1)} kB each; a change is there after p50 ${percentile(took, 50).toFixed(0)} ms, p99 ${percentile(took, 99).toFixed(0)} ms, loop late by ${late.toFixed(0)} ms`,
      );
      expect(kilobytes).to.be.lessThan(60);
      // Each read is made once for all of its streams: less work than opening them, where each has a request.
      expect(percentile(took, 99)).to.be.lessThan(opening);
    });
  });
