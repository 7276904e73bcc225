import { expect } from "chai";
import type { Database } from "#core/database/driver/database.js";
import { eachDatabase } from "../../../databases.js";

const insert = (name: string) => ({ text: "insert into things (name) values ($1)", values: [name] });

describe("a statement that is put off", () => {
  eachDatabase((database) => {
    let db: Database;
    before(async () => {
      db = await database.connect();
      await db.query({ text: "create table things (name text unique)", values: [] });
    });
    beforeEach(() => db.query({ text: "delete from things", values: [] }));

    const names = async () => {
      const rows = await db.query<{ name: string }>({ text: "select name from things order by name", values: [] });
      return rows.map(({ name }) => name);
    };

    it("runs before the next statement, which gets its own rows", async () => {
      const seen = await db.transaction(async () => {
        db.defer(insert("a"));
        db.defer(insert("b"));
        return await names();
      });
      expect(seen).to.deep.equal(["a", "b"]);
    });

    it("runs before the commit where nothing follows, and counts as a statement of the transaction", async () => {
      const before = db.statementCount;
      await db.transaction(async () => {
        db.defer(insert("a"));
      });
      expect(db.statementCount - before).to.equal(3);
      expect(await names()).to.deep.equal(["a"]);
    });

    it("runs with the last statements of a transaction that ends with them", async () => {
      const [rows] = await db.transaction(() => {
        db.defer(insert("a"));
        return db.queryAll([{ text: "select count(*)::int as n from things", values: [] }], { ends: true });
      });
      expect(rows).to.deep.equal([{ n: 1 }]);
      expect(await names()).to.deep.equal(["a"]);
    });

    it("runs before a statement of knex, and before a savepoint that begins", async () => {
      await db.transaction(async () => {
        db.defer(insert("a"));
        expect(await db.builder().table("things").pluck("name")).to.deep.equal(["a"]);
        db.defer(insert("b"));
        const failed = db.transaction(async () => {
          expect(await names()).to.deep.equal(["a", "b"]);
          db.defer(insert("c"));
          throw new Error("inner");
        });
        await failed.catch(() => undefined);
        await db.transaction(async () => void db.defer(insert("d")));
        expect(await names()).to.deep.equal(["a", "b", "d"]);
      });
    });

    it("is dropped when its transaction is rolled back, and replaced until it is sent", async () => {
      const failed = db.transaction(async () => {
        db.defer(insert("lost"));
        throw new Error("outer");
      });
      await failed.catch(() => undefined);
      await db.transaction(async () => {
        const deferred = db.defer(insert("first"));
        deferred.replace(insert("second"));
        expect(deferred.isSent).to.equal(false);
        expect(await names()).to.deep.equal(["second"]);
        expect(deferred.isSent).to.equal(true);
      });
    });

    it("fails with the error that it says its failure means, and with that of the database for other failures", async () => {
      const failsAs = (cause: Error) => new Error("none left", { cause });
      const check = (divisor: string) => ({ text: `select 1 / $1::int`, values: [divisor], failsAs });
      const followed = (next: () => Promise<unknown>, divisor: string) =>
        db
          .transaction(async () => {
            db.defer(insert("a"));
            db.defer(check(divisor));
            await next();
          })
          .catch((error: unknown) => error);
      const ending = () => db.queryAll([{ text: "select 1", values: [] }], { ends: true });
      const byKnex = () => db.builder().table("things").pluck("name");
      for (const next of [() => names(), ending, byKnex, () => Promise.resolve()]) {
        expect(await followed(next, "0")).to.have.property("message", "none left");
        expect(await followed(next, "x")).to.include({ code: "22P02" });
        expect(await names()).to.deep.equal([]);
        expect(await followed(next, "1")).to.equal(undefined);
        await db.query({ text: "delete from things", values: [] });
      }
      const alone = await db.query(check("0")).catch((error: unknown) => error);
      expect(alone).to.have.property("message", "none left");
    });

    it("fails its transaction where it fails, whatever asked next", async () => {
      await db.query(insert("a"));
      for (const next of [() => names(), () => db.builder().table("things").pluck("name"), () => Promise.resolve()]) {
        const failed = await db
          .transaction(async () => {
            db.defer(insert("a"));
            await next();
          })
          .catch((error: unknown) => error);
        expect(failed).to.include({ code: "23505" });
      }
      expect(await names()).to.deep.equal(["a"]);
    });

    it("is refused outside of a transaction, and so is a lock", async () => {
      expect(() => db.defer(insert("a")))
        .to.throw()
        .with.property("code", "PLINTH_DATABASE_NO_TRANSACTION");
      const refused = await db.lock("a").catch((error: unknown) => error);
      expect(refused).to.include({ code: "PLINTH_DATABASE_NO_TRANSACTION", status: 500 });
    });
  });
});
