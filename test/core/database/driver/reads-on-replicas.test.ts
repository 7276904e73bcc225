import { expect } from "chai";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import type { DatabaseConfig } from "@plinth/core";
import { channels } from "@plinth/core/telemetry";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { listenTo } from "../../base/listen.js";
import { type PostgresCluster, startCluster } from "../../../postgres-cluster.js";
import { delayReplay, eventually, NOTE, noteApp } from "./note-app.js";

/** Ten thousand in a longer run. */
const READS = Number(process.env["PLINTH_REPLICA_READS"] ?? 400);
const AT_ONCE = 20;

describe("reads on replicas", function () {
  this.timeout(300_000 + READS * 60);
  let cluster: PostgresCluster;
  let test: TestApp;
  before("start a primary and two standbys", async () => {
    cluster = await startCluster(2, { synchronous_commit: "on" });
    const [primary, ...standbys] = cluster.nodes;
    const at = standbys.map((node) => node.url());
    const { database, ...options } = noteApp(primary!.url(), { at }, [contentApiPlugin, graphqlPlugin]);
    test = await createTestApp({ ...options, database: { ...(database as DatabaseConfig), statementTimeout: 0 } });
  });
  after("stop them", async () => {
    await test?.stop();
    await cluster?.close();
  });

  const replicas = () => test.app.db.replicas!;
  const onReplicas = () => replicas().pools.reduce((sum, db) => sum + db.statementCount, 0);
  const create = (title: string) => test.withBearer("editor-token").post("/api/notes", { data: { title } });
  /** How many statements the replicas got meanwhile. */
  const countOnReplicas = async (work: () => Promise<unknown>) => {
    const before = onReplicas();
    await work();
    return onReplicas() - before;
  };
  /** A replica that is late, on a busy machine too, is left out for as long. */
  const expectOneOnReplicas = (read: () => Promise<unknown>) =>
    eventually(async () => expect(await countOnReplicas(read)).to.equal(1));
  const untilUsed = () => expectOneOnReplicas(() => test.public.get("/api/notes"));

  const arrived = listenTo({ http: channels.http.start });

  it("answers the public from a replica, by REST and by GraphQL", async () => {
    await expectOneOnReplicas(() => test.public.get("/api/notes"));
    for (let i = 0; i < 3; i += 1) await expectOneOnReplicas(() => test.public.graphql("{ notes { title } }"));
  });

  it("answers those who signed in from the primary, unless they ask for less", async () => {
    await untilUsed();
    const editor = test.withBearer("editor-token");
    expect(await countOnReplicas(() => editor.get("/api/notes"))).to.equal(0);
    const headers = { "Plinth-Consistency": "eventual" };
    await expectOneOnReplicas(() => editor.get("/api/notes", { headers }));
  });

  it("answers whoever asks for strong consistency from the primary", async () => {
    const headers = { "Plinth-Consistency": "strong" };
    expect(await countOnReplicas(() => test.public.get("/api/notes", { headers }))).to.equal(0);
  });

  it("says in the answer of a write where it ended, as a header and as a cookie, and in no other answer", async () => {
    const written = await create("positioned");
    const position = written.headers.get("plinth-position");
    expect(position).to.match(/^00000001-[0-9A-F]+\/[0-9A-F]+$/);
    expect(written.headers.get("set-cookie")).to.equal(
      `plinth_position=${position}; Max-Age=10; Path=/; HttpOnly; SameSite=Lax`,
    );
    for (const answer of [await test.public.get("/api/notes"), await test.public.graphql("{ notes { title } }")]) {
      expect(answer.status).to.equal(200);
      expect(answer.headers.get("plinth-position")).to.equal(null);
      expect(answer.headers.get("set-cookie")).to.equal(null);
    }
    const mutation = 'mutation { createNote(data: { title: "mutated" }) { title } }';
    const mutated = await test.withBearer("editor-token").graphql(mutation);
    expect(mutated.body).to.deep.equal({ data: { createNote: { title: "mutated" } } });
    expect(mutated.headers.get("plinth-position")).to.match(/^00000001-/);
  });

  for (const [how, headersOf] of [
    ["header", (position: string) => ({ "Plinth-Position": position })],
    ["cookie", (position: string) => ({ Cookie: `other=1; plinth_position=${position}` })],
  ] as const)
    it(`shows a write to whoever brings its position back by ${how}, ${READS} of ${READS} times`, async () => {
      await untilUsed();
      let stale = 0;
      const reads = await countOnReplicas(async () => {
        for (let i = 0; i < READS / 2; i += 1) {
          const written = await create(`${how} ${i}`);
          const { documentId } = written.body.data;
          const headers = headersOf(written.headers.get("plinth-position") as string);
          if ((await test.public.get(`/api/notes/${documentId}`, { headers })).status !== 200) stale += 1;
          const listed = await test.public.get("/api/notes", { headers, query: { filters: { title: `${how} ${i}` } } });
          if (listed.body.meta.pagination.total !== 1 || listed.body.data.length !== 1) stale += 1;
        }
      });
      console.log(`[fleet] own writes by ${how}: ${stale} of ${READS} stale, ${reads} answered by replicas`);
      expect(stale).to.equal(0);
      expect(reads).to.be.greaterThan(0);
    });

  it("clamps a position that no primary has written yet", async () => {
    for (const position of ["00000001-FFFFFFF/FFFFFFFF", "000000FF-0/1"])
      await expectOneOnReplicas(() => test.public.get("/api/notes", { headers: { "Plinth-Position": position } }));
  });

  it("takes what is no position for none", async () => {
    const headers = { "Plinth-Position": "nonsense" };
    await expectOneOnReplicas(() => test.public.get("/api/notes", { headers }));
  });

  it("reads of a write, of code and in transactions stay on the primary", async () => {
    const documents = test.app.documents(NOTE);
    const reads = await countOnReplicas(async () => {
      await create("by an editor");
      await documents.findMany();
      await test.app.db.transaction(() => documents.findMany());
    });
    expect(reads).to.equal(0);
  });

  it("shares reads that are alike on each replica", async () => {
    await untilUsed();
    const standbys = cluster.nodes.slice(1);
    const reads = await countOnReplicas(async () => {
      arrived.http.length = 0;
      for (const node of standbys) node.freeze();
      const answers = Array.from({ length: 60 }, () => test.public.get("/api/notes?sort=title"));
      try {
        await eventually(async () => expect(arrived.http).to.have.length(60));
      } finally {
        for (const node of standbys) node.thaw();
      }
      const refused = (await Promise.all(answers)).filter(({ status }) => status !== 200);
      expect(refused.map(({ body }) => body)).to.deep.equal([]);
    });
    expect(reads).to.be.within(1, 6);
  });

  it("goes on with the other replica when one stops, and uses it again", async () => {
    const [, first] = cluster.nodes;
    await first!.stop();
    for (let i = 0; i < 50; i += 1) expect((await test.public.get("/api/notes")).status).to.equal(200);
    await first!.start();
    await untilUsed();
  });

  it("asks the primary where a replica answers no more", async () => {
    await untilUsed();
    const [, ...standbys] = cluster.nodes;
    for (const node of standbys) node.freeze();
    try {
      // Without an end of their own those that wait for a replica would wait until the test has failed.
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => test.public.get(`/api/notes?pagination[start]=${i}`)),
      );
      expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body)).to.deep.equal([]);
      expect(await countOnReplicas(() => test.public.get("/api/notes"))).to.equal(0);
    } finally {
      for (const node of standbys) node.thaw();
    }
    await untilUsed();
  });

  it("says when all replicas show a write, although they are behind", async () => {
    await untilUsed();
    const standbys = cluster.nodes.slice(1);
    for (const node of standbys) await delayReplay(node, "2s");
    const isShown = async (documentId: string) => {
      const text = `select count(*)::int as count from notes where document_id = '${documentId}'`;
      return (await Promise.all(standbys.map((node) => node.ask<{ count: number }>(text)))).every(
        ([row]) => row?.count === 1,
      );
    };
    try {
      const written = await create("waited for");
      const { documentId } = written.body.data;
      expect(await isShown(documentId)).to.equal(false);
      await replicas().allAt(written.headers.get("plinth-position") as string);
      expect(await isShown(documentId)).to.equal(true);
    } finally {
      for (const node of standbys) await delayReplay(node, "0");
    }
  });

  it("gives the primary what a replica 5 s behind has not replayed", async () => {
    for (const node of cluster.nodes.slice(1)) await delayReplay(node, "5s");
    try {
      let stale = 0;
      const readOwn = async (i: number) => {
        const written = await create(`late ${i}`);
        const headers = { "Plinth-Position": written.headers.get("plinth-position") as string };
        const { documentId } = written.body.data;
        if ((await test.public.get(`/api/notes/${documentId}`, { headers })).status !== 200) stale += 1;
      };
      for (let i = 0; i < READS; i += AT_ONCE)
        await Promise.all(Array.from({ length: AT_ONCE }, (_, j) => readOwn(i + j)));
      console.log(`[fleet] replica 5 s behind: ${stale} of ${READS} stale with a position`);
      expect(stale).to.equal(0);
      const unknowing = await create("not seen yet");
      const { documentId } = unknowing.body.data;
      expect((await test.public.get(`/api/notes/${documentId}`)).status).to.equal(404);
    } finally {
      for (const node of cluster.nodes.slice(1)) await delayReplay(node, "0");
    }
  });
});
