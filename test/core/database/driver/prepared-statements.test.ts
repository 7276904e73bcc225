import { expect } from "chai";
import { connectDatabase, type DatabaseConfig } from "#core/database/driver/connect.js";
import type { Database } from "#core/database/driver/database.js";
import { eachDatabase } from "../../../databases.js";

const plan = (n: number) => ({ text: `select ${n} as plan`, values: [], isPlan: true });

describe("prepared statements", () => {
  eachDatabase(({ config }) => {
    let db: Database;
    beforeEach(async () => {
      db = await connectDatabase(onePoolConfig(config()));
    });
    afterEach(() => db.close());

    const use = async (n: number) => {
      for (let i = 0; i < 2; i++) await db.query(plan(n));
    };
    const prepared = async () => {
      const rows = await db.query<{ statement: string }>({
        text: "select statement from pg_prepared_statements order by statement",
        values: [],
      });
      return rows.map(({ statement }) => statement);
    };

    it("a name that was not used lately goes when a connection has as many as it may", async () => {
      for (const n of [1, 2, 1, 3]) await use(n);
      expect(await prepared()).to.deep.equal([plan(1).text, plan(3).text]);
    });

    it("inside a transaction a name is not taken from another statement", async () => {
      for (const n of [1, 2]) await use(n);
      await db.transaction(() => use(3));
      expect(await prepared()).to.deep.equal([plan(1).text, plan(2).text]);
    });

    it("a session that does not know a name, as behind a pooler, fails nothing: names are turned off, and that is said once", async () => {
      const said: string[] = [];
      const log = { warn: (_details: object, message: string) => said.push(message) };
      const own = await connectDatabase(onePoolConfig(config()), log);
      try {
        const all = async () => [(await own.query(plan(1)))[0], (await own.transaction(() => own.query(plan(2))))[0]];
        await all();
        await all();
        await own.query({ text: "deallocate all", values: [] });
        for (let i = 0; i < 3; i++) expect(await all()).to.deep.equal([{ plan: 1 }, { plan: 2 }]);
        expect(said).to.have.length(1);
        expect(said[0]).to.include("preparedStatements: false");
      } finally {
        await own.close();
      }
    });

    it("a name that is lost to the first statement of a transaction has the transaction run again", async () => {
      await use(1);
      await db.query({ text: "deallocate all", values: [] });
      let runs = 0;
      const [row] = await db.transaction(() => {
        runs += 1;
        return db.query(plan(1));
      });
      expect(row).to.deep.equal({ plan: 1 });
      expect(runs).to.equal(2);
    });

    it("a table that gets a column while a statement of it has a name is read on", async () => {
      const all = { text: "select * from widening", values: [], isPlan: true };
      await db.query({ text: "drop table if exists widening", values: [] });
      await db.query({ text: "create table widening (a integer)", values: [] });
      for (let i = 0; i < 2; i++) await db.query(all);
      await db.query({ text: "alter table widening add column b integer", values: [] });
      expect(await db.query(all)).to.deep.equal([]);
      await use(1);
      expect(await prepared()).to.include(plan(1).text);
    });

    it("two processes never give the same name", async () => {
      const own = await connectDatabase(onePoolConfig(config()));
      const nameOf = async (database: Database) => {
        for (let i = 0; i < 2; i++) await database.query(plan(1));
        const [row] = await database.query({ text: "select name from pg_prepared_statements", values: [] });
        return (row as { name: string }).name;
      };
      const names = [await nameOf(db), await nameOf(own)];
      await own.close();
      expect(names[0]).to.not.equal(names[1]);
    });

    it("a statement that does not parse takes no name from the server, and its place is given on", async () => {
      const broken = { text: "select from from", values: [], isPlan: true };
      for (let i = 0; i < 3; i++)
        await db.query(broken).then(
          () => expect.fail("it parsed"),
          () => undefined,
        );
      for (const n of [1, 2, 3]) await use(n);
      expect(await prepared()).to.deep.equal([plan(2).text, plan(3).text]);
    });
  });
});

/** One connection, with two names at most. */
function onePoolConfig(config: DatabaseConfig): DatabaseConfig {
  return { ...config, preparedStatements: 2, pool: { max: 1 } } as DatabaseConfig;
}
