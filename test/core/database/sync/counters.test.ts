import { expect } from "chai";
import { createReader } from "#core/database/reads/reader.js";
import type { Database } from "#core/database/driver/database.js";
import type { Layout } from "#core/database/layout/layout.js";
import { eachDatabase } from "../../../databases.js";
import { type } from "../../schema/raw-schemas.js";
import { synced } from "./synced.js";

/** How a database counted before there were horizons. */
const FORMERLY = [
  `create table plinth_counts ("table" text not null, is_draft boolean not null, locale text not null, rows bigint not null, changes bigint not null)`,
  "insert into plinth_counts select 'posts', published_at is null, locale, count(*), 1 from posts group by 2, 3",
  `create function plinth_fold_counts(written text) returns void language plpgsql as $$begin
    with gone as (delete from plinth_counts where ctid = any (array(select ctid from plinth_counts where "table" = written for update skip locked)) returning *)
    insert into plinth_counts select written, is_draft, locale, sum(rows), sum(changes) from gone group by is_draft, locale; end$$`,
  `create or replace function plinth_count_rows() returns trigger language plpgsql as $$begin
    if tg_op = 'INSERT' then insert into plinth_counts select 'posts', published_at is null, locale, count(*), 1 from added group by 2, 3;
    elsif tg_op = 'DELETE' then insert into plinth_counts select 'posts', published_at is null, locale, -count(*), 1 from removed group by 2, 3; end if;
    perform plinth_fold_counts('posts'); return null; end$$`,
];

describe("counters of content-types", () => {
  eachDatabase(({ connect }) => {
    let db: Database;
    const { rows, sync, clear } = synced(() => db);
    before(async () => {
      db = await connect();
    });
    beforeEach(clear);

    const count = (layout: Layout, uid: string) => {
      const selection = { fields: ["id"], populate: [] };
      const list = { status: "published", locale: undefined, isOne: false, sort: [], selection, count: false } as const;
      return createReader(db, layout).count({ query: { type: uid, ...list }, values: ["en"] });
    };
    const post = (more = {}) => type("post", { title: { type: "string" } }, more);
    const insert = (table: string, id: string) =>
      rows(`insert into ${table} (document_id, published_at) values ($1, now())`, id);

    it("a table from before there were any is counted when the app starts", async () => {
      await sync([post()]);
      await insert("posts", "a");
      await rows("drop table plinth_deltas, plinth_bases");
      await rows("drop function plinth_count_rows, plinth_count_changes cascade");
      await rows("drop function plinth_fold_counts, plinth_total, plinth_stamp");
      const layout = await sync([post()]);
      await insert("posts", "b");
      expect(await count(layout, "api::post.post")).to.equal(2);
    });

    it("a database that counted in one table goes on, and so do processes that read that table", async () => {
      await sync([post()]);
      await insert("posts", "a");
      await rows("drop table plinth_deltas, plinth_bases");
      await rows("drop function plinth_fold_counts, plinth_total, plinth_stamp");
      for (const statement of FORMERLY) await rows(statement);
      for (const id of ["b", "c"]) await insert("posts", id);
      await rows("delete from posts where document_id = 'b'");
      const layout = await sync([post()]);
      expect(await count(layout, "api::post.post")).to.equal(2);
      await insert("posts", "d");
      expect(await count(layout, "api::post.post")).to.equal(3);
      const [read] = await rows(
        `select sum(rows)::int as total, sum(changes) > 2 as moved from plinth_counts where "table" = 'posts'`,
      );
      expect(read).to.deep.equal({ total: 3, moved: true });
      await sync([post()], [], { applied: () => expect.fail("the next start finds something to do") });
    });

    it("a dump restored into another cluster goes on, once a start has added up what it brought", async () => {
      const layout = await sync([post()]);
      for (const id of ["a", "b", "c"]) await insert("posts", id);
      await rows("select plinth_fold_counts('posts')");
      await insert("posts", "d");
      await rows("update plinth_deltas set xid = (xid::text::bigint + 1000000)::text::xid8");
      await rows("update plinth_bases set horizon = (horizon::text::bigint + 1000000)::text::xid8");
      const foreign = () => rows("select from plinth_bases where horizon > pg_snapshot_xmax(pg_current_snapshot())");
      expect(await foreign()).to.have.length(1);
      // One write in fifty adds up by itself.
      await rows("delete from posts where document_id = 'a'");
      expect(await count(layout, "api::post.post")).to.equal(3);
      await sync([post()]);
      expect(await foreign()).to.deep.equal([]);
      await insert("posts", "e");
      expect(await count(layout, "api::post.post")).to.equal(4);
      await sync([post()], [], { applied: () => expect.fail("the next start finds something to do") });
    });

    it("a type that is renamed keeps its total, and goes on", async () => {
      await sync([post()]);
      await insert("posts", "a");
      const layout = await sync([type("note", { title: { type: "string" } }, { renamedFrom: "posts" })]);
      await insert("notes", "b");
      expect(await count(layout, "api::note.note")).to.equal(2);
    });

    it("a type that was removed and comes again begins with nothing", async () => {
      await sync([post()]);
      await insert("posts", "a");
      await sync([], [], { allowDataLoss: true });
      const layout = await sync([post()]);
      expect(await count(layout, "api::post.post")).to.equal(0);
      await insert("posts", "b");
      expect(await count(layout, "api::post.post")).to.equal(1);
    });
  });
});
