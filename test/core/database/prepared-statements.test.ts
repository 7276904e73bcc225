import { expect } from "chai";
import { connectDatabase } from "../../../core/src/database/connect.js";
import type { Database } from "../../../core/src/database/database.js";
import { eachDatabase } from "../../databases.js";

const plan = (n: number) => ({ text: `select ${n} as plan`, values: [], isPlan: true });

describe("prepared statements", () => {
  eachDatabase(({ config }) => {
    let db: Database;
    beforeEach(async () => {
      db = await connectDatabase({ ...config(), preparedStatements: 2, pool: { max: 1 } } as Parameters<
        typeof connectDatabase
      >[0]);
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
