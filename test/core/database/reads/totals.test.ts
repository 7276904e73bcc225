import { expect } from "chai";
import { createReader } from "#core/database/reads/reader.js";
import type { Database } from "#core/database/driver/database.js";
import type { Query } from "#core/database/reads/query.js";
import { syncDatabase } from "#core/database/sync/sync-database.js";
import { eachDatabase } from "../../../databases.js";
import { libraryModel } from "./library.js";
import { fillLibrary } from "./library-rows.js";
import { books } from "./queries.js";

const DAY = "2024-01-01T10:00:00.000Z";

describe("Totals", () => {
  eachDatabase(({ kind, connect }) => {
    let db: Database;
    let reader: ReturnType<typeof createReader>;
    const sql = (text: string, ...values: unknown[]) => db.query({ text, values });
    const insert = (id: string, more: object = {}) =>
      db
        .builder()
        .table("books")
        .insert({ document_id: id, locale: "en", published_at: DAY, ...more });
    const count = (query: Partial<Query> = {}, ...values: unknown[]) =>
      reader.count({ query: { ...books, ...query }, values: ["en", ...values] });

    before("fill a library", async () => {
      db = await connect();
      const layout = await syncDatabase(db, libraryModel);
      await fillLibrary(db, layout);
      reader = createReader(db, layout);
    });

    /** Total of all rows of a version and locale, which nothing counts when it is asked for. */
    const whole = {
      published: () => count(),
      drafts: () => count({ status: "draft" }),
      everyLocale: () => count({ locale: "*" }),
      writers: () => count({ type: "api::writer.writer", locale: undefined }),
    };
    const shown = async () => ({
      published: await whole.published(),
      drafts: await whole.drafts(),
      everyLocale: await whole.everyLocale(),
      writers: await whole.writers(),
    });
    const counted = async () => {
      const [row] = await sql(`select
        (select count(*)::int from books where published_at is not null and locale = 'en') as published,
        (select count(*)::int from books where published_at is null and locale = 'en') as drafts,
        (select count(*)::int from books where published_at is not null) as "everyLocale",
        (select count(*)::int from writers) as writers`);
      return row;
    };

    it("of a whole list are kept by version and locale, whatever writes the rows", async () => {
      expect(await shown()).to.deep.equal({ published: 2, drafts: 3, everyLocale: 3, writers: 3 });
      await sql(
        "insert into books (document_id, locale, published_at) select 'many' || n, 'en', now() from generate_series(1, 50) n",
      );
      await sql("insert into writers (document_id, published_at) values ('new', now())");
      expect(await shown()).to.deep.equal({ published: 52, drafts: 3, everyLocale: 53, writers: 4 });
      await sql("update books set published_at = null where document_id = 'many1'");
      await sql("update books set locale = 'fr' where document_id = 'many2'");
      await sql("update books set title = 'x'");
      expect(await shown()).to.deep.equal({ published: 50, drafts: 4, everyLocale: 52, writers: 4 });
      await sql("delete from books where document_id like 'many%'");
      expect(await shown()).to.deep.equal({ published: 2, drafts: 3, everyLocale: 3, writers: 4 });
    });

    it("cost the same however many rows there are: nothing of the table is read", async () => {
      const statements: string[] = [];
      const { query } = db;
      db.query = (statement) => {
        statements.push(statement.text);
        return query.call(db, statement) as never;
      };
      await count();
      db.query = query;
      expect(statements[0]).to.not.include('"books"');
    });

    it("of what is rolled back do not stay", async () => {
      const before = await shown();
      const failed = db.transaction(async () => {
        await insert("undone");
        expect(await whole.published()).to.equal(before.published + 1);
        throw new Error("no");
      });
      await failed.catch(() => undefined);
      expect(await shown()).to.deep.equal(before);
    });

    it("stay right when many write at once, some in vain, and while what they left is added up", async () => {
      const write = (index: number) =>
        db.transaction(async () => {
          await insert(`busy${index}`, index % 3 ? {} : { published_at: null });
          if (index % 4 === 0) await sql("delete from books where document_id = $1", `busy${index}`);
          if (index % 7 === 0) throw new Error("no");
        });
      const indexes = Array.from({ length: 400 }, (_none, index) => index);
      await Promise.allSettled(indexes.map(write));
      expect(await shown()).to.deep.equal(await counted());
      const [left] = await sql(`select count(*)::int as n from plinth_deltas where "table" = 'books'`);
      expect(left?.["n"]).to.be.below(390);
      await sql("delete from books where document_id like 'busy%'");
    });

    it("of a filtered list are counted once, and again after a commit to a table that the filter looks at", async () => {
      const filter = {
        op: "related",
        field: "writer",
        where: { op: "compare", field: "name", operator: "$eq", value: 1 },
      } as const;
      const byFrank = () => count({ filter }, "Frank");
      expect([await byFrank(), await byFrank()]).to.deep.equal([1, 1]);
      await sql("update writers set name = 'Frank' where document_id = 'jane'");
      expect(await byFrank()).to.equal(2);
      await insert("third", { writer: "frank" });
      expect([await byFrank(), await byFrank()]).to.deep.equal([3, 3]);
      await sql("delete from books where document_id = 'third'");
      await sql("update writers set name = 'Jane' where document_id = 'jane'");
      expect(await byFrank()).to.equal(1);
    });

    it("of a filtered list follow links", async () => {
      const filter = { op: "null", field: "shelves", isNull: true } as const;
      const [before] = [await count({ filter })];
      const [link] = await sql(
        "delete from books_links where source = (select id from books where document_id = 'dune' and locale = 'en' and published_at is not null) returning *",
      );
      const after = await count({ filter });
      await db
        .builder()
        .table("books_links")
        .insert({ ...link });
      expect([after - before, await count({ filter })]).to.deep.equal([1, before]);
    });

    it("of a filtered list that a transaction changes are its own, and nobody's once it is rolled back", async () => {
      const filter = { op: "compare", field: "title", operator: "$eq", value: 1 } as const;
      const ubiks = () => count({ filter }, "Ubik");
      expect(await ubiks()).to.equal(0);
      const failed = db.transaction(async () => {
        await insert("ubik2", { title: "Ubik" });
        expect(await ubiks()).to.equal(1);
        throw new Error("no");
      });
      await failed.catch(() => undefined);
      await insert("other");
      expect(await ubiks()).to.equal(0);
      await sql("delete from books where document_id = 'other'");
    });

    describe("beside a page by conditions", () => {
      const filter = { op: "compare", field: "title", operator: "$eq", value: 1 } as const;
      const page = { start: 2, limit: 3 };
      const query: Query = { ...books, filter, page, count: true };
      const read = async (title: string) => {
        const { text, total } = await reader.read({ query, values: ["en", title, 0, 100] });
        return { shown: (JSON.parse(text) as unknown[]).length, total };
      };

      it("are not made ready to be counted while nothing is written, and counted again after a write", async () => {
        const statements: string[] = [];
        const original = db.query;
        db.query = (statement) => {
          statements.push(statement.text);
          return original.call(db, statement) as never;
        };
        const counts = async () => {
          statements.length = 0;
          const answer = await read("Steady");
          return { ...answer, counts: statements.map((text) => text.includes("count(*)")) };
        };
        await insert("steady1", { title: "Steady" });
        for (const counted of [[true], [true], [false], [false]])
          expect(await counts()).to.deep.equal({ shown: 1, total: 1, counts: counted });
        await insert("steady2", { title: "Steady" });
        for (const counted of [[false, true], [true], [false]])
          expect(await counts()).to.deep.equal({ shown: 2, total: 2, counts: counted });
        db.query = original;
        await sql("delete from books where document_id like 'steady%'");
      });

      it("are those of the page, however reads and writes follow each other", async () => {
        let left = 0;
        for (let step = 0; step < 60; step += 1) {
          const isMore = left === 0 || Math.random() < 0.6;
          if (isMore) await insert(`mixed${left}`, { title: "Mixed" });
          else await sql("delete from books where document_id = $1", `mixed${left - 1}`);
          left += isMore ? 1 : -1;
          const reads = Math.floor(Math.random() * 5);
          for (let n = 0; n < reads; n += 1) expect(await read("Mixed")).to.deep.equal({ shown: left, total: left });
        }
        await sql("delete from books where document_id like 'mixed%'");
      });
    });

    it("begin again when a table is emptied", async () => {
      await sql("truncate books cascade");
      expect(await shown()).to.deep.equal({ published: 0, drafts: 0, everyLocale: 0, writers: 4 });
      await insert("first");
      expect(await whole.published()).to.equal(1);
    });

    if (kind === "postgres")
      it("notice what another process writes, also with another search path", async () => {
        const other = await connect();
        const filter = { op: "compare", field: "title", operator: "$eq", value: 1 } as const;
        const found = () => count({ filter }, "Solaris");
        expect(await found()).to.equal(0);
        await other.transaction(async () => {
          await other.query({ text: "set local search_path = pg_catalog", values: [] });
          const text =
            "insert into public.books (document_id, locale, published_at, title) values ('s', 'en', now(), 'Solaris')";
          await other.query({ text, values: [] });
        });
        expect([await found(), await whole.published()]).to.deep.equal([1, 2]);
      });
  });
});
