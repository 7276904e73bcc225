import { EventEmitter } from "node:events";
import { expect } from "chai";
import type { Database } from "#core/database/driver/database.js";
import { SessionLocks } from "#core/database/driver/session-locks.js";
import { eachDatabase, serverDatabase } from "../../../databases.js";
import { eventually } from "./note-app.js";

describe("a lock that a process holds", () => {
  eachDatabase((database) => {
    it("is one's own until it is let go, and of a name", async () => {
      const db = await database.connect();
      const held = await db.hold("a");
      expect(held?.signal.aborted).to.equal(false);
      expect(await db.hold("a")).to.equal(undefined);
      const other = await db.hold("b");
      await held?.release();
      await held?.release();
      const again = await db.hold("a");
      expect(again).to.not.equal(undefined);
      // Those of transactions have names of their own.
      await db.transaction(() => db.lock("a"));
      await Promise.all([again?.release(), other?.release()]);
    });

    it("is given to one of those who ask at once", async () => {
      const db = await database.connect();
      const all = await Promise.all(Array.from({ length: 5 }, () => db.hold("once")));
      expect(all.filter(Boolean)).to.have.length(1);
      await all.find(Boolean)?.release();
    });
  });

  describe("on PostgreSQL, beside other processes", () => {
    const server = serverDatabase();
    if (!server) return;
    let one: Database;
    let two: Database;
    before("connect", async () => {
      one = await server.connect();
      two = await server.connect();
    });

    it("is of one of them, and of a schema", async () => {
      const held = await one.hold("shared");
      expect(await two.hold("shared")).to.equal(undefined);
      const elsewhere = await server.connect({ schema: "elsewhere" });
      expect(await elsewhere.hold("shared")).to.not.equal(undefined);
      await held?.release();
      const taken = await two.hold("shared");
      expect(taken).to.not.equal(undefined);
      await taken?.release();
    });

    it("is lost with its session, says so, and is there for others", async () => {
      const held = await one.hold("lost");
      const lost = new Promise((resolve) => held?.signal.addEventListener("abort", resolve));
      const text =
        "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and pid <> pg_backend_pid() and database = (select oid from pg_database where datname = current_database())";
      await two.query({ text, values: [] });
      await lost;
      // PostgreSQL tells a client that its session ends before it lets go of the session's locks.
      const taken = await eventually(async () => {
        const held = await two.hold("lost");
        expect(held).to.not.equal(undefined);
        return held;
      });
      await held?.release();
      expect(await one.hold("lost")).to.equal(undefined);
      await taken?.release();
      expect(await one.hold("lost")).to.not.equal(undefined);
    });
  });

  it("is asked for when those before have their answer: pg warns of a client that is asked while it is busy", async () => {
    let [busy, most] = [0, 0];
    const query = async () => {
      busy += 1;
      most = Math.max(most, busy);
      await new Promise(setImmediate);
      busy -= 1;
      return { rows: [{ is_done: true }] };
    };
    const client = Object.assign(new EventEmitter(), { connect: async () => undefined, query });
    const locks = new SessionLocks({ connectDirect: () => client as never, query: async () => [] });
    const all = await Promise.all(["a", "b", "c"].map((name) => locks.hold(name)));
    await Promise.all([...all.map((held) => held?.release()), locks.hold("d")]);
    expect(most).to.equal(1);
  });

  it("is not lost with the session of before, whose connection ends after it has failed", async () => {
    const sessions: EventEmitter[] = [];
    const connectDirect = () => {
      const query = async () => ({ rows: [{ is_done: true }] });
      sessions.push(Object.assign(new EventEmitter(), { connect: async () => undefined, query }));
      return sessions.at(-1) as never;
    };
    const locks = new SessionLocks({ connectDirect, query: async () => [] });
    const first = await locks.hold("a");
    sessions[0]?.emit("error", new Error("gone"));
    expect(first?.signal.aborted).to.equal(true);
    const second = await locks.hold("a");
    sessions[0]?.emit("end");
    expect(second?.signal.aborted).to.equal(false);
    expect(await locks.hold("a")).to.equal(undefined);
    expect(sessions).to.have.length(2);
  });
});
