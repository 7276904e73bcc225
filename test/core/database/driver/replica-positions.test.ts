import { setTimeout as sleep } from "node:timers/promises";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { formatPosition, laterOf, parsePosition } from "#core/database/driver/position.js";
import { PrimaryLog } from "#core/database/driver/primary-log.js";
import { type PostgresCluster, type PostgresNode, startCluster } from "../../../postgres-cluster.js";
import { eventually, noteApp } from "./note-app.js";

describe("a position", () => {
  it("is a timeline and a place in the log, in hexadecimal", () => {
    expect(parsePosition("0000000A-1/FF")).to.deep.equal({ timeline: 10, lsn: 2 ** 32 + 255 });
    expect(formatPosition({ timeline: 10, lsn: 2 ** 32 + 255 })).to.equal("0000000A-1/FF");
    for (const text of ["", "1", "1-2", "1-/2", "g-0/1", "1-0/1 ", "1-0/123456789", "1-0/1; x"])
      expect(parsePosition(text), text).to.equal(undefined);
  });

  it("behind the header of a page is where the page begins: no standby comes there before the next record", () => {
    expect(parsePosition("1-0/2018")?.lsn).to.equal(0x2000);
    expect(parsePosition("1-0/1000028")?.lsn).to.equal(0x1000000);
    expect(parsePosition("1-0/2028")?.lsn).to.equal(0x2028);
  });

  it("is later on a later timeline, else further on", () => {
    const [a, b, c] = [
      { timeline: 1, lsn: 9 },
      { timeline: 1, lsn: 10 },
      { timeline: 2, lsn: 1 },
    ] as const;
    expect(laterOf(a, b)).to.equal(b);
    expect(laterOf(c, b)).to.equal(c);
    expect(laterOf(undefined, a)).to.equal(a);
  });
});

describe("the log of a primary", () => {
  const at = (lsn: number, timeline = 1) => ({ timeline, lsn });

  it("says how long ago the primary was where a replica is", () => {
    const log = new PrimaryLog(1_000);
    expect(log.lagOf(at(5), 0)).to.equal(Number.POSITIVE_INFINITY);
    log.add(at(10), 0);
    log.add(at(20), 100);
    expect(log.lagOf(at(20), 5_000)).to.equal(0);
    expect(log.lagOf(at(15), 300)).to.equal(200);
    expect(log.lagOf(at(9), 300)).to.equal(Number.POSITIVE_INFINITY);
  });

  it("keeps no more than it needs, and begins anew on another timeline", () => {
    const log = new PrimaryLog(1_000);
    for (let i = 0; i < 1_000; i += 1) log.add(at(i), i * 50);
    expect(log.lagOf(at(990), 50_000)).to.be.within(400, 600);
    expect(log.lagOf(at(900), 50_000)).to.equal(Number.POSITIVE_INFINITY);
    log.add(at(500, 2), 50_050);
    expect(log.position).to.deep.equal(at(500, 2));
    expect(log.lagOf(at(500, 2), 60_000)).to.equal(0);
  });
});

/** What Aurora has, made of what PostgreSQL has. */
const AURORA = `
  create function aurora_db_instance_identifier() returns text language sql as $$ select current_setting('cluster_name') $$;
  create function aurora_replica_status() returns table (server_id text, session_id text, durable_lsn bigint, current_read_lsn bigint)
    language sql as $$ select current_setting('cluster_name'),
      case when pg_is_in_recovery() then 'f0e1' else 'MASTER_SESSION_ID' end,
      case when not pg_is_in_recovery() then (pg_current_wal_flush_lsn() - '0/0')::bigint end,
      case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::bigint end $$`;

describe("positions of other services", () => {
  let cluster: PostgresCluster;
  let test: TestApp | undefined;
  before("start a primary and a standby", async () => {
    cluster = await startCluster(1, { synchronous_commit: "on" });
  });
  afterEach("stop the app", () => test?.stop());
  after("stop them", () => cluster?.close());

  const start = async (replicas: object): Promise<TestApp> => {
    const [primary, standby] = cluster.nodes as [PostgresNode, PostgresNode];
    const options = noteApp(primary.url(), { at: [standby.url()], ...replicas }, [contentApiPlugin]);
    test = await createTestApp(options);
    return test;
  };
  const reads = (app: TestApp) => app.app.db.replicas?.pools[0]?.statementCount ?? 0;
  const untilUsed = (app: TestApp) =>
    eventually(async () => {
      const before = reads(app);
      await app.public.get("/api/notes");
      expect(reads(app)).to.be.greaterThan(before);
    });
  const create = (app: TestApp) => app.withBearer("editor-token").post("/api/notes", { data: { title: "a" } });

  it("a server that does not say where it is keeps its reads, and loses no write", async () => {
    const app = await start({ position: "aurora" });
    for (let i = 0; i < 4; i += 1) expect((await create(app)).status).to.equal(201);
    const before = reads(app);
    expect((await app.public.get("/api/notes")).body.meta.pagination.total).to.equal(4);
    expect(reads(app)).to.equal(before);
  });

  it("aurora: asks aurora_replica_status()", async () => {
    await cluster.nodes[0]?.ask(AURORA);
    const app = await start({ position: "aurora" });
    await untilUsed(app);
    for (let i = 0; i < 50; i += 1) {
      const written = await create(app);
      const position = written.headers.get("plinth-position") as string;
      expect(position).to.match(/^00000001-[0-9A-F]+\/[0-9A-F]+$/);
      const headers = { "Plinth-Position": position };
      const found = await app.public.get(`/api/notes/${written.body.data.documentId}`, { headers });
      expect(found.status).to.equal(200);
    }
    await untilUsed(app);
  });

  it("time: leaves replicas out for maxLag after each write of the process", async () => {
    const app = await start({ position: "time", maxLag: 600 });
    await untilUsed(app);
    const written = await create(app);
    const before = reads(app);
    expect((await app.public.get(`/api/notes/${written.body.data.documentId}`)).status).to.equal(200);
    expect(reads(app)).to.equal(before);
    await sleep(700);
    await untilUsed(app);
    const headers = { "Plinth-Position": written.headers.get("plinth-position") as string };
    const later = reads(app);
    await app.public.get("/api/notes", { headers });
    expect(reads(app)).to.equal(later + 1);
  });

  it("readers all: who signed in reads from replicas, with their positions", async () => {
    const app = await start({ readers: "all" });
    await untilUsed(app);
    const editor = app.withBearer("editor-token");
    const before = reads(app);
    const written = await create(app);
    const headers = { Cookie: `plinth_position=${written.headers.get("plinth-position")}` };
    const found = await editor.get(`/api/notes/${written.body.data.documentId}`, { headers });
    expect(found.status).to.equal(200);
    expect(reads(app)).to.equal(before + 1);
  });
});
