import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { connectDatabase } from "#core/database/driver/connect.js";
import type { Database } from "#core/database/driver/database.js";
import { type Line, WaitingLine } from "#core/database/driver/waiting-line.js";
import { serverDatabase } from "../../../databases.js";

/** A line of so many, and what was left of it. */
const lineOf = (length: number): { length: number } & Line => {
  const line = {
    length,
    cut(room: number) {
      line.length = room;
    },
  };
  return line;
};

const CONNECTIONS = 10;

describe("the callers that wait for a connection", () => {
  it("may be many as long as one of them did not wait for long within half a second", () => {
    const line = new WaitingLine(lineOf(300), CONNECTIONS);
    const now = performance.now();
    line.serve(900, now - 900);
    line.serve(150, now - 450);
    line.serve(900, now - 5);
    expect(line.admits(now)).to.equal(true);
  });

  it("are cut to as many as are served within 200 ms, once all of half a second waited for longer", () => {
    const waiting = lineOf(300);
    const line = new WaitingLine(waiting, CONNECTIONS);
    const now = performance.now();
    line.serve(250, now - 600);
    for (let at = 590; at > 0; at -= 10) {
      if (at > 100) expect(line.admits(now - at)).to.equal(true);
      line.serve(300, now - at);
    }
    expect(line.admits(now)).to.equal(false);
    expect(waiting.length).to.be.within(18, 22);
    waiting.length = 0;
    const admitted = Array.from({ length: 40 }, () => line.admits(now)).filter(Boolean).length;
    expect(admitted, "those who come at once, after those who came before").to.be.lessThan(23);
  });

  it("are as many as there are connections, and noticed too, where nobody is served at all", () => {
    const waiting = lineOf(300);
    const line = new WaitingLine(waiting, CONNECTIONS);
    line.serve(900, performance.now() - 900);
    expect(line.admits()).to.equal(false);
    expect(waiting.length).to.equal(CONNECTIONS);
  });

  it("are one more with everybody who gets a connection at once", async () => {
    const waiting = lineOf(300);
    const line = new WaitingLine(waiting, CONNECTIONS);
    line.serve(900, performance.now() - 900);
    expect(line.admits()).to.equal(false);
    for (let n = 0; n < 50; n++) line.pass();
    waiting.length = 45;
    await sleep(25);
    expect(line.admits()).to.equal(true);
    expect(waiting.length).to.equal(45);
  });
});

const server = serverDatabase();
if (server)
  describe("a pool whose connections are used up", () => {
    let db: Database;
    before(async () => {
      const config = server.config();
      db = await connectDatabase({ ...config, pool: { max: 2 } } as typeof config);
    });
    after(() => db.close());
    const take = (seconds: number) => db.query({ text: "select pg_sleep($1)", values: [seconds] });
    const outcome = (taken: Promise<unknown>) =>
      taken.then(
        () => "served",
        (error: { code: string; status: number }) => `${error.code} ${error.status}`,
      );

    it("turns away the newest when all have waited for too long, and only when a request comes", async () => {
      let letGo: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (letGo = resolve));
      const taken = Array.from({ length: 2 }, () => outcome(db.transaction(() => held)));
      const waiting = Array.from({ length: 8 }, () => outcome(take(0.05)));
      while (!db.refusal()) await sleep(50);
      letGo();
      const refusals = (await Promise.all(waiting)).filter((each) => each === "PLINTH_DATABASE_CROWDED 503");
      expect(refusals.length).to.be.within(5, 7);
      expect(await Promise.all(taken)).to.deep.equal(["served", "served"]);
    });

    it("answers the health check before all who wait", async () => {
      let served = 0;
      const taken = Array.from({ length: 12 }, () => outcome(take(0.3)).finally(() => (served += 1)));
      await db.ping();
      expect(served, "only those that had a connection").to.be.lessThan(6);
      expect(await Promise.all(taken)).to.deep.equal(Array(12).fill("served"));
    });
  });
