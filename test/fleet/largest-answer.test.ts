import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connectDatabase, type DatabaseConfig } from "@plinth/core";
import { expect } from "chai";
import { serverDatabase } from "../databases.js";
import { type LoadedProcess, SERVER, startLoaded } from "./loaded-process.js";

/** Rows of the largest page, and bytes of each: of the 8 MB that an answer may have. */
const ROWS = 100;
const BYTES = 79_000;
const CLIENTS = 150;
/** Milliseconds for which they ask. */
const ASKING = 8_000;
/** Milliseconds after which a client asks again that was refused or cut off. */
const PAUSE = 300;
/** Requests ahead on one connection. */
const AHEAD = 2_000;
/**
 * Megabytes that it may cost, as core/src/http/README.md says: those that clients leave waiting (`maxUnsent`), and seven times
 * the largest answer (`answerBytes`) for each connection of the pool.
 */
const MOST = 64 + 7 * 8 * 10;
/** Without it, V8 leaves as much garbage as it thinks quickest, which no test can tell from memory that is needed. */
const HEAP = ["--max-old-space-size=400"];

const PAGE = `pagination[pageSize]=${ROWS}&sort=id`;
/** All share a few statements; each has one of its own; the same bytes by way of a relation. */
const FORMS: Readonly<Record<string, (n: number) => string>> = {
  "one page": () => `/api/cars?${PAGE}`,
  "pages of their own": (n) => `/api/cars?${PAGE}&filters[plate][$ne]=${n}`,
  "populated pages": (n) => `/api/drivers?${PAGE}&populate=car&filters[name][$ne]=${n}`,
};
const SMALL = "/api/drivers?pagination[pageSize]=1";

const requestFor = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** A time in which clients ask. */
interface Asking {
  /** As of `performance.now()`. */
  readonly end: number;
  refused: number;
  isOver(): boolean;
}

/** A slow process refuses the first of them later: it goes on until then. */
function askFor(milliseconds: number): Asking {
  const end = performance.now() + milliseconds;
  const asking = { end, refused: 0, isOver: () => asking.refused > 0 && performance.now() > end };
  return asking;
}

async function fill(config: DatabaseConfig): Promise<void> {
  const db = await connectDatabase(config);
  const head = "document_id, locale, published_at, created_at, updated_at";
  const times = "'', now(), now(), now()";
  const rows = `from generate_series(1, ${ROWS}) g`;
  for (const text of [
    `insert into cars (${head}, plate) select 'c' || g, ${times}, g || repeat('x', ${BYTES}) ${rows}`,
    `insert into drivers (${head}, name, car) select 'd' || g, ${times}, 'd' || g, 'c' || g ${rows}`,
  ])
    await db.query({ text, values: [] });
  await db.close();
}

const database = serverDatabase();
if (database)
  describe("a process whose clients ask for the largest answers and do not take them", () => {
    let served: LoadedProcess;
    let idle = 0;
    const sockets = new Set<Socket>();
    before(async () => {
      served = await startLoaded(database.config(), SERVER, HEAP);
      await fill(database.config());
      for (const form of Object.values(FORMS)) {
        const text = await (await fetch(served.url + form(0))).text();
        expect(text.length).to.be.within(ROWS * BYTES, 8_000_000);
      }
      idle = (await served.report()).memory;
    });
    after(() => served.end());
    afterEach(() => {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    });

    function open(): Socket {
      const socket = connect(Number(new URL(served.url).port), "127.0.0.1").on("error", () => undefined);
      sockets.add(socket.once("close", () => sockets.delete(socket)));
      return socket;
    }

    /** The status of an answer of which no more is taken than a socket keeps; 0 where the connection was closed first. */
    async function askAndLeave(path: string): Promise<{ readonly status: number; readonly socket: Socket }> {
      const socket = open();
      socket.write(requestFor(path));
      const hasAnswer = once(socket, "readable").then(() =>
        Number(/ (\d+)/.exec(String(socket.read()?.subarray(0, 15)))?.[1] ?? 0),
      );
      return { status: await Promise.race([hasAnswer, once(socket, "close").then(() => 0)]).catch(() => 0), socket };
    }

    /** Keeps as many answers waiting as the process lets it. @returns statuses */
    async function leaveWaiting(path: string, asking: Asking): Promise<number[]> {
      const statuses: number[] = [];
      while (!asking.isOver()) {
        const { status, socket } = await askAndLeave(path);
        statuses.push(status);
        if (status === 503) asking.refused += 1;
        if (status === 200 && !socket.destroyed)
          await Promise.race([once(socket, "close"), sleep(Math.max(PAUSE, asking.end - performance.now()))]);
        socket.destroy();
        await sleep(PAUSE * (0.5 + Math.random()));
      }
      return statuses;
    }

    /** Asks again and again, and takes all of it. */
    async function read(path: string, asking: Asking): Promise<number[]> {
      const statuses: number[] = [];
      while (!asking.isOver()) {
        const answer = await fetch(served.url + path);
        await answer.arrayBuffer();
        statuses.push(answer.status);
        await sleep(PAUSE);
      }
      return statuses;
    }

    /** Waits for a small answer, once the database has done what it was asked for. */
    async function untilServed(): Promise<void> {
      for (;;) {
        const answer = await fetch(served.url + SMALL);
        await answer.arrayBuffer();
        if (answer.status === 200) return;
        await sleep(PAUSE);
      }
    }

    const shareOf = (statuses: readonly number[], wanted: number) =>
      statuses.filter((status) => status === wanted).length;

    for (const [name, form] of Object.entries(FORMS))
      it(`lives, and serves others: ${name}`, async () => {
        await served.report();
        const asking = askFor(ASKING);
        const [small, large, ...left] = await Promise.all([
          read(SMALL, asking),
          read(form(0), asking),
          ...Array.from({ length: CLIENTS }, (_, n) => leaveWaiting(form(n), asking)),
        ]);
        const { peak, late } = await served.report();
        const all = left.flat();
        console.log(
          `[fleet] largest answer: ${CLIENTS} clients ask for ${name} of 8 MB and take nothing: ` +
            `peak ${peak.toFixed(0)} MB (idle ${idle.toFixed(0)} MB), ${shareOf(all, 200)} begun, ${shareOf(all, 503)} refused, ` +
            `${shareOf(all, 0)} cut off; others: ${shareOf(small, 200)} of ${small.length} small, ${shareOf(large, 200)} of ` +
            `${large.length} large answers; loop late at most ${late.toFixed(0)} ms`,
        );
        expect(peak - idle).to.be.lessThan(MOST);
        expect(shareOf(all, 503)).to.be.greaterThan(0);
        await untilServed();
      });

    it("has one of them made at a time for who sends requests ahead", async () => {
      const before = (await served.report()).memory;
      const socket = open().pause();
      socket.write(requestFor(FORMS["one page"]?.(0) ?? "").repeat(AHEAD));
      await sleep(4_000);
      const { peak } = await served.report();
      console.log(
        `[fleet] largest answer: ${AHEAD} requests for 8 MB ahead on one connection: peak ${peak.toFixed(0)} MB, ` +
          `before ${before.toFixed(0)} MB`,
      );
      expect(peak - before).to.be.lessThan(2 * 64);
    });
  });
