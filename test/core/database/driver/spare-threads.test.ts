import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import { connectDatabase } from "#core/database/driver/connect.js";
import type { Database } from "#core/database/driver/database.js";

const sql = (text: string) => ({ text, values: [] });

/** Minutes of computing. */
const ENDLESS = sql(
  "select count(*) from generate_series(1, 20000) a, generate_series(1, 20000) b, generate_series(1, 100) c",
);

const PUBLIC = `select concat(nspowner::regrole, nspacl, obj_description(oid, 'pg_namespace')) as name
  from pg_namespace where nspname = 'public'`;

const open = () => connectDatabase({ client: "pglite", directory: ":memory:" });

/** When the server of a thread has started: another one has another time. */
const threadOf = async (db: Database) => {
  const [row] = await db.query(sql("select pg_postmaster_start_time()::text as since"));
  return (row as { readonly since: string }).since;
};

const namesOf = async (db: Database, query: string) =>
  (await db.query(sql(query))).map((row) => (row as { readonly name: string }).name);

describe("a database in memory that is opened when another was closed", () => {
  const opened: Database[] = [];
  const next = async () => {
    const db = await open();
    opened.push(db);
    return db;
  };
  afterEach(() => Promise.all(opened.splice(0).map((db) => db.close())));

  /** Runs statements in one database, closes it, and opens the next. */
  const after = async (...texts: readonly string[]) => {
    const db = await next();
    const thread = await threadOf(db);
    for (const text of texts) await db.query(sql(text));
    await db.close();
    const second = await next();
    return { second, isSame: (await threadOf(second)) === thread };
  };

  it("takes its thread, and finds nothing of it", async () => {
    const { second, isSame } = await after(
      "create table kept (n serial primary key)",
      "create schema other",
      "create type other.colour as enum ('red')",
      "create function public.one() returns integer language sql as 'select 1'",
      "create table other.things (colour other.colour)",
      "set search_path = other",
      "listen news",
      "prepare two as select 2",
      "select pg_advisory_lock(1)",
      "create temporary table passing (n integer)",
    );
    expect(isSame).to.equal(true);
    const schemas = "select nspname as name from pg_namespace where oid >= 16384 and nspname !~ '^pg_(toast_)?temp'";
    expect(await namesOf(second, schemas)).to.deep.equal(["public"]);
    expect(await namesOf(second, "select relname as name from pg_class where oid >= 16384")).to.deep.equal([]);
    expect(await namesOf(second, "select proname as name from pg_proc where oid >= 16384")).to.deep.equal([]);
    expect(await namesOf(second, "select name from pg_prepared_statements where name = 'two'")).to.deep.equal([]);
    expect(await namesOf(second, "select pg_listening_channels() as name")).to.deep.equal([]);
    expect(await namesOf(second, "select mode as name from pg_locks where locktype = 'advisory'")).to.deep.equal([]);
    expect(await namesOf(second, "select current_setting('search_path') as name")).to.deep.equal(["public"]);
  });

  it("finds the schema public as in a new one", async () => {
    const first = await next();
    const asNew = await namesOf(first, PUBLIC);
    await first.query(sql("revoke all on schema public from public"));
    await first.query(sql("comment on schema public is 'ours'"));
    await first.close();
    expect(await namesOf(await next(), PUBLIC)).to.deep.equal(asNew);
  });

  for (const [what, text] of Object.entries({
    "a role": "create role editor",
    "a setting of the database": "alter database postgres set work_mem = '8MB'",
    "a setting of the server": "alter system set work_mem = '8MB'",
    "a right on a setting": "grant set on parameter log_statement to public",
    "a right on the database": "revoke temporary on database postgres from public",
    "a default right": "alter default privileges grant select on tables to public",
    "a publication": "create publication news for all tables",
    "a large object": "select lo_create(0)",
    "a cast": "create cast (integer as point) with inout",
  }))
    it(`takes a new thread where ${what} was left, which goes with no schema`, async () => {
      const { second, isSame } = await after(text);
      expect(isSame).to.equal(false);
      expect(await namesOf(second, "select rolname as name from pg_roles where oid >= 16384")).to.deep.equal([]);
    });

  it("takes a new thread where a statement was running", async () => {
    const first = await next();
    const thread = await threadOf(first);
    const running = first.query(ENDLESS).catch((error: unknown) => error);
    await setImmediate();
    await first.close();
    expect(await running).to.have.property("status", 503);
    expect(await threadOf(await next())).to.not.equal(thread);
  });

  it("is not that of another one that is open", async () => {
    const [one, other] = await Promise.all([next(), next()]);
    await one.query(sql("create table kept (n integer)"));
    await one.close();
    const third = await next();
    await other.query(sql("create table kept (n integer)"));
    await third.query(sql("create table kept (n integer)"));
    expect(await threadOf(third)).to.not.equal(await threadOf(other));
  });

  it("has no files left of many tables that there were", async () => {
    const sizeOf = async (db: Database) =>
      Number((await namesOf(db, "select pg_database_size('postgres') as name"))[0]);
    const tables = Array.from(
      { length: 50 },
      (_, n) => `create table t${n} (id serial primary key, title text unique);`,
    );
    const filled = `${tables.join("")} insert into t1 (title) select repeat('x', g) from generate_series(1, 2000) g`;
    const sizes: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const { second } = await after(`do $$ begin ${filled}; end $$`);
      sizes.push(await sizeOf(second));
      await second.close();
    }
    expect(sizes.at(-1)).to.be.at.most(1.3 * (sizes[0] as number));
  });
});
