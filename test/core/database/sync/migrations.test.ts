import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { listMigrations } from "#core/app/app-database.js";
import type { Database } from "#core/database/driver/database.js";
import { MigrationFailedError } from "#core/database/errors.js";
import { type MigrationMoment, runMigrations } from "#core/database/sync/migrations.js";
import { eachDatabase } from "../../../databases.js";
import { failureOf, synced } from "./synced.js";

const up = (statement: string) =>
  `export const up = (knex) => knex.raw(${JSON.stringify(statement)});\nexport const down = async () => {};\n`;

describe("user migrations", () => {
  eachDatabase(({ kind, connect }) => {
    let db: Database;
    let directory: string;
    const { rows, sync, clear } = synced(() => db);
    const write = (name: string, text: string) => writeFile(join(directory, name), text);
    const migrate = async (one: Database, moment: MigrationMoment = "after") =>
      runMigrations(one, await listMigrations(directory), moment);
    const values = async () => (await rows("select v from log order by n")).map(({ v }) => v);

    before(async () => {
      db = await connect();
    });
    beforeEach(async () => {
      await clear();
      await rows("create table log (n serial, v text)");
      directory = await mkdtemp(join(tmpdir(), "plinth-migrations-"));
    });
    afterEach(() => rm(directory, { recursive: true }));

    it("each runs once, in the order of the names", async () => {
      await write("002-second.mjs", up("insert into log (v) values ('second')"));
      await write(
        "001-first.ts",
        `import type { Knex } from "knex";\nexport const up = (knex: Knex) => knex("log").insert({ v: "first" });\nexport const down = async () => {};\n`,
      );
      await write("notes.md", "not a migration");
      expect(await migrate(db)).to.deep.equal(["001-first", "002-second"]);
      await write("003-third.mjs", up("insert into log (v) values ('third')"));
      expect(await migrate(db)).to.deep.equal(["003-third"]);
      expect(await migrate(db)).to.deep.equal([]);
      expect(await values()).to.deep.equal(["first", "second", "third"]);
    });

    it("an empty directory costs nothing", async () => {
      const count = db.statementCount;
      expect(await migrate(db)).to.deep.equal([]);
      expect(db.statementCount).to.equal(count);
    });

    it("a failing one is rolled back and named; those before it stay", async () => {
      await write("001-good.mjs", up("insert into log (v) values ('good')"));
      await write("002-bad.mjs", up("insert into log (v) values ('half'); insert into nowhere values (1)"));
      const failure = await failureOf(migrate(db));
      expect(failure).to.satisfy(MigrationFailedError.is);
      expect(failure).to.have.property("message").that.includes("002-bad.mjs").and.includes("nowhere");
      expect(await values()).to.deep.equal(["good"]);
      await write("002-bad.mjs", "");
      await rm(join(directory, "002-bad.mjs"));
      await write("002-better.mjs", up("insert into log (v) values ('better')"));
      expect(await migrate(db)).to.deep.equal(["002-better"]);
    });

    it("a file that ran and is gone stops the start", async () => {
      await write("001-good.mjs", up("select 1"));
      await write("002-also.mjs", up("select 1"));
      await migrate(db);
      await rm(join(directory, "001-good.mjs"));
      const failure = await failureOf(migrate(db));
      expect(failure).to.satisfy(MigrationFailedError.is);
      expect(failure).to.have.property("message").that.includes("001-good");
    });

    it("on a database with tables, before() runs before they change and up() afterwards, each once", async () => {
      await sync([]);
      const both = `export const before = (knex) => knex("log").insert({ v: "before" });\nexport const up = (knex) => knex("log").insert({ v: "up" });\n`;
      await write("001-both.mjs", both);
      await write("002-up.mjs", up("insert into log (v) values ('second')"));
      for (const moment of ["before", "after", "before", "after"] as const) await migrate(db, moment);
      expect(await values()).to.deep.equal(["before", "up", "second"]);
    });

    it("on a new database there is nothing to prepare: before() is noted as done and does not run", async () => {
      await write(
        "001-both.mjs",
        `export const before = (knex) => knex("articles").update({ title: "x" });\nexport const up = (knex) => knex("log").insert({ v: "up" });\n`,
      );
      await migrate(db, "before");
      await sync([]);
      await migrate(db, "before");
      await migrate(db, "after");
      expect(await values()).to.deep.equal(["up"]);
    });

    it("a file that is not a migration is named", async () => {
      await write("001-odd.mjs", "export const sideways = 1;\n");
      expect(await failureOf(migrate(db)))
        .to.have.property("message")
        .that.includes("001-odd.mjs");
    });

    if (kind === "postgres") {
      it("several processes may start at once, and each migration runs in one of them", async () => {
        const others = await Promise.all([connect(), connect()]);
        for (const n of [1, 2, 3]) await write(`00${n}-x.mjs`, up(`insert into log (v) values ('${n}')`));
        const ran = await Promise.all([db, ...others].map((one) => migrate(one)));
        expect(ran.flat().sort()).to.deep.equal(["001-x", "002-x", "003-x"]);
        expect(await values()).to.deep.equal(["1", "2", "3"]);
      });
    }
  });
});
