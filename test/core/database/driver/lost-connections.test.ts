import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { connectDatabase } from "#core/database/driver/connect.js";
import type { Database } from "#core/database/driver/database.js";
import type { PostgresConfig } from "#core/database/driver/config.js";
import { eachDatabase } from "../../../databases.js";

const sql = (text: string, ...values: unknown[]) => ({ text, values });
const read = (text: string) => ({ text, values: [], isPlan: true, isRead: true });
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

eachDatabase((database) => {
  if (database.kind !== "postgres") return;

  describe("a connection that breaks", () => {
    const opened: Database[] = [];
    const open = async (options: Partial<PostgresConfig> = {}) => {
      const db = await connectDatabase({ ...(database.config() as PostgresConfig), ...options });
      opened.push(db);
      return db;
    };
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((db) => db.close()));
    });
    /** Ends the session whose statement is like this, once there is one that was not ended before. @returns its process */
    const endSession = async (db: Database, like: string, before = 0): Promise<number> => {
      const text = `select pid, pg_terminate_backend(pid) from pg_stat_activity
        where query like $1 and state = 'active' and pid not in (pg_backend_pid(), $2) and datname = current_database()`;
      for (;;) {
        const [ended] = await db.query<{ pid: number }>(sql(text, like, before));
        if (ended) return ended.pid;
        await sleep(10);
      }
    };

    it("has a read that is outside of a transaction sent once more, and no more", async () => {
      const [db, other] = [await open(), await open()];
      const answer = db.query<{ one: number }>(read("select 1 as one, pg_sleep(0.4), 'r1'"));
      await endSession(other, "%'r1'");
      expect((await answer)[0]?.one).to.equal(1);
      const twice = failureOf(db.query(read("select pg_sleep(2), 'r2'")));
      await endSession(other, "%'r2'", await endSession(other, "%'r2'"));
      expect(await twice).to.include({ code: "PLINTH_DATABASE_STOPPING", status: 503 });
    });

    it("has nothing else sent again: neither other statements, nor reads of a transaction", async () => {
      const [db, other] = [await open(), await open()];
      await other.query(sql("create table counted (n int)"));
      const write = failureOf(db.query(sql("insert into counted select 1 from pg_sleep(0.5)")));
      await endSession(other, "insert into counted%");
      expect(await write).to.include({ code: "PLINTH_DATABASE_STOPPING" });
      const inside = failureOf(db.transaction(() => db.query(read("select pg_sleep(1), 'r3'"))));
      await endSession(other, "%'r3'");
      expect(await inside).to.include({ code: "PLINTH_DATABASE_STOPPING" });
      expect(await other.query(sql("select 1 from counted"))).to.have.length(0);
    });

    it("while it commits leaves an unknown outcome, which is said so", async () => {
      const [db, other] = [await open(), await open()];
      await other.query(sql("create table slow (n int)"));
      await other.query(
        sql("create function wait() returns trigger language plpgsql as 'begin perform pg_sleep(1); return null; end'"),
      );
      await other.query(
        sql(
          "create constraint trigger w after insert on slow deferrable initially deferred for each row execute function wait()",
        ),
      );
      const insert = sql("insert into slow values (1)");
      const apart = failureOf(db.transaction(() => db.query(insert)));
      await endSession(other, "commit");
      expect(await apart).to.include({ code: "PLINTH_DATABASE_UNKNOWN_OUTCOME", status: 503 });
      const together = failureOf(db.queryAll([insert]));
      await endSession(other, "commit");
      expect(await together).to.include({ code: "PLINTH_DATABASE_UNKNOWN_OUTCOME", status: 503 });
    });

    it("is not looked for in a refused commit: the server has answered", async () => {
      const db = await open();
      await db.query(sql("create table checked (n int unique deferrable initially deferred)"));
      const twice = await failureOf(db.queryAll([sql("insert into checked values (1), (1)")]));
      expect(twice).to.include({ code: "23505" });
    });

    it("has the pool replace what is over its lifetime", async () => {
      const db = await open({ pool: { max: 1, maxLifetime: 60 } });
      const pid = async () => (await db.query<{ pid: number }>(sql("select pg_backend_pid() as pid")))[0]?.pid;
      const first = await pid();
      expect(await pid()).to.equal(first);
      await sleep(80);
      expect(await pid()).not.to.equal(first);
    });
  });
});
