import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { connectDatabase } from "#core/database/driver/connect.js";
import type { Database } from "#core/database/driver/database.js";
import { clientAddress, describeConnection, hostsOf, isConnectionUrl } from "#core/database/driver/host-list.js";
import { Hosts } from "#core/database/driver/hosts.js";
import { type PostgresCluster, startCluster } from "../../../postgres-cluster.js";

const sql = (text: string, ...values: unknown[]) => ({ text, values });

/** Milliseconds for which "there is no primary" is believed, and between two tries to write. */
const NO_PRIMARY_TIME = 250;
const PAUSE = 20;

describe("a list of hosts in a connection", () => {
  const url = "postgres://app:p%40ss@db1,db2:5433,[::1]:6000/blog?sslmode=disable";

  it("names each with its port; the rest of the URL holds for all", () => {
    expect(hostsOf(url)).to.deep.equal([
      { host: "db1", port: 5432 },
      { host: "db2", port: 5433 },
      { host: "::1", port: 6000 },
    ]);
    expect(clientAddress(url)).to.deep.equal({ connectionString: "postgres://app:p%40ss@db1/blog?sslmode=disable" });
    expect(describeConnection(url)).to.equal("db1:5432,db2:5433,::1:6000/blog");
  });

  it("may be in the object form, whose port is that of hosts without one", () => {
    const connection = { host: "db1,db2:5433", port: 6432, database: "blog", user: "app" };
    expect(hostsOf(connection)).to.deep.equal([
      { host: "db1", port: 6432 },
      { host: "db2", port: 5433 },
    ]);
    expect(clientAddress(connection)).to.deep.equal({ host: "db1", port: 6432, database: "blog", user: "app" });
  });

  it("is no list with one host, which stays as it is written", () => {
    expect(hostsOf("postgres://app@db1:5433/blog")).to.deep.equal([]);
    expect(clientAddress("postgres://app@db1:5433/blog")).to.deep.equal({
      connectionString: "postgres://app@db1:5433/blog",
    });
    expect(hostsOf({ database: "blog" })).to.deep.equal([]);
  });

  it("is refused where a host is empty or a port is none", () => {
    expect(isConnectionUrl(url)).to.equal(true);
    for (const wrong of ["postgres://a,,b/blog", "postgres://a:0,b/blog", "postgres://a:x,b/blog", "nonsense", "a,b"])
      expect(isConnectionUrl(wrong), wrong).to.equal(false);
  });
});

describe("a connection with several hosts", () => {
  let cluster: PostgresCluster;
  const opened: Database[] = [];
  const open = async (connection: string) => {
    const db = await connectDatabase({ client: "postgres", connection, connectTimeout: 1_000 });
    opened.push(db);
    return db;
  };
  const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => undefined,
      (error: unknown) => error,
    );
  /** Tries to write again and again. @returns the tries that failed, and the milliseconds they took */
  const untilWritten = async (db: Database): Promise<{ readonly failed: number; readonly took: number }> => {
    const start = performance.now();
    let failed = 0;
    for (; await failureOf(db.query(sql("create table if not exists t()"))); failed += 1) await sleep(PAUSE);
    return { failed, took: performance.now() - start };
  };
  const portOf = async (db: Database) =>
    (await db.query<{ port: string }>(sql("select current_setting('port') as port")))[0]?.port;

  beforeEach(async () => {
    cluster = await startCluster(1);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((db) => db.close()));
    await cluster.close();
  });

  it("uses the one that takes writes, wherever it is in the list", async () => {
    const [primary, standby] = cluster.nodes;
    const db = await open(`postgres://plinth@${standby?.address},${primary?.address}/postgres`);
    expect(await portOf(db)).to.equal(String(primary?.port));
  });

  it("knows role and timeline of each", async () => {
    const [primary, standby] = cluster.nodes;
    const list = hostsOf(`postgres://plinth@${standby?.address},${primary?.address},127.0.0.1:1/postgres`);
    const hosts = new Hosts(list, { user: "plinth", database: "postgres" }, "here");
    const states = await hosts.look();
    expect(states.map(({ role, timeline }) => ({ role, timeline }))).to.deep.equal([
      { role: "standby", timeline: 1 },
      { role: "primary", timeline: 1 },
      { role: "unreachable", timeline: undefined },
    ]);
    expect(states[2]?.reason).to.include("ECONNREFUSED");
    expect(hosts.states).to.equal(states);
  });

  it("finds the next primary with one search for all, and leaves no statement hanging", async () => {
    const [primary, standby] = cluster.nodes;
    const db = await open(cluster.url());
    await Promise.all(Array.from({ length: 8 }, () => db.query(sql("select pg_sleep(0.05)"))));
    await primary?.kill();
    const failures = await Promise.all(Array.from({ length: 8 }, () => failureOf(db.query(sql("select 1")))));
    // A connection may hear that its server stops before it is cut.
    for (const failure of failures)
      expect(failure)
        .to.include({ status: 503 })
        .and.have.property("code")
        .that.is.oneOf(["PLINTH_DATABASE_UNREACHABLE", "PLINTH_DATABASE_STOPPING"]);
    await standby?.promote();
    const { failed, took } = await untilWritten(db);
    console.log(
      `[fleet] primary killed, idle: found again ${Math.round(took)} ms after promotion, ${failed} tries failed`,
    );
    expect(failed).to.be.at.most(NO_PRIMARY_TIME / PAUSE + 2);
    expect(await portOf(db)).to.equal(String(standby?.port));
  });

  it("moves to the higher timeline when two take writes, and to none when both are of one", async () => {
    const [primary, standby] = cluster.nodes;
    await standby?.promote();
    const db = await open(cluster.url());
    expect(await portOf(db)).to.equal(String(standby?.port));
    const apart = await startCluster(0);
    try {
      const both = `postgres://plinth@${primary?.address},${apart.nodes[0]?.address}/postgres`;
      const failure = await failureOf(open(both));
      expect(failure).to.include({ code: "PLINTH_DATABASE_TWO_PRIMARIES", status: 503 });
      console.log("[fleet] two primaries: the higher timeline is written to; on one timeline none, 503");
    } finally {
      await apart.close();
    }
  });

  it("leaves a primary that became a standby, with all connections at once", async () => {
    const [primary, standby] = cluster.nodes;
    const db = await open(cluster.url());
    await Promise.all(Array.from({ length: 4 }, () => db.query(sql("select pg_sleep(0.05)"))));
    await primary?.stop();
    await standby?.promote();
    primary?.followFrom(standby as typeof primary);
    await primary?.start();
    const { failed, took } = await untilWritten(db);
    console.log(
      `[fleet] address leads to a standby: the primary found again in ${Math.round(took)} ms, ${failed} tries failed`,
    );
    expect(failed, "statements that met one of the four old connections").to.be.at.most(1);
  });
});
