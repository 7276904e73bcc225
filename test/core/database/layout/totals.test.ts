import { expect } from "chai";
import pg from "pg";
import { connectDatabase } from "#core/database/driver/connect.js";
import type { Database } from "#core/database/driver/database.js";
import { buildModel } from "#core/schema/build-model.js";
import { syncDatabase } from "#core/database/sync/sync-database.js";
import { startPostgres } from "../../../../scripts/postgres-server.mjs";
import { serverDatabase, type TestDatabase } from "../../../databases.js";
import { type } from "../../schema/raw-schemas.js";

/** How many writes follow while a snapshot is held; 100,000 by hand. */
const WRITES = Number(process.env["PLINTH_TOTALS_WRITES"] ?? 20_000);

const MODEL = buildModel({
  contentTypes: [type("post", { title: { type: "string" } })],
  components: [],
  defaultLocale: "en",
  locales: ["en"],
});

/** What connections of an app have. */
const AS_IN_AN_APP = "-c plan_cache_mode=force_generic_plan";

const TOTAL = "plinth_total('posts', null, null)";
const STAMP = "plinth_stamp(array['posts'])";
const INSERT = "insert into posts (document_id, published_at) values ($1, now())";

/** Milliseconds that PostgreSQL takes to read a value, on average: without the network, and without what the client does. */
const timed = (value: string): string => `do $$ declare started timestamptz := clock_timestamp(); read bigint; begin
  for i in 1..200 loop select ${value} into read; end loop;
  perform set_config('test.took', (extract(epoch from clock_timestamp() - started) * 1000 / 200)::text, false); end $$`;

describe("totals on a server", function () {
  this.timeout(600_000);
  const database = serverDatabase();
  // Connections end before the database goes.
  if (database) describe("with clients of its own", () => defineTotals(database));
});

function defineTotals(database: TestDatabase): void {
  let db: Database;
  let client: pg.Client;
  const connect = async () => {
    const config = database.config();
    const opened = new pg.Client({
      connectionString: String("connection" in config && config.connection),
      options: AS_IN_AN_APP,
    });
    await opened.connect();
    return opened;
  };
  const kept = async (on: pg.Client = client): Promise<{ total: number; stamp: number }> => {
    const { rows } = await on.query(`select ${TOTAL}::int as total, ${STAMP}::float8 as stamp`);
    return rows[0];
  };
  const counted = async () => (await client.query("select count(*)::int as n from posts")).rows[0].n as number;
  const took = async (value: string) => {
    await client.query(timed(value));
    return Number((await client.query("select current_setting('test.took') as ms")).rows[0].ms);
  };
  /** Each write is a transaction: a row comes, and one in two goes. */
  const write = (times: number) =>
    client.query(`do $$ begin for i in 1..${times} loop
        if i % 2 = 0 then delete from posts where document_id = 'w' || (i - 1);
        else insert into posts (document_id, published_at) values ('w' || i, now()); end if; commit; end loop; end $$`);

  before(async () => {
    db = await database.connect();
    await syncDatabase(db, MODEL);
    client = await connect();
  });
  after(() => client.end());
  beforeEach(() => client.query("delete from posts"));

  it(`cost the same while a dump holds its snapshot, after ${WRITES} writes`, async () => {
    const dump = await connect();
    await write(500);
    const before = [await took(TOTAL), await took(STAMP)];
    await dump.query("begin isolation level repeatable read");
    const held = await kept(dump);
    await write(WRITES);
    const after = [await took(TOTAL), await took(STAMP)];
    const shown = (times: number[]) => times.map((ms) => ms.toFixed(3)).join(" and ");
    console.log(
      `[fleet] snapshot held, ${WRITES} writes: total and stamp ${shown(after)} ms of PostgreSQL, before ${shown(before)}`,
    );
    expect(Math.max(...after)).to.be.below(1);
    expect((await kept()).total).to.equal(await counted());
    expect(await kept(dump)).to.deep.equal(held);
    await dump.query("commit");
    await dump.end();
  });

  it("are added up while writers wait, fail, and go back to savepoints", async () => {
    const slow = await connect();
    const folds = async () =>
      (await slow.query("select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()")).rowCount;
    // One write of fifty adds rows up itself, and nobody else does until it ends.
    do {
      await slow.query("rollback");
      await slow.query("begin");
      await slow.query(INSERT, ["slow"]);
    } while (await folds());
    for (let index = 0; index < 30; index += 1) {
      await client.query("begin");
      await client.query(INSERT, [`a${index}`]);
      await client.query("savepoint here");
      await client.query(INSERT, [`b${index}`]);
      await client.query("select plinth_fold_counts('posts')");
      if (index % 2) await client.query("rollback to here");
      await client.query(index % 3 ? "commit" : "rollback");
      await client.query("select plinth_fold_counts('posts')");
      expect((await kept()).total).to.equal(await counted());
    }
    const { rows: left } = await client.query("select from plinth_deltas");
    expect(left.length, "rows that are replaced although a writer is open").to.be.below(3);
    const own = await slow.query(`select ${TOTAL}::int as total, (select count(*) from posts)::int as n`);
    expect(own.rows[0].total).to.equal(own.rows[0].n);
    await slow.query("commit");
    await client.query("select plinth_fold_counts('posts')");
    expect((await kept()).total).to.equal(await counted());
    await slow.end();
  });

  it("have the same stamp whenever they are added up, and another after each write", async () => {
    const seen = new Set<number>();
    for (let index = 0; index < 20; index += 1) {
      await client.query(INSERT, [`s${index}`]);
      const { stamp } = await kept();
      await client.query("select plinth_fold_counts('posts')");
      expect((await kept()).stamp).to.equal(stamp);
      expect(stamp).to.be.within(0, 2 ** 40 - 1);
      seen.add(stamp);
    }
    expect(seen.size).to.equal(20);
  });

  it("are left alone by transactions that keep one snapshot, which write as before", async () => {
    await client.query("begin isolation level serializable");
    await client.query(INSERT, ["serial"]);
    await client.query("select plinth_fold_counts('posts')");
    expect((await kept()).total).to.equal(1);
    await client.query("commit");
    expect((await kept()).total).to.equal(1);
  });
}

