import { expect } from "chai";
import { createPlinth, type PlinthApp } from "@plinth/core";
import type { Database } from "#core/database/driver/database.js";
import { eachDatabase } from "../../../databases.js";
import { loadFleet, send } from "../../../durability/fleet.js";

const sql = (text: string, ...values: unknown[]) => ({ text, values });

/** What a client is told when the server answers with a SQLSTATE. */
const CODES: Readonly<Record<string, readonly [code: string, status: number]>> = {
  "08006": ["PLINTH_DATABASE_UNREACHABLE", 503],
  "25006": ["PLINTH_DATABASE_READ_ONLY", 503],
  "25P03": ["PLINTH_DATABASE_TRANSACTION_TIMEOUT", 503],
  "25P04": ["PLINTH_DATABASE_TRANSACTION_TIMEOUT", 503],
  "28P01": ["PLINTH_DATABASE_UNREACHABLE", 503],
  "40001": ["PLINTH_DATABASE_CONTENTION", 409],
  "40P01": ["PLINTH_DATABASE_CONTENTION", 409],
  "53100": ["PLINTH_DATABASE_FULL", 503],
  "53200": ["PLINTH_DATABASE_FULL", 503],
  "53300": ["PLINTH_DATABASE_TOO_MANY_CONNECTIONS", 503],
  "55000": ["PLINTH_DATABASE_WRONG_STATE", 503],
  "55006": ["PLINTH_DATABASE_IN_USE", 409],
  "55P02": ["PLINTH_DATABASE_WRONG_STATE", 503],
  "55P03": ["PLINTH_DATABASE_LOCK_TIMEOUT", 503],
  "57014": ["PLINTH_DATABASE_TIMEOUT", 503],
  "57P01": ["PLINTH_DATABASE_STOPPING", 503],
  "57P02": ["PLINTH_DATABASE_STOPPING", 503],
  "57P03": ["PLINTH_DATABASE_STARTING", 503],
  "57P04": ["PLINTH_DATABASE_DROPPED", 503],
  "57P05": ["PLINTH_DATABASE_SESSION_ENDED", 503],
  "58030": ["PLINTH_DATABASE_DAMAGED", 503],
  XX001: ["PLINTH_DATABASE_DAMAGED", 503],
};

describe("faults of a database", () => {
  eachDatabase((database) => {
    let db: Database;
    before(async () => {
      db = await database.connect();
    });

    for (const [state, [code, status]] of Object.entries(CODES)) {
      it(`${state} is ${code}, with status ${status}`, async () => {
        const raise = sql(`do $$ begin raise exception 'as it happens' using errcode = '${state}'; end $$`);
        expect(await failureOf(db.query(raise))).to.include({ code, status });
      });
    }

    it("a name that a statement of somebody else misspells stays that statement's error", async () => {
      expect(await failureOf(db.query(sql("select nothing from nowhere")))).to.have.property("code", "42P01");
    });

    if (database.kind !== "postgres") return;

    it("a library that the server cannot load damages nothing, and says to restart it", async () => {
      const failure = await failureOf(db.query(sql("load '/plinth/of-another-version.so'")));
      expect(failure).to.include({ code: "PLINTH_DATABASE_LIBRARY", status: 503 });
      expect(failure)
        .to.have.property("message")
        .that.includes("of-another-version.so")
        .and.includes("Restart PostgreSQL");
    });

    it("a statement that waits for a lock longer than it may is answered with 503 and changes nothing", async () => {
      const other = await database.connect();
      await db.query(sql("create table held (n integer)"));
      await db.query(sql("insert into held values (1)"));
      await db.transaction(async () => {
        await db.query(sql("update held set n = 2"));
        const waiting = other.transaction(async () => {
          await other.query(sql("set local lock_timeout = 50"));
          await other.query(sql("update held set n = 3"));
        });
        expect(await failureOf(waiting)).to.include({ code: "PLINTH_DATABASE_LOCK_TIMEOUT", status: 503 });
      });
      expect(await db.query(sql("select n from held"))).to.deep.equal([{ n: 2 }]);
    });
  });
});

describe("tables that a newer version of an app has changed", () => {
  eachDatabase((database) => {
    let plinth: PlinthApp;
    let url: string;
    before(async () => {
      plinth = createPlinth(await loadFleet(database.config()));
      url = (await plinth.start()) ?? "";
    });
    after(() => plinth.stop());

    it("are a 503 with a code to the process that still runs the old one, for reads and writes", async () => {
      expect(await send(url, "POST", "/api/cars", { plate: "B 1" })).to.have.property("status", 201);
      await plinth.app.db.knex.raw("alter table cars rename column plate to number");
      for (const answer of [
        await send(url, "GET", "/api/cars"),
        await send(url, "POST", "/api/cars", { plate: "B 2" }),
      ]) {
        expect(answer).to.have.property("status", 503);
        expect(answer.body.error).to.include({ code: "PLINTH_DATABASE_TABLES_CHANGED" });
      }
      await plinth.app.db.knex.raw("alter table cars rename column number to plate");
      expect(await send(url, "GET", "/api/cars")).to.have.property("status", 200);
    });
  });
});

/** What a promise rejects with; undefined when it does not. */
function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
