import { mkdtempSync, openSync, readdirSync, rmSync, statSync, truncateSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { connectDatabase } from "#core/database/driver/connect.js";
import type { Database } from "#core/database/driver/database.js";
import { timeOf } from "../../../usual-time.js";

const sql = (text: string, ...values: unknown[]) => ({ text, values });
/** Minutes of computing, which nothing ends but a time limit. */
const ENDLESS = sql(
  "select count(*) from generate_series(1, 20000) a, generate_series(1, 20000) b, generate_series(1, 100) c",
);

describe("the embedded database", () => {
  let directory: string;
  const opened: Database[] = [];
  const open = async (options: object = {}, said: string[] = []) => {
    const log = { warn: (_details: object, message: string) => said.push(message) };
    const db = await connectDatabase({ client: "pglite", directory, ...options }, log);
    opened.push(db);
    return db;
  };
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "plinth-embedded-"));
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((db) => db.close()));
    rmSync(directory, { recursive: true, force: true });
  });

  it("lets the process go on while it computes", async () => {
    const db = await open({ directory: ":memory:", statementTimeout: 0 });
    let longest = 0;
    let last = performance.now();
    const clock = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 10);
    const took = await timeOf(() => db.query(sql("select count(*) from generate_series(1, 3000000)")));
    clearInterval(clock);
    expect(longest).to.be.lessThan(took / 2);
  });

  it("ends a statement that takes too long with 503, and has all that was committed", async () => {
    const db = await open({ statementTimeout: 1_000 });
    await db.query(sql("create table kept (n integer)"));
    await db.query(sql("insert into kept values (1)"));
    const failed = db.transaction(async () => {
      await db.query(sql("insert into kept values (2)"));
      await db.query(ENDLESS);
    });
    expect(await failureOf(failed)).to.include({ code: "PLINTH_DATABASE_TIMEOUT", status: 503 });
    expect(await db.query(sql("select n from kept"))).to.deep.equal([{ n: 1 }]);
    await db.query(sql("insert into kept values (3)"));
    expect(await failureOf(db.query(ENDLESS))).to.include({ code: "PLINTH_DATABASE_TIMEOUT" });
    expect(await db.query(sql("select n from kept order by n"))).to.deep.equal([{ n: 1 }, { n: 3 }]);
  });

  it("in memory answers a statement that takes too long with 503, and others once it has ended", async () => {
    // Long enough for any machine; the next statement waits for its end.
    const db = await open({ directory: ":memory:", statementTimeout: 500, acquireTimeout: 110_000 });
    await db.query(sql("create table kept (n integer)"));
    const long = sql("select count(*) from generate_series(1, 5000000)");
    const failed = db.transaction(async () => {
      await db.query(sql("insert into kept values (1)"));
      await db.query(long);
    });
    expect(await failureOf(failed)).to.include({ code: "PLINTH_DATABASE_TIMEOUT", status: 503 });
    await db.query(sql("insert into kept values (2)"));
    expect(await db.query(sql("select n from kept"))).to.deep.equal([{ n: 2 }]);
  });

  it("in memory can be closed while a statement runs", async () => {
    const db = await open({ directory: ":memory:", statementTimeout: 0 });
    const running = failureOf(db.query(ENDLESS));
    await sleep(50);
    await db.close();
    expect(await running).to.include({ code: "PLINTH_DATABASE_UNREACHABLE", status: 503 });
  });

  it("says at the start that it had not been closed, and nothing where it had", async () => {
    await (await open()).close();
    const said: string[] = [];
    const db = await open({ statementTimeout: 500 }, said);
    expect(said).to.deep.equal([]);
    await failureOf(db.query(ENDLESS));
    await db.close();
    await (await open({}, said)).close();
    expect(said.filter((line) => line.includes("had not been closed"))).to.have.length(1);
  });

  it("says that its files are damaged, and where, when its control file or its log is cut", async () => {
    await (await open()).close();
    const log = join(
      directory,
      "pg_wal",
      readdirSync(join(directory, "pg_wal"))
        .filter((name) => /^[0-9A-F]{24}$/.test(name))
        .sort()[0] as string,
    );
    for (const file of [log, join(directory, "global", "pg_control")]) {
      truncateSync(file, Math.floor(statSync(file).size / 50));
      const failure = await failureOf(open());
      expect(failure).to.include({ code: "PLINTH_DATABASE_DAMAGED" });
      expect(failure).to.have.property("message").that.includes(directory);
    }
  });

  for (const missing of ["global", "global/pg_control"])
    it(`says that its files are damaged where ${missing} is missing, and leaves the others as they are`, async () => {
      await (await open()).close();
      rmSync(join(directory, missing), { recursive: true });
      const files = readdirSync(directory, { recursive: true });
      const failure = await failureOf(open());
      expect(failure).to.include({ code: "PLINTH_DATABASE_DAMAGED" });
      expect(failure).to.have.property("message").that.includes(directory);
      expect(readdirSync(directory, { recursive: true })).to.include.members(files);
    });

  it("answers a read of a damaged table with 503 and a code", async () => {
    const db = await open();
    await db.query(
      sql("create table broken as select g as n, repeat('x', 500) as filler from generate_series(1, 100) g"),
    );
    await db.query(sql("checkpoint"));
    const [{ path }] = (await db.query(sql("select pg_relation_filepath('broken') as path"))) as [{ path: string }];
    await db.close();
    const file = openSync(join(directory, path), "r+");
    writeSync(file, Buffer.alloc(2_000, 7), 0, 2_000, 8_192 + 3_000);
    const again = await open();
    expect(await failureOf(again.query(sql("select count(filler) from broken")))).to.include({
      code: "PLINTH_DATABASE_DAMAGED",
    });
  });
});

/** What a promise rejects with; undefined when it does not. */
function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
