import { expect } from "chai";
import type { Database } from "../../../../core/src/database/database.js";
import { runWrite } from "../../../../core/src/documents/write/run-write.js";
import { eachDatabase } from "../../../databases.js";

describe("a write that others are quicker than", () => {
  eachDatabase((database) => {
    let db: Database;

    before("make a table with one name", async () => {
      db = await database.connect();
      await db.query({ text: "create table names (name text unique)", values: [] });
      await db.query({ text: "insert into names values ('taken')", values: [] });
    });

    const insert = (name: string) => db.query({ text: "insert into names values ($1)", values: [name] });

    it("runs again, and comes through when the value is free", async () => {
      const names = ["taken", "taken", "free"];
      await runWrite(db, "api::note.note", () => insert(names.shift() ?? ""));
      expect(names).to.deep.equal([]);
      expect(await db.query({ text: "select name from names order by name", values: [] })).to.deep.equal([
        { name: "free" },
        { name: "taken" },
      ]);
    });

    it("gives up in the end and asks to send it again (PLINTH_DOCUMENT_CONFLICT, 409)", async () => {
      const failure = await runWrite(db, "api::note.note", () => insert("taken")).catch((error: unknown) => error);
      expect(failure).to.include({ code: "PLINTH_DOCUMENT_CONFLICT", status: 409 });
    });

    it("passes any other failure on at once", async () => {
      let runs = 0;
      const work = async () => {
        runs += 1;
        throw new RangeError("too far");
      };
      expect(await runWrite(db, "api::note.note", work).catch((error: unknown) => error)).to.be.instanceOf(RangeError);
      expect(runs).to.equal(1);
    });
  });
});
