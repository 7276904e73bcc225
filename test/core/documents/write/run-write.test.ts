import { expect } from "chai";
import type { Database } from "#core/database/driver/database.js";
import { runWrite } from "#core/documents/write/run-write.js";
import { eachDatabase } from "../../../databases.js";

describe("a write that others are quicker than", () => {
  eachDatabase((database) => {
    let db: Database;

    before("make a table with one name", async () => {
      db = await database.connect();
      await db.query({ text: "create table names (name text unique)", values: [] });
      await db.query({ text: "insert into names values ('taken')", values: [] });
    });

    /** The name PostgreSQL gives the index of a unique column. */
    const runner = () => ({ db, indexes: new Set(["names_name_key"]) });
    const insert = (name: string) => db.query({ text: "insert into names values ($1)", values: [name] });

    it("runs again, and comes through when the value is free", async () => {
      const names = ["taken", "taken", "free"];
      await runWrite(runner(), "api::note.note", () => insert(names.shift() ?? ""));
      expect(names).to.deep.equal([]);
      expect(await db.query({ text: "select name from names order by name", values: [] })).to.deep.equal([
        { name: "free" },
        { name: "taken" },
      ]);
    });

    it("gives up in the end and asks to send it again (PLINTH_DOCUMENT_CONFLICT, 409)", async () => {
      const failure = await runWrite(runner(), "api::note.note", () => insert("taken")).catch(
        (error: unknown) => error,
      );
      expect(failure).to.include({ code: "PLINTH_DOCUMENT_CONFLICT", status: 409 });
    });

    it("does not wait for an index that the content model did not ask for (PLINTH_DOCUMENT_FOREIGN_INDEX, 400)", async () => {
      const work = runWrite({ db, indexes: new Set() }, "api::note.note", () => insert("taken"));
      const failure = (await work.catch((error: unknown) => error)) as {
        code: string;
        status: number;
        message: string;
      };
      expect(failure).to.include({ code: "PLINTH_DOCUMENT_FOREIGN_INDEX", status: 400 });
      expect(failure.message).to.contain("names_name_key");
    });

    it("nor for one whose name looks as if Citus had shortened it", async () => {
      await db.query({ text: "create unique index names_20240101 on names (name)", values: [] });
      try {
        await insert("once");
        await db.query({ text: "alter table names drop constraint names_name_key", values: [] });
        const work = runWrite({ db, indexes: new Set(["names_name_unique"]) }, "api::note.note", () => insert("once"));
        expect(await work.catch((error: unknown) => error)).to.include({ code: "PLINTH_DOCUMENT_FOREIGN_INDEX" });
      } finally {
        await db.query({ text: "alter table names add constraint names_name_key unique (name)", values: [] });
        await db.query({ text: "drop index names_20240101", values: [] });
      }
    });

    it("passes any other failure on at once", async () => {
      let runs = 0;
      const work = async () => {
        runs += 1;
        throw new RangeError("too far");
      };
      expect(await runWrite(runner(), "api::note.note", work).catch((error: unknown) => error)).to.be.instanceOf(
        RangeError,
      );
      expect(runs).to.equal(1);
    });
  });
});
