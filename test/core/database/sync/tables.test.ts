import { randomBytes } from "node:crypto";
import { expect } from "chai";
import type { Database } from "#core/database/driver/database.js";
import { planSync } from "#core/database/sync/plan-sync.js";
import { syncDatabase } from "#core/database/sync/sync-database.js";
import { eachDatabase } from "../../../databases.js";
import { corpusModel } from "../../schema/corpus-model.js";
import { component, modelOf, type } from "../../schema/raw-schemas.js";
import { DRAFTS, failureOf, LOCALIZED, synced } from "./synced.js";

describe("tables of content-types", () => {
  eachDatabase(({ kind, connect }) => {
    let db: Database;
    const { rows, sync, columns, clear } = synced(() => db);
    before(async () => {
      db = await connect();
    });
    beforeEach(clear);

    const insert = (table: string, row: Record<string, unknown>) => {
      const values = { document_id: randomBytes(6).toString("hex"), published_at: new Date(), ...row };
      return db.knex(table).insert(values).returning("id");
    };

    it("every attribute gets its column, and relations theirs", async () => {
      await sync(
        [
          type("post", {
            title: { type: "string" },
            views: { type: "integer" },
            big: { type: "biginteger" },
            price: { type: "decimal" },
            score: { type: "float" },
            ok: { type: "boolean" },
            day: { type: "date" },
            at: { type: "time" },
            when: { type: "datetime" },
            body: { type: "blocks" },
            seo: { type: "component", component: "shared.seo" },
            author: { type: "relation", relation: "manyToOne", target: "api::person.person", inversedBy: "posts" },
            about: { type: "relation", relation: "morphToOne" },
            tags: { type: "relation", relation: "manyToMany", target: "api::person.person" },
          }),
          type("person", {
            posts: { type: "relation", relation: "oneToMany", target: "api::post.post", mappedBy: "author" },
          }),
        ],
        [component("shared.seo", { title: { type: "string" } })],
      );
      expect(await columns("posts")).to.deep.equal({
        id: "bigint",
        document_id: "text",
        locale: "text",
        published_at: "timestamp(3) with time zone",
        created_at: "timestamp(3) with time zone",
        updated_at: "timestamp(3) with time zone",
        created_by_id: "bigint",
        updated_by_id: "bigint",
        title: "text",
        views: "integer",
        big: "bigint",
        price: "numeric(10,2)",
        score: "double precision",
        ok: "boolean",
        day: "date",
        at: "time(3) without time zone",
        when: "timestamp(3) with time zone",
        body: "jsonb",
        seo: "jsonb",
        author: "text",
        author_position: "double precision",
        about: "text",
        about_type: "text",
      });
      expect(await columns("posts_links")).to.deep.equal({
        source: "bigint",
        attribute: "smallint",
        target: "text",
        target_type: "text",
        position: "double precision",
        inverse_position: "double precision",
      });
      expect(Object.keys(await columns("persons"))).to.have.length(8);
    });

    it("a second start finds nothing to do, in four statements, however many types there are", async () => {
      const first = await syncDatabase(db, corpusModel());
      expect((await planSync(db, corpusModel())).isUpToDate).to.equal(true);
      const count = db.statementCount;
      const second = await syncDatabase(db, corpusModel());
      expect(db.statementCount - count).to.equal(4);
      expect(second.tables).to.deep.equal(first.tables);
    });

    it("tables without a primary key that publications could not name rows of get a name for them", async () => {
      await syncDatabase(db, corpusModel());
      const named = () =>
        rows("select c.relname from pg_index i join pg_class c on c.oid = i.indrelid where indisreplident order by 1");
      const before = await named();
      expect(before.map(({ relname }) => relname)).to.include.members(["articles_links", "plinth_component_uniques"]);
      await rows("alter table articles_links replica identity default");
      await rows("alter table plinth_component_uniques replica identity default");
      await syncDatabase(db, corpusModel());
      expect(await named()).to.deep.equal(before);
    });

    it("tables that are gone are made again, and an index that is gone too", async () => {
      await syncDatabase(db, corpusModel());
      await rows("drop table categories; drop table articles_links; drop index authors_name_unique");
      const plan = await planSync(db, corpusModel());
      expect(plan.steps.map(({ table }) => table)).to.include.members(["categories", "articles_links", "authors"]);
      await syncDatabase(db, corpusModel());
      expect((await planSync(db, corpusModel())).isUpToDate).to.equal(true);
    });

    it("tables and columns of the user are left alone", async () => {
      await rows("create table own_table (n int)");
      await sync([type("post", { title: { type: "string" } })]);
      await rows("alter table posts add column note text");
      await sync([type("post", { title: { type: "string" }, views: { type: "integer" } })]);
      expect(await columns("posts")).to.include({ note: "text", views: "integer" });
      expect(await columns("own_table")).to.deep.equal({ n: "integer" });
    });

    it("a document has one row per locale and version", async () => {
      await sync([type("post", { title: { type: "string" } }, DRAFTS)]);
      await insert("posts", { document_id: "a" });
      await insert("posts", { document_id: "a", published_at: null });
      await insert("posts", { document_id: "a", locale: "fr" });
      expect(await failureOf(insert("posts", { document_id: "a", published_at: null }))).to.have.property(
        "code",
        "23505",
      );
    });

    it("a unique text of any length is unique among published rows of a locale; drafts and empty texts may repeat", async () => {
      await sync([
        type(
          "post",
          {
            slug: { type: "uid" },
            title: { type: "text", unique: true, index: true },
            views: { type: "integer", unique: true },
          },
          DRAFTS,
        ),
      ]);
      const long = randomBytes(8000).toString("base64");
      await insert("posts", { slug: long, title: long, views: 1 });
      await insert("posts", { slug: long, title: long, views: 1, locale: "fr" });
      await insert("posts", { slug: long, title: long, views: 1, published_at: null });
      for (const row of [
        { slug: "", title: null },
        { slug: "", title: "" },
        { slug: null, title: "" },
      ])
        await insert("posts", row);
      expect(await failureOf(insert("posts", { slug: long }))).to.have.property("constraint", "posts_slug_unique");
      expect(await failureOf(insert("posts", { title: long }))).to.have.property("constraint", "posts_title_unique");
      expect(await failureOf(insert("posts", { views: 1 }))).to.have.property("constraint", "posts_views_unique");
    });

    it("the target of a two-way one-to-one has one holder per locale and version", async () => {
      await sync([
        type(
          "post",
          { page: { type: "relation", relation: "oneToOne", target: "api::page.page", inversedBy: "post" } },
          DRAFTS,
        ),
        type("page", { post: { type: "relation", relation: "oneToOne", target: "api::post.post", mappedBy: "page" } }),
      ]);
      await insert("posts", { page: "x" });
      await insert("posts", { page: "x", published_at: null });
      expect(await failureOf(insert("posts", { page: "x" }))).to.have.property("constraint", "posts_page_holder");
    });

    it("links go with the row that holds them", async () => {
      const layout = await sync([
        type("post", { others: { type: "relation", relation: "oneToMany", target: "api::post.post" } }),
      ]);
      const code = layout.tables.get("api::post.post")?.codes.get("others");
      const [row] = await insert("posts", {});
      await db.knex("posts_links").insert({ source: row.id, attribute: code, target: "x", position: 1 });
      await rows("delete from posts");
      expect(await rows("select * from posts_links")).to.deep.equal([]);
    });

    it("an attribute of a component that asks for an index gets one that filters use", async () => {
      const seo = component("shared.seo", {
        views: { type: "integer", index: true },
        note: { type: "text", index: true },
        at: { type: "datetime", index: true },
      });
      await sync([type("post", { seo: { type: "component", component: "shared.seo" } })], [seo]);
      await rows("set enable_seqscan = off");
      const plan = JSON.stringify(
        await rows(`explain (costs off) select 1 from posts t where (t."seo" ->> 'views')::int4 = 3`),
      );
      await rows("reset enable_seqscan");
      expect(plan).to.include("posts_seo_views_index");
      await insert("posts", { seo: { note: randomBytes(8000).toString("base64") } });
    });

    it("a list in the order of an attribute with an index walks that index, whether or not its type has drafts and locales", async () => {
      const views = { views: { type: "integer", index: true } };
      await sync([
        type("post", views, { ...DRAFTS, ...LOCALIZED }),
        type("page", views, DRAFTS),
        type("note", views, LOCALIZED),
        type("mark", views),
      ]);
      const lists = {
        posts_views_index: "posts where published_at is not null and locale = 'en'",
        posts_views_index_draft: "posts where published_at is null and locale = 'en'",
        pages_views_index: "pages where published_at is not null",
        notes_views_index: "notes where locale = 'en'",
        marks_views_index: "marks",
      };
      await rows("set enable_sort = off");
      for (const [index, list] of Object.entries(lists)) {
        const plan = await rows(`explain (costs off) select * from ${list} order by views desc, id desc limit 10`);
        expect(JSON.stringify(plan)).to.include(index).and.not.include("Sort");
      }
      await rows("reset enable_sort");
    });

    it("lists filtered by one attribute and sorted by another come from one index, without a sort", async () => {
      const attributes = {
        tenant: { type: "relation", relation: "manyToOne", target: "api::tenant.tenant" },
        title: { type: "string", maxLength: 120 },
      };
      const more = { ...DRAFTS, ...LOCALIZED };
      const tenant = type("tenant", { name: { type: "string" } });
      await sync([type("post", attributes, more), tenant]);
      await sync([type("post", attributes, { ...more, indexes: [["tenant", "title"]] }), tenant]);
      const list = `select * from posts where published_at is not null and locale = 'en' and "tenant" = 'a'`;
      await rows("set enable_sort = off");
      const plan = await rows(`explain (costs off) ${list} order by title, id limit 10`);
      await rows("reset enable_sort");
      expect(JSON.stringify(plan)).to.include("posts_tenant_title_index").and.not.include("Sort");
      await sync([type("post", attributes, more), tenant]);
      expect(await rows("select from pg_indexes where indexname like 'posts_tenant_title%'")).to.deep.equal([]);
    });

    it("names too long for PostgreSQL are cut to different ones", async () => {
      const a = `a${"_very".repeat(11)}`;
      await sync([type("post", { [`${a}1`]: { type: "uid" }, [`${a}2`]: { type: "uid" } })]);
      await sync([type("post", { [`${a}1`]: { type: "uid" }, [`${a}2`]: { type: "uid" } })]);
      const [row] = await rows(
        "select count(*)::int as n from pg_indexes where tablename = 'posts' and indexdef like 'CREATE UNIQUE%md5%'",
      );
      expect(row).to.deep.equal({ n: 2 });
    });

    it("a model without localised types is stored under the empty locale", async () => {
      await sync([type("post", { title: { type: "string" } }), type("page", { title: { type: "string" } }, LOCALIZED)]);
      const [row] = await rows("insert into posts (document_id) values ('a') returning locale");
      expect(row).to.deep.equal({ locale: "" });
    });

    if (kind === "postgres") {
      it("several processes may start at once", async () => {
        const others = await Promise.all(Array.from({ length: 4 }, () => connect()));
        const layouts = await Promise.all([db, ...others].map((one) => syncDatabase(one, corpusModel())));
        for (const layout of layouts) expect(layout.tables).to.deep.equal(layouts[0]?.tables);
      });
    }

    it("component ids are given out in blocks of a hundred", async () => {
      await syncDatabase(db, modelOf([]));
      const next = async () => Number((await rows("select nextval('plinth_component_ids') as id"))[0]?.["id"]);
      const first = await next();
      expect(await next()).to.equal(first + 100);
    });
  });
});
