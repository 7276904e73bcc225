import { createTestApp } from "@plinth/test-kit";
import { expect } from "chai";
import pg from "pg";
import { assertDistributed } from "#core/database/driver/citus-schema.js";
import { connectDatabase } from "#core/database/driver/connect.js";
import type { Database } from "#core/database/driver/database.js";
import type { Engine } from "#core/database/driver/engine.js";
import type { Layout } from "#core/database/layout/layout.js";
import { createReader } from "#core/database/reads/reader.js";
import { causesOf } from "../../causes-of.js";
import { citusDatabase, serverDatabase } from "../../databases.js";
import { type } from "../schema/raw-schemas.js";
import { DRAFTS, synced } from "./sync/synced.js";

const POST = type(
  "post",
  { title: { type: "string" }, others: { type: "relation", relation: "oneToMany", target: "api::post.post" } },
  DRAFTS,
);
const NOTE = type("note", { title: { type: "string" } });

/** How many rows of a version a list without conditions says there are. */
async function countOf(db: Database, layout: Layout, uid: string, status: "draft" | "published"): Promise<number> {
  const list = {
    status,
    locale: undefined,
    isOne: false,
    sort: [],
    selection: { fields: ["documentId"], relations: [] },
  };
  const query = { type: uid, ...list, count: false } as never;
  return await createReader(db, layout).count({ query, values: [] });
}

describe("a database that is taken for Citus", () => {
  const database = citusDatabase();
  if (!database) return;
  let db: Database;
  const { rows, sync, clear } = synced(() => db);
  const noted = async (table: string) =>
    (
      await rows(
        `select coalesce(sum(rows), 0)::int as rows, coalesce(sum(stamp), 0)::bigint as stamp from plinth_deltas where "table" = $1`,
        table,
      )
    )[0] as { readonly rows: number; readonly stamp: string };
  const insert = (table: string, ...ids: string[]) =>
    `insert into "${table}" (document_id, title) values ${ids.map((id) => `('${id}', 'T')`).join(", ")}`;

  before(async () => {
    db = await database.connect();
  });
  beforeEach(clear);

  it("has no triggers, no functions of totals, and plans by the values", async () => {
    await sync([POST]);
    expect(await rows("select tgname from pg_trigger where tgname like 'plinth%'")).to.deep.equal([]);
    expect(await rows("select proname from pg_proc where proname like 'plinth%'")).to.deep.equal([]);
    expect(await rows("show plan_cache_mode")).to.deep.equal([{ plan_cache_mode: "auto" }]);
  });

  it("counts what an app's own statements write, in a transaction and outside, by knex too", async () => {
    const layout = await sync([POST]);
    await rows(insert("posts", "a", "b"));
    expect(await countOf(db, layout, "api::post.post", "draft")).to.equal(2);
    await db.transaction(async () => {
      await rows("insert into posts (document_id) values ($1)", "c");
      await db.builder()("posts").insert({ document_id: "d", title: "T", published_at: new Date() });
      await rows("delete from posts where document_id = $1", "a");
      const [current] = await rows("select current_schema() as schema");
      await rows(`delete from ${current?.["schema"]}.posts where document_id = $1`, "b");
    });
    expect(await countOf(db, layout, "api::post.post", "draft")).to.equal(1);
    expect(await countOf(db, layout, "api::post.post", "published")).to.equal(1);
  });

  it("counts again what an app's own update moves to another version", async () => {
    const layout = await sync([POST]);
    await rows(insert("posts", "a", "b"));
    await rows("update posts set published_at = now() where document_id = 'a'");
    expect(await countOf(db, layout, "api::post.post", "draft")).to.equal(1);
    expect(await countOf(db, layout, "api::post.post", "published")).to.equal(1);
  });

  it("counts nothing of what is rolled back", async () => {
    const layout = await sync([NOTE]);
    await db
      .transaction(async () => {
        await rows(insert("notes", "a"));
        throw new TypeError("no");
      })
      .catch(() => undefined);
    expect(await countOf(db, layout, "api::note.note", "published")).to.equal(0);
    expect(await noted("notes")).to.deep.equal({ rows: 0, stamp: "0" });
  });

  it("notes each change of a table, and of its links with its rows", async () => {
    await sync([POST, NOTE]);
    await rows(insert("posts", "a"));
    const [posts, links, notes] = [await noted("posts"), await noted("posts_links"), await noted("notes")];
    await rows(`update "posts" set title = 'U'`);
    expect((await noted("posts")).stamp).to.not.equal(posts.stamp);
    expect(await noted("posts_links")).to.deep.equal(links);
    await rows(`delete from "posts"`);
    expect((await noted("posts_links")).stamp).to.not.equal(links.stamp);
    expect(await noted("notes")).to.deep.equal(notes);
  });

  it("takes one round trip for a statement outside of transactions, notes and commit included", async () => {
    await sync([NOTE]);
    const before = db.statementCount;
    await rows(insert("notes", "a"));
    // begin, insert, count, note, commit, and in one of 50 what adds the notes up
    expect(db.statementCount - before).to.be.within(5, 6);
  });

  it("adds up what was noted, with several writers, and keeps totals and stamps", async () => {
    const layout = await sync([NOTE]);
    const writers = await Promise.all([1, 2, 3, 4].map(() => database.connect()));
    for (const writer of writers) await synced(() => writer).sync([NOTE]);
    await Promise.all(
      writers.map(async (writer, w) => {
        for (let turn = 0; turn < 100; turn += 1)
          await writer.query({ text: insert("notes", `${w}-${turn}`), values: [] });
      }),
    );
    expect(await countOf(db, layout, "api::note.note", "published")).to.equal(400);
    const [left] = await rows("select count(*)::int as n from plinth_deltas");
    expect(left?.["n"]).to.be.below(700);
  });
});

