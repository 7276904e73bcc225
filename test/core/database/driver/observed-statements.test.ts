import { expect } from "chai";
import { channels, type DatabaseMessage, type PoolMessage } from "#core/base/telemetry.js";
import type { Database } from "#core/database/driver/database.js";
import { eachDatabase } from "../../../databases.js";
import { listenTo } from "../../base/listen.js";

const sql = (text: string, ...values: unknown[]) => ({ text, values });

const codeOf = (message: DatabaseMessage | undefined) =>
  (message?.error as { readonly code?: string } | undefined)?.code;

const fails = (work: Promise<unknown>) =>
  work.then(
    () => false,
    () => true,
  );

describe("what a database tells of its statements", () => {
  eachDatabase(({ connect }) => {
    let db: Database;
    const heard = listenTo({ started: channels.db.start, ended: channels.db.end, pool: channels.pool });
    const ended = () => (heard.ended as DatabaseMessage[]).filter(({ pool }) => pool === db.knex);
    const kinds = () => ended().map(({ kind, text, statements }) => [kind, text, statements]);

    before(async () => {
      db = await connect();
      await db.query(sql("create table things (n integer unique)"));
    });
    afterEach(() => db.query(sql("delete from things")));

    it("is nothing where nobody listens", async () => {
      heard.stop();
      await db.query(sql("select 1 as one"));
      expect(heard.ended).to.deep.equal([]);
    });

    it("names each trip by its kind, with the time it took and the rows that came back", async () => {
      await db.query(sql("create table others (n integer)"));
      await db.query({ ...sql("with n as (select 1) select generate_series(1, 3) from n"), isRead: true });
      await db.query(sql("insert into things values (1)"));
      await db.query(sql("drop table others"));
      expect(kinds()).to.deep.equal([
        ["schema", "create table others (n integer)", 1],
        ["read", "with n as (select 1) select generate_series(1, 3) from n", 1],
        ["write", "insert into things values (1)", 1],
        ["schema", "drop table others", 1],
      ]);
      const [, read] = ended();
      expect(read?.rows).to.equal(3);
      expect(read?.duration).to.be.greaterThan(0);
      expect(read?.waited).to.be.at.least(0);
      expect(heard.started).to.deep.equal(heard.ended);
    });

    it("is one message for a batch, and one with the reason where it fails", async () => {
      await db.queryAll([sql("insert into things values (1)"), sql("insert into things values (2)")]);
      expect(await fails(db.query(sql("insert into things values (1)")))).to.equal(true);
      const [batch, failed] = ended();
      expect([batch?.kind, batch?.text]).to.deep.equal(["batch", "insert into things values (1)"]);
      expect(batch?.statements).to.be.at.least(3);
      expect(codeOf(failed)).to.equal("23505");
    });

    it("is told of a read with a time limit as a read", async () => {
      await db.query({ ...sql("select 1 as one"), isRead: true, time: 1000 });
      expect(kinds()).to.deep.equal([["read", "select 1 as one", 4]]);
    });

    it("is told of statements of knex, in transactions too", async () => {
      await db.builder()("things").insert({ n: 5 });
      await db.transaction(async () => {
        expect(await db.builder()("things").select("n")).to.deep.equal([{ n: 5 }]);
      });
      expect(await fails(Promise.resolve(db.builder()("nowhere").select("n")))).to.equal(true);
      const own = ended().filter(({ text }) => /things|nowhere/.test(text));
      expect(own.map(({ kind, rows }) => [kind, rows])).to.deep.equal([
        ["write", 0],
        ["read", 1],
        ["read", 0],
      ]);
      expect(codeOf(own[2])).to.equal("42P01");
    });

    it("says how long each caller waited for a connection, and how many there are", async () => {
      await Promise.all([1, 2, 3].map(() => db.query(sql("select 1 as one"))));
      const waits = (heard.pool as PoolMessage[]).filter(({ pool }) => pool === db.knex);
      expect(waits.length).to.equal(3);
      for (const { waited, error } of waits) expect([waited >= 0, error]).to.deep.equal([true, undefined]);
      expect(db.pool.used).to.equal(0);
      expect(db.pool.idle).to.be.at.least(1);
      expect(db.pool.waiting).to.equal(0);
      await db.transaction(async () => {
        await db.query(sql("select 1 as one"));
        expect(db.pool.used).to.equal(1);
      });
    });
  });
});
