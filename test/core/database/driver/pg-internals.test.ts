import { expect } from "chai";
import pg from "pg";
import { activeQueryOf, connectionOf, createQuery, prepareValue } from "#core/database/driver/pg-internals.js";
import { eachDatabase } from "../../../databases.js";

eachDatabase((database) => {
  const config = database.config();
  if (config.client !== "postgres") return;
  describe("what our code uses of pg beside its types", () => {
    let client: pg.Client;
    before("connect", async () => {
      client = new pg.Client(config.connection as pg.ClientConfig);
      await client.connect();
    });
    after("end", () => client.end());

    it("is there: a connection with its stream, listeners and names of statements", async () => {
      const connection = connectionOf(client);
      expect(connection.stream.writable).to.equal(true);
      expect(connection.attachListeners).to.be.a("function");
      expect(connection.submittedNamedStatements).to.be.an("object");
      await client.query({ name: "known", text: "select 1", values: [] });
      expect(connection.parsedStatements).to.have.property("known", "select 1");
    });

    it("prepares a statement again once its name is deleted", async () => {
      await client.query({ name: "again", text: "select 2 as two", values: [] });
      delete connectionOf(client).parsedStatements["again"];
      await client.query("deallocate again");
      const { rows } = await client.query({ name: "again", text: "select 2 as two", values: [] });
      expect(rows).to.deep.equal([{ two: 2 }]);
    });

    it("names the query that is under way, and none afterwards", async () => {
      const running = client.query("select 3");
      expect(activeQueryOf(client)).to.be.an("object");
      await running;
      expect(activeQueryOf(client)).to.not.be.an("object");
    });

    it("makes queries with the methods that a batch calls", () => {
      const query = createQuery(client, { text: "select $1::int", values: [1], name: "one" });
      expect(query).to.include({ text: "select $1::int", name: "one" });
      expect(query).to.have.nested.property("_result._types");
      for (const method of [
        "submit",
        "handleRowDescription",
        "handleDataRow",
        "handleCommandComplete",
        "handleReadyForQuery",
      ] as const)
        expect(query[method], method).to.be.a("function");
    });

    it("writes values as the client does", () => {
      expect(prepareValue({ a: 1 })).to.equal('{"a":1}');
      expect(prepareValue([1, 2])).to.equal('{"1","2"}');
      expect(prepareValue(undefined)).to.equal(null);
    });
  });
});
