import { expect } from "chai";
import createKnex, { type Knex } from "knex";
import pg from "pg";
import {
  acquireConnection,
  bindKnex,
  disposeConnection,
  hookConnections,
  releaseConnection,
} from "#core/database/driver/knex-internals.js";
import { eachDatabase } from "../../../databases.js";

class OwnClient extends pg.Client {
  isUsable = true;
}

const silent = () => undefined;

eachDatabase((database) => {
  const config = database.config();
  if (config.client !== "postgres") return;
  describe("what our code uses of knex beside its documentation", () => {
    let knex: Knex;
    let seen: string[];
    beforeEach("make a pool of one connection", () => {
      seen = [];
      knex = createKnex({
        client: "pg",
        connection: config.connection as string,
        pool: { min: 0, max: 1 },
        log: { warn: silent, error: silent, deprecate: silent, debug: silent },
      });
      hookConnections<OwnClient>(knex, {
        Client: OwnClient,
        taken: (connection) => {
          seen.push("taken");
          return connection.isUsable;
        },
        released: () => seen.push("released"),
        close: async (connection) => {
          seen.push("closed");
          await connection.end();
        },
      });
    });
    afterEach("close it", () => knex.destroy());

    it("makes connections of a class of ours, and says when one is taken, released and closed", async () => {
      const connection = await acquireConnection(knex);
      expect(connection).to.be.an.instanceOf(OwnClient);
      await releaseConnection(knex, connection);
      expect((await knex.raw("select 1 as one")).rows).to.deep.equal([{ one: 1 }]);
      expect(seen).to.deep.equal(["taken", "released", "taken", "released"]);
      await knex.destroy();
      expect(seen.at(-1)).to.equal("closed");
    });

    it("closes a connection that may not be used, and makes another", async () => {
      const first = (await acquireConnection(knex)) as OwnClient;
      await releaseConnection(knex, first);
      first.isUsable = false;
      const second = await acquireConnection(knex);
      await releaseConnection(knex, second);
      expect(second).to.not.equal(first);
      expect(seen).to.include("closed");
    });

    it("does not hand out a connection that was disposed", async () => {
      const first = await acquireConnection(knex);
      disposeConnection(first, new Error("of no use any more"));
      await releaseConnection(knex, first);
      const second = await acquireConnection(knex);
      await releaseConnection(knex, second);
      expect(second).to.not.equal(first);
    });

    it("runs statements on the connection of a transaction, and a transaction inside as a savepoint", async () => {
      const connection = await acquireConnection(knex);
      await connection.query("begin");
      const bound = bindKnex(knex, async () => connection);
      await bound.schema.createTable("of_the_transaction", (table) => table.text("name"));
      await bound("of_the_transaction").insert({ name: "outside" });
      const inner = bound.transaction(async (transaction) => {
        await transaction("of_the_transaction").insert({ name: "inside" });
        throw new Error("the savepoint is undone");
      });
      expect(await inner.catch((error: Error) => error.message)).to.equal("the savepoint is undone");
      expect(await bound("of_the_transaction").select("name")).to.deep.equal([{ name: "outside" }]);
      await connection.query("rollback");
      expect((await connection.query("select to_regclass('of_the_transaction') as found")).rows).to.deep.equal([
        { found: null },
      ]);
      expect(seen).to.deep.equal(["taken"]);
      await releaseConnection(knex, connection);
    });
  });
});
