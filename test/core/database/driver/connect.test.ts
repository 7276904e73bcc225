import { EventEmitter, once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { connectDatabase } from "#core/database/driver/connect.js";
import type { Database } from "#core/database/driver/database.js";
import { eachDatabase } from "../../../databases.js";

const sql = (text: string, ...values: unknown[]) => ({ text, values });

describe("database connection", () => {
  eachDatabase(({ kind, connect, config }) => {
    let db: Database;
    const insert = (n: number) => db.query(sql("insert into numbers values ($1)", n));
    const numbers = async () =>
      (await db.query<{ n: number }>(sql("select n from numbers order by n"))).map(({ n }) => n);

    before(async () => {
      db = await connect();
      await db.query(sql("create table numbers (n integer unique)"));
    });
    beforeEach(() => db.query(sql("delete from numbers")));

    it("every session runs in UTC, prints ISO dates and keeps generic plans", async () => {
      const setting = (name: string) => `current_setting('${name}')`;
      const [row] = await db.query(
        sql(`select ${setting("timezone")} zone, ${setting("datestyle")} style, ${setting("plan_cache_mode")} plan`),
      );
      expect(row).to.deep.equal({ zone: "UTC", style: "ISO, YMD", plan: "force_generic_plan" });
    });

    it("dates, times, bigints and decimals are texts, instants are dates, jsonb is parsed", async () => {
      const [row] = await db.query(
        sql(
          "select '2024-02-29'::date d, '10:00:00'::time t, 9007199254740993::int8 b, 1.50::numeric n, to_timestamp(0) i, '{\"a\":[1]}'::jsonb j",
        ),
      );
      expect(row).to.deep.equal({
        d: "2024-02-29",
        t: "10:00:00",
        b: "9007199254740993",
        n: "1.50",
        i: new Date(0),
        j: { a: [1] },
      });
    });

    it("an error of a statement keeps its SQLSTATE", async () => {
      await insert(1);
      expect(await failureOf(insert(1))).to.have.property("code", "23505");
    });

    it("a transaction whose work throws leaves nothing behind", async () => {
      const failure = await failureOf(
        db.transaction(async () => {
          await insert(1);
          throw new RangeError("stop");
        }),
      );
      expect(failure).to.be.instanceOf(RangeError);
      expect(await numbers()).to.deep.equal([]);
    });

    it("a caught error of an inner transaction leaves the outer one whole", async () => {
      await db.transaction(async () => {
        await insert(1);
        expect(await failureOf(db.transaction(() => insert(1)))).to.have.property("code", "23505");
        await insert(2);
      });
      expect(await numbers()).to.deep.equal([1, 2]);
    });

    it("inner transactions that run at once each keep or lose their own work only", async () => {
      await db.transaction(async () => {
        await insert(1);
        await Promise.allSettled([2, 1, 3, 1, 4].map((n) => db.transaction(() => insert(n))));
      });
      expect(await numbers()).to.deep.equal([1, 2, 3, 4]);
    });

    it("a failed statement whose error was caught is reported instead of a commit that keeps nothing", async () => {
      const failure = await failureOf(
        db.transaction(async () => {
          await insert(1);
          await failureOf(insert(1));
        }),
      );
      expect(failure).to.include({ code: "PLINTH_DATABASE_TRANSACTION_ABORTED" });
      expect(await numbers()).to.deep.equal([]);
    });

    it("knex statements by builder() join the transaction of their context", async () => {
      await failureOf(
        db.transaction(async () => {
          await db.builder()("numbers").insert({ n: 7 });
          expect(await numbers()).to.deep.equal([7]);
          throw new RangeError("stop");
        }),
      );
      expect(await numbers()).to.deep.equal([]);
    });

    it("a serialisation failure runs the work again, as often as asked", async () => {
      let runs = 0;
      const fail = () =>
        db.transaction(
          async () => {
            runs += 1;
            await insert(runs);
            if (runs < 3) await db.query(sql("do $$ begin raise exception 'again' using errcode = '40001'; end $$"));
          },
          { retries: 2 },
        );
      await fail();
      expect(runs).to.equal(3);
      expect(await numbers()).to.deep.equal([3]);
      runs = -9;
      expect(await failureOf(fail())).to.have.property("code", "PLINTH_DATABASE_CONTENTION");
      expect(runs).to.equal(-6);
    });

    it("statements that are asked for together run in their order, and all or none of them", async () => {
      const add = (n: number) => ({ text: "insert into numbers values ($1) returning n", values: [n], isPlan: true });
      const count = sql("select count(*)::int4 as count from numbers");
      expect(await db.queryAll([add(1), count, add(2)])).to.deep.equal([[{ n: 1 }], [{ count: 1 }], [{ n: 2 }]]);
      expect(await failureOf(db.queryAll([add(3), add(1), add(4)]))).to.have.property("code", "23505");
      expect(await numbers()).to.deep.equal([1, 2]);
      expect(await db.queryAll([add(4), add(5)])).to.deep.equal([[{ n: 4 }], [{ n: 5 }]]);
    });

    it("a value that cannot be sent ends those that are asked for together: nothing of them is written or committed", async () => {
      const add = (n: unknown) => ({ text: "insert into numbers values ($1)", values: [n], isPlan: true });
      const unsendable = {
        toPostgres: () => {
          throw new Error("no such number");
        },
      };
      const failure = await failureOf(
        db.transaction(() => db.queryAll([add(1), add(unsendable), add(2)], { ends: true })),
      );
      expect(failure).to.have.property("message", "no such number");
      expect(await numbers()).to.deep.equal([]);
      expect(await db.queryAll([add(3), add(4)])).to.have.length(2);
      expect(await numbers()).to.deep.equal([3, 4]);
    });

    it("a value that cannot be sent is found before anything is: the transaction it was meant for goes on", async () => {
      const add = (n: unknown) => ({ text: "insert into numbers values ($1) returning n", values: [n], isPlan: true });
      const circular: Record<string, unknown> = {};
      circular.self = circular;
      for (let round = 0; round < 3; round++) {
        expect(await failureOf(db.query(add(circular))))
          .to.have.property("message")
          .that.includes("circular");
        await db.transaction(async () => {
          expect(await failureOf(db.transaction(() => db.query(add(circular))))).to.be.instanceOf(TypeError);
          await db.query(add(round));
        });
      }
      expect(await numbers()).to.deep.equal([0, 1, 2]);
    });

    it("statements that are asked for together can end their transaction", async () => {
      const told: number[] = [];
      await db.transaction(async () => {
        db.afterCommit(() => told.push(db.statementCount));
        await insert(1);
        await db.transaction(() => db.queryAll([sql("insert into numbers values (2)")], { ends: true }));
        expect(db.isInTransaction).to.equal(true);
        await db.queryAll([sql("insert into numbers values (3)")], { ends: true });
        expect(db.isInTransaction).to.equal(false);
        expect(told).to.deep.equal([]);
      });
      expect(told).to.have.length(1);
      expect(await numbers()).to.deep.equal([1, 2, 3]);
    });

    it("nothing is kept when one of the statements that end a transaction fails, even if that error is caught", async () => {
      const failure = await failureOf(
        db.transaction(async () => {
          await insert(1);
          await failureOf(db.queryAll([sql("insert into numbers values (2)"), sql("select 1 / 0")], { ends: true }));
        }),
      );
      expect(failure).to.include({ code: "PLINTH_DATABASE_TRANSACTION_ABORTED" });
      expect(await numbers()).to.deep.equal([]);
    });

    it("a statement of the process itself, such as its heartbeat, is not counted", async () => {
      const start = db.statementCount;
      await db.query({ text: "select 1", values: [], isUpkeep: true });
      expect(db.statementCount).to.equal(start);
      await db.query({ text: "select 1", values: [] });
      expect(db.statementCount).to.equal(start + 1);
    });

    it("a transaction that asks for nothing costs nothing", async () => {
      const start = db.statementCount;
      await db.transaction(() => db.transaction(async () => undefined));
      expect(db.statementCount).to.equal(start);
    });

    it("a savepoint that is over is released with the next statement, or by what is around it", async () => {
      const start = db.statementCount;
      await db.transaction(async () => {
        await db.transaction(async () => void (await numbers()));
        await failureOf(
          db.transaction(async () => {
            await db.transaction(async () => void (await db.builder()("numbers").insert({ n: 9 })));
            throw new RangeError("stop");
          }),
        );
        await db.transaction(async () => void (await numbers()));
        expect(await numbers()).to.deep.equal([]);
        await db.transaction(() => db.transaction(async () => void (await numbers())));
      });
      // Waiting for each release takes 4 more: two that come with another statement, and two that the commit makes needless.
      expect(db.statementCount - start).to.equal(14);
    });

    it("a knex statement that is the first of a savepoint is undone with it", async () => {
      await db.transaction(async () => {
        await failureOf(
          db.transaction(async () => {
            await db.builder()("numbers").insert({ n: 7 });
            await db.builder().transaction(async (inner) => void (await inner("numbers").insert({ n: 8 })));
            expect(await numbers()).to.deep.equal([7, 8]);
            throw new RangeError("stop");
          }),
        );
        expect(await numbers()).to.deep.equal([]);
      });
    });

    it("tasks for after the commit run once, when the outermost transaction is committed", async () => {
      const told: string[] = [];
      await db.transaction(async () => {
        await db.transaction(async () => db.afterCommit(() => told.push(`inner, ${db.isInTransaction}`)));
        await failureOf(
          db.transaction(async () => {
            db.afterCommit(() => told.push("lost"));
            throw new RangeError("stop");
          }),
        );
        expect(told).to.deep.equal([]);
      });
      expect(told).to.deep.equal(["inner, false"]);
      db.afterCommit(() => told.push("at once"));
      expect(told).to.have.length(2);
    });

    it("work that outlives its transaction is outside of it", async () => {
      let later: Promise<unknown> | undefined;
      const gate = new EventEmitter();
      const opened = once(gate, "open");
      await db.transaction(async () => {
        await insert(1);
        later = opened.then(() => insert(2));
      });
      expect(db.isInTransaction).to.equal(false);
      gate.emit("open");
      await later;
      expect(await numbers()).to.deep.equal([1, 2]);
    });

    it("transactions that begin after a time without any, or from work that outlived one, are whole again", async () => {
      let later: Promise<unknown> | undefined;
      const gate = new EventEmitter();
      const opened = once(gate, "open");
      const kept = (number: number) =>
        db.transaction(async () => {
          await insert(number);
          await pause(5);
          expect(db.isInTransaction).to.equal(true);
          await insert(number + 1);
        });
      const lost = (number: number) =>
        db.transaction(async () => {
          await insert(number);
          await pause(1);
          await insert(number + 1);
          throw new Error("changed my mind");
        });
      await db.transaction(async () => {
        await insert(1);
        later = opened.then(() => Promise.allSettled([kept(10), lost(20)]));
      });
      const idle = await Promise.allSettled([lost(30), kept(40)]);
      gate.emit("open");
      await later;
      expect(idle.map(({ status }) => status)).to.deep.equal(["rejected", "fulfilled"]);
      expect(db.isInTransaction).to.equal(false);
      expect(await numbers()).to.deep.equal([1, 10, 11, 40, 41]);
    });

    it("a plan gets a name on its second use, other statements never", async () => {
      const own = await connect();
      const names = async () =>
        (await own.query<{ statement: string }>(sql("select statement from pg_prepared_statements"))).map(
          ({ statement }) => statement,
        );
      const plan = { text: "select $1::int4 as plan", values: [1], isPlan: true };
      await own.query(plan);
      expect(await names()).to.deep.equal([]);
      await own.query(plan);
      await own.query({ ...plan, values: [2] });
      await own.query(sql("select $1::int4 as other", 1));
      await own.query(sql("select $1::int4 as other", 1));
      expect(await names()).to.deep.equal([plan.text]);
    });

    it("statements are counted, whoever runs them", async () => {
      const start = db.statementCount;
      await db.query(sql("select 1"));
      await db.knex.raw("select 1");
      expect(db.statementCount - start).to.equal(2);
    });

    it("work after a commit that fails is logged, the other work is done, and the transaction has succeeded", async () => {
      const logged: string[] = [];
      const own = await connectDatabase(config(), { warn: (_, message) => logged.push(message) });
      const done: string[] = [];
      const result = await own.transaction(async () => {
        own.afterCommit(() => {
          throw new Error("at once");
        });
        own.afterCommit(async () => {
          throw new Error("later");
        });
        own.afterCommit(() => done.push("other"));
        return "committed";
      });
      await new Promise(setImmediate);
      await own.close();
      expect([result, ...done]).to.deep.equal(["committed", "other"]);
      expect(logged).to.deep.equal(Array(2).fill("Work that waited for a commit failed. What was committed stays"));
    });

    if (kind === "pglite") {
      it("work that holds up its own transaction is told so, instead of waiting for ever", async () => {
        const own = await connect({ acquireTimeout: 2_000 });
        const gate = new EventEmitter();
        const outside = once(gate, "open").then(() => own.query(sql("select 1")));
        const failure = await failureOf(
          own.transaction(async () => {
            gate.emit("open");
            await outside;
          }),
        );
        expect(failure).to.include({ code: "PLINTH_DATABASE_BUSY", status: 503 });
        expect(failure).to.have.property("message").that.includes("one connection");
      });
    } else {
      it("a statement that runs too long is stopped with a 503", async () => {
        const own = await connect({ statementTimeout: 2_000 });
        expect(await failureOf(own.query(sql("select pg_sleep(600)")))).to.include({
          code: "PLINTH_DATABASE_TIMEOUT",
          status: 503,
        });
      });

      it("a pool without names runs plans unnamed", async () => {
        const own = await connect({ preparedStatements: false });
        for (let i = 0; i < 3; i++) await own.query({ text: "select 1 as plan", values: [], isPlan: true });
        expect(await own.query(sql("select name from pg_prepared_statements"))).to.deep.equal([]);
      });

      it("of two transactions that wait for each other, one runs again and both succeed", async () => {
        await insert(1);
        await insert(2);
        const touch = (n: number) => db.query(sql("update numbers set n = n where n = $1", n));
        let arrived = 0;
        const both = (first: number, second: number) =>
          db.transaction(async () => {
            await touch(first);
            arrived += 1;
            while (arrived < 2) await new Promise((resolve) => setTimeout(resolve, 5));
            await touch(second);
          });
        await Promise.all([both(1, 2), both(2, 1)]);
        expect(arrived).to.be.greaterThan(2);
      });
    }
  });

  it("a server that does not answer is named, without the password", async () => {
    const failure = await failureOf(
      connectDatabase({ client: "postgres", connection: "postgres://ann:secret@127.0.0.1:1/blog" }),
    );
    expect(failure).to.include({ code: "PLINTH_DATABASE_UNREACHABLE", status: 503 });
    expect(failure).to.have.property("message").that.includes("127.0.0.1:1/blog").and.does.not.include("secret");
  });
});

/** What a promise rejects with; undefined when it does not. */
function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