describe("totals in another cluster", () => {
  it("that a dump was restored into go on, beside a prepared transaction", async () => {
    const clusters = await Promise.all([startPostgres(), startPostgres()]);
    const [old, fresh] = await Promise.all(
      clusters.map(async ({ url }) => connectDatabase({ client: "postgres", connection: url })),
    );
    if (!old || !fresh) throw new TypeError("There are two clusters.");
    const run = (db: Database, text: string) => db.query({ text, values: [] });
    const totals = async (db: Database) =>
      (await run(db, `select ${TOTAL}::int as kept, (select count(*)::int from posts) as counted`))[0];
    await syncDatabase(old, MODEL);
    // The transactions of the old cluster are far ahead of those of the new one.
    const post = "insert into posts (document_id, published_at) select gen_random_uuid(), now()";
    await run(old, `do $$ begin for i in 1..3000 loop ${post}; commit; end loop; end $$`);
    await run(old, "select plinth_fold_counts('posts')");
    await run(old, post);
    await syncDatabase(fresh, MODEL);
    await copyTables(old, fresh);
    expect(await totals(fresh)).to.deep.equal({ kept: 3001, counted: 3001 });

    await run(fresh, post);
    expect(await totals(fresh)).to.deep.equal({ kept: 3002, counted: 3002 });
    await syncDatabase(fresh, MODEL);
    await run(fresh, `begin; ${post}; prepare transaction 'left'`);
    await run(fresh, `do $$ begin for i in 1..5000 loop ${post}; commit; end loop; end $$`);
    expect(await totals(fresh)).to.deep.equal({ kept: 8002, counted: 8002 });
    await run(fresh, "commit prepared 'left'");
    await run(fresh, "select plinth_fold_counts('posts')");
    expect(await totals(fresh)).to.deep.equal({ kept: 8003, counted: 8003 });
    await Promise.all([old.close(), fresh.close()]);
    await Promise.all(clusters.map(({ stop }) => stop()));
  });
});

/** What pg_dump and pg_restore do with the rows: triggers come after them. */
async function copyTables(from: Database, to: Database): Promise<void> {
  for (const table of ["posts", "plinth_deltas", "plinth_bases"]) {
    const [held] = await from.query<{ rows: string }>({
      text: `select json_agg(t)::text as rows from ${table} t`,
      values: [],
    });
    const text = `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`;
    await to.transaction(async () => {
      await to.query({ text: "set local session_replication_role = replica", values: [] });
      await to.query({ text: `delete from ${table}`, values: [] });
      await to.query({ text, values: [held?.rows] });
    });
  }
  await to.query({
    text: "select setval(pg_get_serial_sequence('posts', 'id'), (select max(id) from posts))",
    values: [],
  });
}