describe("the engine of a database", () => {
  const database = serverDatabase();
  // They make a server look like one with the extension.
  if (!database || process.env["TEST_ENGINE"] === "citus") return;
  const { connection } = database.config() as { readonly connection: string };
  const open = (engine?: Engine) =>
    connectDatabase({ client: "postgres", connection, ...(engine === undefined ? {} : { engine }) });

  it("may change: triggers come and go, and totals stay right", async () => {
    for (const engine of ["postgres", "citus", "postgres", "citus"] as const) {
      const db = await open(engine);
      try {
        const layout = await synced(() => db).sync([NOTE]);
        const before = await countOf(db, layout, "api::note.note", "published");
        await db.query({
          text: `insert into "notes" (document_id) values ($1), ($2)`,
          values: [`${before}`, `${before}b`],
        });
        expect(await countOf(db, layout, "api::note.note", "published")).to.equal(before + 2);
        const [row] = await db.query({ text: `select count(*)::int as n from "notes"`, values: [] });
        expect(row).to.deep.equal({ n: before + 2 });
      } finally {
        await db.close();
      }
    }
  });

  it("may change: tables without a log get one on Citus, which moves no schema that has such", async () => {
    const unlogged = async (engine: Engine) => {
      const db = await open(engine);
      try {
        await synced(() => db).sync([NOTE]);
        const text =
          "select relname::text as name from pg_class where relkind = 'r' and relpersistence = 'u' order by 1";
        return (await db.query<{ name: string }>({ text, values: [] })).map(({ name }) => name);
      } finally {
        await db.close();
      }
    };
    const clear = async () => {
      const db = await open();
      await synced(() => db)
        .clear()
        .finally(() => db.close());
    };
    await clear();
    expect(await unlogged("postgres")).to.deep.equal(["plinth_attempts", "plinth_processes"]);
    expect(await unlogged("citus")).to.deep.equal([]);
    await clear();
    expect(await unlogged("citus")).to.deep.equal([]);
  });

  it("is refused where a configuration asks for Citus, and the schema is on the coordinator alone", async () => {
    const client = new pg.Client({ connectionString: connection });
    await client.connect();
    const start = async (engine?: Engine): Promise<readonly string[]> => {
      const warned: string[] = [];
      const db = await open("citus");
      const log = { warn: (_of: object, text: string) => void warned.push(text) };
      await assertDistributed(db, log, engine !== undefined).finally(() => db.close());
      return warned;
    };
    try {
      expect(await start("citus"), "without the extension").to.deep.equal([]);
      await client.query("set allow_system_table_mods = on");
      await client.query("create table pg_catalog.pg_dist_schema (schemaid oid, colocationid int)");
      const refused = await start("citus").catch((error: unknown) => error);
      expect(refused).to.have.property("code", "PLINTH_DATABASE_CITUS_LOCAL");
      const config = { client: "postgres" as const, connection, engine: "citus" as const };
      const stopped = await createTestApp({ database: config, app: { contentTypes: {} } }).catch(
        (error: unknown) => error,
      );
      expect(causesOf(stopped), "an app").to.include("PLINTH_DATABASE_CITUS_LOCAL");
      expect(String(refused)).to.include("Name a `schema` of the app's own");
      expect((await start())[0]).to.include("are on its coordinator");
      await client.query("insert into pg_dist_schema select 'public'::regnamespace, 1");
      expect(await start("citus")).to.deep.equal([]);
    } finally {
      await client.query("drop table if exists pg_catalog.pg_dist_schema");
      await client.end();
    }
  });

  it("is found by its extensions, unless the configuration says it", async () => {
    const client = new pg.Client({ connectionString: connection });
    await client.connect();
    const engines: Engine[] = [];
    const find = async (engine?: Engine) => {
      const db = await open(engine);
      engines.push(db.engine);
      await db.close();
    };
    try {
      await find();
      await client.query(
        "insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion) select 99999, 'citus', extowner, extnamespace, false, '13' from pg_extension limit 1",
      );
      await find();
      await find("postgres");
    } finally {
      await client.query("delete from pg_extension where oid = 99999");
      await client.end();
    }
    expect(engines).to.deep.equal(["postgres", "citus", "postgres"]);
  });
});
