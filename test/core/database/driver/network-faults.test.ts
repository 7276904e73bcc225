import { constants } from "node:buffer";
import { setTimeout as sleep } from "node:timers/promises";
import { createPlinth } from "@plinth/core";
import { expect } from "chai";
import { connectDatabase } from "#core/database/driver/connect.js";
import type { Database } from "#core/database/driver/database.js";
import { GuardedClient } from "#core/database/driver/guarded-client.js";
import { channels } from "#core/base/telemetry.js";
import type { PostgresConfig } from "#core/database/driver/config.js";
import { eachDatabase } from "../../../databases.js";
import { loadFleet, send } from "../../../durability/fleet.js";
import { firstOf } from "../../../usual-time.js";
import { listenTo } from "../../base/listen.js";
import { breakableWay, type BrokenNetwork } from "./broken-network.js";

const sql = (text: string, ...values: unknown[]) => ({ text, values });
const STATEMENT_TIMEOUT = 500;
/** Longer than any test: who waits for the end of such a statement waits too long. */
const NEVER = 600_000;

eachDatabase((database) => {
  if (database.kind !== "postgres") return;
  const { connection } = database.config() as { connection: string };

  describe("a network between app and database that breaks", () => {
    let network: BrokenNetwork;
    const arrived = listenTo({ http: channels.http.start });
    const opened: Database[] = [];
    const open = async (options: Partial<PostgresConfig> = {}) => {
      const db = await connectDatabase({
        client: "postgres",
        connection: network.url,
        statementTimeout: STATEMENT_TIMEOUT,
        connectTimeout: 700,
        ...options,
      });
      opened.push(db);
      return db;
    };

    beforeEach(async () => {
      network = await breakableWay(connection);
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((db) => db.close()));
      await network.close();
    });

    it("answers every statement that met a dead connection with 503 in time, and none hangs", async () => {
      const db = await open();
      const patient = await open({ statementTimeout: STATEMENT_TIMEOUT + 6_000 });
      await Promise.all(Array.from({ length: 5 }, () => db.query(sql("select pg_sleep(0.05)"))));
      network.freeze();
      const later = failureOf(patient.query(sql("select 1")));
      const failing = Promise.all(Array.from({ length: 12 }, () => failureOf(db.query(sql("select 1")))));
      expect(await firstOf({ failing, later })).to.equal("failing");
      for (const failure of await failing)
        expect(failure).to.include({ code: "PLINTH_DATABASE_UNREACHABLE", status: 503 });
    });

    it("is used again once it works, without a request for each dead connection of the pool", async () => {
      const [db, other] = [await open(), await open()];
      await Promise.all(Array.from({ length: 8 }, () => db.query(sql("select pg_sleep(0.05)"))));
      network.freeze();
      await failureOf(db.query(sql("select 1")));
      network.restore();
      const deadOne = failureOf(other.query(sql("select 1")));
      const all = Promise.all(Array.from({ length: 8 }, () => db.query(sql("select 1"))));
      expect(await firstOf({ all, deadOne })).to.equal("all");
      await all;
    });

    it("is noticed by the listener, so that later statements do not run into dead connections", async () => {
      const db = await open({ statementTimeout: NEVER });
      db.messages.subscribe("some", { onMessage: () => undefined, onLost: () => undefined });
      while (!db.messages.isListening) await sleep(10);
      await Promise.all(Array.from({ length: 4 }, () => db.query(sql("select pg_sleep(0.05)"))));
      network.freeze();
      network.restore();
      while (db.messages.isListening) await sleep(50);
      expect(await db.query(sql("select 1 as one"))).to.deep.equal([{ one: 1 }]);
    });

    it("does not keep a database from closing", async () => {
      const db = await open({ statementTimeout: NEVER });
      db.messages.subscribe("some", { onMessage: () => undefined, onLost: () => undefined });
      while (!db.messages.isListening) await sleep(10);
      await Promise.all(Array.from({ length: 4 }, () => db.query(sql("select pg_sleep(0.05)"))));
      network.freeze();
      const hanging = Promise.all([1, 2].map(() => failureOf(db.query(sql("select 1")))));
      await db.close();
      for (const failure of await hanging) expect(failure).to.have.property("status", 503);
    });

    it("does not keep an app from stopping: its requests are cut after closeTimeout, and then it is gone", async () => {
      const setup = await loadFleet({ client: "postgres", connection: network.url, statementTimeout: NEVER });
      const server = { host: "127.0.0.1", port: 0, closeTimeout: 1_000 };
      const plinth = createPlinth({ ...setup, config: { ...setup.config, server } });
      const url = (await plinth.start()) ?? "";
      expect(await send(url, "POST", "/api/cars", { plate: "B 1" })).to.have.property("status", 201);
      network.freeze();
      arrived.http.length = 0;
      const hanging = Promise.all([1, 2, 3].map(() => failureOf(send(url, "GET", "/api/cars"))));
      while (arrived.http.length < 3) await sleep(10);
      await plinth.stop();
      for (const failure of await hanging) expect(failure, "it was cut").to.be.instanceOf(TypeError);
    });

    it("that lets nobody connect ends a start soon, with the address", async () => {
      network.freeze();
      const failure = await failureOf(open());
      expect(failure).to.include({ code: "PLINTH_DATABASE_UNREACHABLE" });
      expect(failure).to.have.property("message").that.includes(new URL(network.url).host);
    });

    it("may cut connections anywhere in an answer: each statement is answered or fails with 503", async () => {
      const db = await open();
      for (let bytes = 1; bytes < 400; bytes += 7) {
        await db.query(sql("select 1")).catch(() => undefined);
        network.cutAfter(bytes);
        const both = [
          db.query(sql("select $1::jsonb as value, g from generate_series(1, 20) g", { some: "thing" })),
          db.transaction(() => db.queryAll([sql("select 1"), sql("select '{}'::jsonb")])),
        ];
        for (const failure of await Promise.all(both.map(failureOf)))
          if (failure !== undefined) expect(failure).to.have.property("status", 503);
      }
      expect(await db.query(sql("select 1 as one"))).to.deep.equal([{ one: 1 }]);
    });

    it("may bring what is no message: that connection ends with 503, and the process goes on", async () => {
      const db = await open({ statementTimeout: 60_000 });
      const waiting = failureOf(db.query(sql("select pg_sleep(30)")));
      const look = await database.connect();
      const running = sql(
        "select 1 from pg_stat_activity where query like 'select pg_sleep(30)%' and state = 'active'",
      );
      while ((await look.query(running)).length === 0) await sleep(10);
      const unknownAuthentication = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 99]);
      network.inject(unknownAuthentication);
      expect(await waiting).to.include({ code: "PLINTH_DATABASE_BROKEN_ANSWER", status: 503 });
      expect(await db.query(sql("select 1 as one"))).to.deep.equal([{ one: 1 }]);
    });

    it("may bring a value that is longer than a text can be: that statement fails with 413", async () => {
      const client = new GuardedClient({ connectionString: network.url });
      client.on("error", () => undefined);
      client.on("notification", () => Buffer.alloc(constants.MAX_STRING_LENGTH + 1).toString("latin1"));
      await client.connect();
      const waiting = failureOf(client.query("select pg_sleep(30)"));
      network.inject(notification("some", ""));
      expect(await waiting).to.include({ code: "PLINTH_DATABASE_ANSWER_TOO_LARGE", status: 413 });
    });

    it("may bring notifications for other processes, as a pooler does that gives sessions to others: nobody minds", async () => {
      const db = await open();
      const heard: string[] = [];
      db.messages.subscribe("some", { onMessage: () => undefined, onLost: () => heard.push("(lost)") });
      while (!db.messages.isListening) await sleep(10);
      heard.length = 0;
      network.inject(notification("plinth_of_another_process", ""));
      await db.query(sql("select 1"));
      await sleep(50);
      expect(heard).to.deep.equal([]);
      expect(db.messages.isListening).to.equal(true);
    });

    it("a statement may take as long as it wants where that was asked for", async () => {
      const db = await open({ statementTimeout: 2_000 });
      await db.transaction(async () => {
        await db.liftTimeLimits();
        await db.query(sql("select pg_sleep(4)"));
      });
      expect(await failureOf(db.query(sql("select pg_sleep(600)")))).to.include({ code: "PLINTH_DATABASE_TIMEOUT" });
    });
  });

  describe("messages of a database", () => {
    it("of somebody else on the same channel end nothing, and what was known is forgotten", async () => {
      const db = await database.connect();
      const heard: string[] = [];
      db.messages.subscribe("one", { onMessage: (text) => heard.push(text), onLost: () => heard.push("(lost)") });
      while (!db.messages.isListening) await sleep(10);
      heard.length = 0;
      for (const payload of ["", "{", "null", "1", '{"from":1}'])
        await db.query(sql("select pg_notify('plinth', $1)", payload));
      while (heard.length < 5) await sleep(10);
      expect(new Set(heard)).to.deep.equal(new Set(["(lost)"]));
    });
  });
});

/** @source https://www.postgresql.org/docs/current/protocol-message-formats.html, NotificationResponse */
function notification(channel: string, payload: string): Buffer {
  const body = Buffer.from(`\0\0\0\x01${channel}\0${payload}\0`);
  const head = Buffer.from([0x41, 0, 0, 0, 0]);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** What a promise rejects with; undefined when it does not. */
function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
