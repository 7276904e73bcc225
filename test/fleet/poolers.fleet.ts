import { expect } from "chai";
import pg from "pg";
import { serverDatabase } from "../databases.js";
import { type Pooler, startPooler } from "./pgbouncer.js";

const database = serverDatabase();
if (!database) throw new Error("These tests need a server: npm run test:fleet starts one.");

describe("a pgbouncer of a test", () => {
  let pooler: Pooler;
  before(async () => {
    pooler = await startPooler({ to: (database.config() as { connection: string }).connection });
  });
  after(() => pooler.close());

  it("serves the database of a suite, takes commands, and comes back after a restart", async () => {
    const one = async () => {
      const client = new pg.Client({ connectionString: pooler.url() });
      await client.connect();
      const { rows } = await client.query<{ one: number }>("select 1 as one");
      await client.end();
      return rows;
    };
    expect(await one()).to.deep.equal([{ one: 1 }]);
    await pooler.command("RECONNECT");
    await pooler.restart();
    expect(await one()).to.deep.equal([{ one: 1 }]);
  });
});
