import { once } from "node:events";
import { Agent, get } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { serverDatabase } from "../databases.js";
import { medianOf } from "../usual-time.js";
import { type LoadedProcess, percentile, startLoaded } from "./loaded-process.js";

const CLIENTS = 600;
const SLOW = 500;
/** Milliseconds of load, and of them those in which the process finds out. */
const LOADED = 12_000;
const NOTICED = 3_000;

/** One answer; times in milliseconds. */
interface Answered {
  readonly status: number;
  readonly sent: number;
  readonly took: number;
  /** Seconds. */
  readonly retryAfter: number;
}

const database = serverDatabase();
if (database)
  describe("a process with more clients than it can serve", () => {
    let served: LoadedProcess;
    const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
    const sockets: Socket[] = [];
    before(async () => {
      served = await startLoaded(database.config());
    });
    after(() => served.end());
    afterEach(() => {
      agent.destroy();
      for (const socket of sockets.splice(0)) socket.destroy();
    });

    function ask(path: string): Promise<Answered> {
      const sent = performance.now();
      return new Promise((done, fail) => {
        const request = get(served.url + path, { agent }, (response) => {
          response.resume().once("end", () => {
            const retryAfter = Number(response.headers["retry-after"] ?? 0);
            done({ status: response.statusCode ?? 0, sent, took: performance.now() - sent, retryAfter });
          });
        });
        request.once("error", fail);
      });
    }

    async function askUntil(path: string, end: number, pause: (answer: Answered) => number): Promise<Answered[]> {
      const answers: Answered[] = [];
      while (performance.now() < end) {
        const answer = await ask(path);
        answers.push(answer);
        await sleep(pause(answer));
      }
      return answers;
    }

    /** How many connections of the process wait for the database, time and again. */
    const busyUntil = async (end: number): Promise<number[]> => {
      const db = await database.connect();
      const text = `select count(*)::int as busy from pg_stat_activity
        where datname = current_database() and state = 'active' and query like 'select pg_sleep%'`;
      const counts: number[] = [];
      for (; performance.now() < end; await sleep(100)) {
        const [row] = await db.query<{ busy: number }>({ text, values: [] });
        counts.push(row?.busy ?? 0);
      }
      return counts;
    };

    it("does not fill its memory with the requests that a connection sends ahead", async () => {
      const before = (await served.report()).memory;
      const socket = connect(Number(new URL(served.url).port), "127.0.0.1").on("error", () => undefined);
      sockets.push(socket);
      const requests = Buffer.from("GET /api/slow HTTP/1.1\r\nHost: x\r\n\r\n".repeat(2_000));
      socket.pause();
      let sent = 0;
      for (const end = performance.now() + 3_000; performance.now() < end && !socket.destroyed; sent += 2_000)
        if (!socket.write(requests)) await Promise.race([once(socket, "drain").catch(() => undefined), sleep(1_000)]);
      const grown = (await served.report()).memory - before;
      console.log(
        `[fleet] requests ahead of their answers: ${sent} sent on one connection, ${grown.toFixed(0)} MB more memory`,
      );
      expect(grown).to.be.lessThan(150);
    });

    it("serves others while hundreds send and take slowly", async () => {
      const readsBetween = 250;
      const { port } = new URL(served.url);
      let answered = 0;
      /** What a read costs, and how it fares. Slow clients send a little for so many reads, however fast these are. */
      const read = async (ms: number) => {
        const end = performance.now() + ms;
        const feed = () => {
          answered += 1;
          if (answered % readsBetween === 0)
            for (const [n, socket] of sockets.entries()) if (n % 10 > 0) socket.write(" ".repeat(600));
          return 5;
        };
        await served.report();
        const readers = Array.from({ length: 4 }, () => askUntil("/api/cars", end, feed));
        const answers = (await Promise.all(readers)).flat();
        const { processor } = await served.report();
        const times = answers.map(({ took }) => took);
        return { answers, p99: percentile(times, 99), processor: processor / answers.length };
      };
      await read(1_000);
      const before = await read(4_000);
      for (let n = 0; n < SLOW; n++) {
        const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
        sockets.push(socket);
        if (n % 10 === 0) socket.pause().write("GET /api/large HTTP/1.1\r\nHost: x\r\n\r\n".repeat(16));
        else
          socket.write(
            `POST /api/cars HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90000\r\n\r\n{`,
          );
      }
      // Those that take slowly have begun to: making what they leave waiting is not what reads cost.
      await Promise.all(sockets.filter((_, n) => n % 10 === 0).map((socket) => once(socket, "readable")));
      await read(2_000);
      const during = await read(8_000);
      const open = sockets.filter(({ destroyed }) => !destroyed).length;
      const { memory } = await served.report();
      for (const socket of sockets) socket.destroy();
      const after = await read(4_000);
      const show = ({ p99, processor }: typeof before) =>
        `${p99.toFixed(1)} ms and ${processor.toFixed(2)} ms of processor`;
      console.log(
        `[fleet] 500 slow clients: others' p99 ${show(during)}, before ${show(before)}, after ${show(after)}; ` +
          `${during.answers.length} answered, ${open} slow ones still open; memory ${memory.toFixed(0)} MB`,
      );
      expect(open).to.equal(SLOW);
      // None waits for a slow one, which has not ended yet, and all of these together cost less than the reads.
      expect(during.answers.every(({ status }) => status === 200)).to.equal(true);
      expect(during.processor).to.be.lessThan(2 * Math.max(before.processor, after.processor));
    });

    it("refuses at once what it cannot do, serves the rest soon, and lives", async () => {
      const start = performance.now();
      const end = start + LOADED;
      const clients = Array.from({ length: CLIENTS }, () =>
        askUntil("/api/heavy", end, ({ retryAfter }) => retryAfter * 1000 * (0.75 + Math.random() / 2)),
      );
      const living = askUntil("/health/live", end, () => 50);
      await sleep(NOTICED);
      await served.report();
      const ready = askUntil("/health/ready", end, () => 200);
      const atWork = await busyUntil(end);
      const all = (await Promise.all(clients)).flat();
      const isLater = ({ sent }: Answered) => sent > start + NOTICED;
      const later = all.filter(isLater);
      const tookOf = (status: number) => later.filter((answer) => answer.status === status).map(({ took }) => took);
      const [admitted, refused] = [tookOf(200), tookOf(503)];
      const live = (await living).filter(isLater).map(({ took }) => took);
      const states = (await ready).map(({ status }) => status);
      const { late } = await served.report();
      const show = (times: readonly number[]) =>
        `p50 ${medianOf(times).toFixed(0)} ms, p99 ${percentile(times, 99).toFixed(0)} ms`;
      // As many as are answered while the last of them waits.
      const line = (percentile(admitted, 99) * admitted.length) / (LOADED - NOTICED);
      console.log(
        `[fleet] 600 heavy clients: ${refused.length} refused, ${show(refused)}; ${admitted.length} admitted, ${show(admitted)}, ` +
          `${line.toFixed(0)} in line; live ${show(live)}; loop late by at most ${late.toFixed(0)} ms; ${medianOf(atWork)} connections at work`,
      );
      expect(all.filter(({ status }) => status !== 200 && status !== 503)).to.deep.equal([]);
      for (const [what, times] of Object.entries({ refused, live })) {
        expect(times, what).to.not.deep.equal([]);
        expect(medianOf(times), what).to.be.lessThan(medianOf(admitted) / 2);
        expect(percentile(times, 99), what).to.be.lessThan(percentile(admitted, 99));
      }
      expect(line, "requests before an admitted one").to.be.lessThan(CLIENTS / 4);
      // How many more is the machine's: how much of a request is the process's own work, which others may slow down.
      expect(medianOf(atWork), "of ten connections").to.be.at.least(1);
      expect(states.at(-1), "overloaded, after five seconds").to.equal(503);
    });

    it("is ready again, and serves many at once, when they are gone", async () => {
      const burst = () => Promise.all([ask("/health/ready"), ...Array.from({ length: 40 }, () => ask("/api/heavy"))]);
      while ((await burst()).some(({ status }) => status !== 200)) await sleep(500);
    });
  });
