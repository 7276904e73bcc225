import { setTimeout as sleep } from "node:timers/promises";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { type PostgresCluster, type PostgresNode, startCluster } from "../../../postgres-cluster.js";
import { medianOf, timeOf } from "../../../usual-time.js";
import { eventually, NOTE, noteApp } from "./note-app.js";

const ALONE = 3_000;

describe("replicas without a primary", () => {
  let cluster: PostgresCluster;
  let test: TestApp;
  before("start a primary and a standby, as the hosts of one connection", async () => {
    cluster = await startCluster(1, { synchronous_commit: "on" });
    const options = noteApp(cluster.url(), { at: "hosts", alone: ALONE }, [contentApiPlugin, usersPermissionsPlugin]);
    const permissions = { public: [`${NOTE}.find`], authenticated: "all" };
    test = await createTestApp({ ...options, config: { permissions } });
  });
  after("stop them", async () => {
    await test?.stop();
    await cluster?.close();
  });

  const read = async () => (await test.public.get("/api/notes")).status;
  const readsOnReplicas = () => (test.app.db.replicas?.pools ?? []).reduce((sum, pool) => sum + pool.statementCount, 0);
  const write = () => test.app.documents(NOTE).create({ data: { title: "written" } });

  it("answer the public while the primary is slow, and what it is asked meanwhile waits for it", async () => {
    const [primary] = cluster.nodes as [PostgresNode];
    await write();
    await eventually(async () => expect(await read()).to.equal(200));
    primary.freeze();
    let written: Promise<unknown>;
    try {
      await sleep(2_000);
      expect(await read()).to.equal(200);
      written = write();
    } finally {
      primary.thaw();
    }
    await written;
  });

  it("refuse writes at once where the primary is silent for long, until it answers again", async () => {
    const [primary] = cluster.nodes as [PostgresNode];
    primary.freeze();
    try {
      await eventually(async () => expect(test.app.db.replicas?.isAlone).to.equal(true));
      const refused = await write().catch((error: unknown) => error);
      expect(refused).to.include({ code: "PLINTH_DATABASE_UNREACHABLE" });
    } finally {
      primary.thaw();
    }
    await eventually(write);
    expect(test.app.db.replicas?.isAlone).to.equal(false);
  });

  it("answer the public for a while, refuse writes at once, and follow the next primary", async () => {
    const [primary, standby] = cluster.nodes as [PostgresNode, PostgresNode];
    await write();
    const before = readsOnReplicas();
    await eventually(async () => {
      expect(await read()).to.equal(200);
      expect(readsOnReplicas()).to.be.greaterThan(before);
    });
    await primary.kill();
    const killed = performance.now();
    await eventually(async () => expect(test.app.db.replicas?.isAlone).to.equal(true));
    const isAnswering = () => performance.now() - killed < ALONE;
    const [reads, refusals]: [number[], number[]] = [[], []];
    while (performance.now() - killed < ALONE / 2) {
      let status = 0;
      reads.push(await timeOf(async () => (status = await read())));
      if (isAnswering()) expect(status).to.equal(200);
      let refusal: unknown;
      refusals.push(await timeOf(() => write().catch((error: unknown) => (refusal = error))));
      expect((refusal as { readonly code: string }).code).to.equal("PLINTH_DATABASE_UNREACHABLE");
      await sleep(20);
    }
    console.log(
      `[fleet] no primary: ${reads.length} of ${reads.length} public reads answered in ${medianOf(reads).toFixed(1)} ms, writes refused in ${medianOf(refusals).toFixed(1)} ms`,
    );
    expect(medianOf(refusals)).to.be.lessThan(5 * medianOf(reads));

    await sleep(ALONE);
    expect(await read()).to.equal(503);

    await standby.promote();
    const promoted = performance.now();
    await eventually(write);
    expect(await read()).to.equal(200);
    console.log(`[fleet] after a promotion: written again in ${Math.round(performance.now() - promoted)} ms`);
    expect(test.app.db.replicas?.written).to.match(/^00000002-/);
  });
});
