import { setTimeout as sleep } from "node:timers/promises";
import { createPlinth, type PlinthApp } from "@plinth/core";
import { expect } from "chai";
import { loadFleet, send } from "../../../durability/fleet.js";
import { type PostgresCluster, startCluster } from "../../../postgres-cluster.js";

const WRITERS = 12;
/** Writes of each writer before the primary is killed, and after it has a successor. */
const PHASE = 5;
/** Milliseconds for which "there is no primary" is believed, and between a failed write and the next. */
const NO_PRIMARY_TIME = 250;
const PAUSE = 20;

describe("an app whose primary is killed under 12 writers", () => {
  let cluster: PostgresCluster;
  let plinth: PlinthApp;

  before(async () => {
    cluster = await startCluster(2, {
      synchronous_commit: "on",
      synchronous_standby_names: "ANY 1 (n0, n1, n2)",
    });
    plinth = createPlinth(await loadFleet({ client: "postgres", connection: cluster.url() }));
  });
  after(async () => {
    await plinth.stop();
    await cluster.close();
  });

  it("loses nothing that was acknowledged, stores nothing twice, and writes on soon after the promotion", async () => {
    const url = (await plinth.start()) ?? "";
    const [primary, ...standbys] = cluster.nodes as [(typeof cluster.nodes)[0], ...typeof cluster.nodes];
    const acknowledged: string[] = [];
    const written = Array<number>(WRITERS).fill(0);
    const eachWrites = async (count: number): Promise<void> => {
      const ends = written.map((so) => so + count);
      while (written.some((so, writer) => so < (ends[writer] ?? 0))) await sleep(PAUSE);
    };
    const failures: { readonly at: number; readonly status: number }[] = [];
    let isDone = false;
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; !isDone; n++) {
        const plate = `W${writer} ${n}`;
        const { status } = await send(url, "POST", "/api/cars", { plate });
        if (status < 300) {
          acknowledged.push(plate);
          written[writer]! += 1;
        } else {
          failures.push({ at: performance.now(), status });
          await sleep(PAUSE);
        }
      }
    };
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
    await eachWrites(PHASE);
    await primary.kill();
    const next = await furthest(standbys);
    await next.promote();
    const promoted = performance.now();
    const before = acknowledged.length;
    const failed = failures.length;
    for (const other of standbys) if (other !== next) await other.followNow(next);
    await eachWrites(PHASE);
    const healed = failures.length;
    await eachWrites(PHASE);
    isDone = true;
    await Promise.all(writers);

    const stored = await next.ask<{ plate: string }>("select plate from cars");
    const plates = stored.map(({ plate }) => plate);
    const lost = acknowledged.filter((plate) => !plates.includes(plate));
    const twice = plates.length - new Set(plates).size;
    const back = Math.max(0, ...failures.map(({ at }) => at)) - promoted;
    console.log(
      `[fleet] primary killed under ${WRITERS} writers: ${acknowledged.length} acknowledged, ${lost.length} lost, ${twice} twice, ` +
        `${failures.length} answered 503, ${healed - failed} of them after promotion, all 2xx ${Math.max(0, Math.round(back))} ms after it`,
    );
    expect(lost).to.deep.equal([]);
    expect(twice).to.equal(0);
    expect(new Set(failures.map(({ status }) => status))).to.deep.equal(new Set([503]));
    expect(healed - failed).to.be.at.most(WRITERS * (NO_PRIMARY_TIME / PAUSE + 2));
    expect(failures.length, "none fails once each has written").to.equal(healed);
    expect(before).to.be.greaterThan(0);
    expect(acknowledged.length - before).to.be.greaterThan(WRITERS);
  });
});

/** With one of two in sync, the one that has received most has everything that was acknowledged. */
async function furthest(standbys: PostgresCluster["nodes"]): Promise<PostgresCluster["nodes"][0]> {
  const received = await Promise.all(
    standbys.map(async (node) => {
      const [row] = await node.ask<{ bytes: string }>("select pg_last_wal_receive_lsn() - '0/0'::pg_lsn as bytes");
      return { node, bytes: Number(row?.bytes) };
    }),
  );
  const [first] = received.sort((a, b) => b.bytes - a.bytes);
  if (!first) throw new TypeError("No standby");
  return first.node;
}
