import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { eventually } from "../../core/database/driver/note-app.js";
import { type PostgresCluster, type PostgresNode, startCluster } from "../../postgres-cluster.js";
import { type MailServer, startMailServer } from "../../plugins/users-permissions/mail-server.js";
import { FaultyReceiver } from "../faulty-receiver.js";
import { MAILS, RECEIVER } from "./app.js";
import { changeMoods, describeRecoveries, planFaults, randomFrom, retried, runFaults, WORK } from "./faults.js";
import { Fleet } from "./fleet.js";
import { Load } from "./load.js";
import { type Ask, checkAll, countLeft, type Figures, findTorn } from "./promises.js";

/** How many faults: FAULTS for more. Which ones is said by the seed: FAULT_SEED to have the same again. */
const FAULTS = Number(process.env["FAULTS"] ?? 6);
const SEED = Number(process.env["FAULT_SEED"] ?? randomInt(1_000_000));
const PROCESSES = 2;
/** Milliseconds that a fault may take on a busy machine, and what is left to be done after all of them. */
const FAULT_TIME = 30_000;
const REST_TIME = 240_000;

/** What comes of a write is what the commit says; that it is on a disk is not what is tested. */
const DURABLE = { synchronous_commit: "on", full_page_writes: "on", max_connections: "100" };

describe("what comes after a write, while processes and PostgreSQL fail", function () {
  this.timeout(FAULTS * FAULT_TIME + 2 * REST_TIME);
  const receiver = new FaultyReceiver();
  let cluster: PostgresCluster;
  let node: PostgresNode;
  let fleet: Fleet;
  let load: Load | undefined;
  let mails: MailServer;

  before("start a receiver, a mail server, a server and two processes", async () => {
    await receiver.start();
    process.env[RECEIVER] = receiver.url;
    mails = await startMailServer();
    process.env[MAILS] = mails.url;
    cluster = await startCluster(0, DURABLE);
    node = cluster.nodes[0] as PostgresNode;
    fleet = new Fleet({ client: "postgres", connection: cluster.url() }, PROCESSES);
    await fleet.complete();
  });
  after("stop all", async () => {
    await load?.stop();
    await fleet?.stop();
    await receiver.stop();
    await mails?.close();
    await cluster?.close();
  });

  const ask: Ask = <Row extends object>(text: string) => retried(() => node.ask<Row>(text));

  it("every event is delivered in order, no job and no mail is lost, each second has its job, releases are whole, and all of it is noted", async () => {
    const random = randomFrom(SEED);
    const faults = planFaults(FAULTS, random);
    console.log(`      FAULT_SEED=${SEED}`);
    const start = performance.now();
    const clients = new Load(() => fleet.urls);
    load = clients;
    const torn: object[] = [];
    const look = async () => void torn.push(...(await findTorn(ask)));
    let isOver = false;
    const moods = changeMoods(receiver, () => isOver);
    const recoveries = await runFaults(faults, { node, fleet, random, load: clients }, look).finally(() => {
      isOver = true;
    });
    const ill = await moods;
    await clients.stop();
    const seconds = (performance.now() - start) / 1_000;
    await fleet.complete();
    const nothing = { jobs: 0, releases: 0, schedules: 0, deliveries: 0, events: 0 };
    await eventually(async () => expect(await countLeft(ask)).to.deep.equal(nothing), REST_TIME);
    // A tick that is being worked on.
    await sleep(1_000);
    await look();
    expect(torn, "releases that were seen in part").to.deep.equal([]);
    expect(fleet.deaths, "processes that died of it").to.equal(0);
    const { figures, words } = await checkAll(ask, clients, { receiver, mails: mails.received, url: fleet.urls[0] });
    console.log(
      `      [fleet] after a write: ${FAULTS} faults (median and longest time until ${WORK} requests are done again: ${describeRecoveries(recoveries)}; receiver ill ${ill} times); ` +
        `${clients.written} acknowledged writes; ${words}; other answers: ${describeRefusals(clients)}`,
    );
    const least = leastOf(clients.written, seconds);
    for (const [what, figure] of Object.entries(figures))
      expect(figure, `${what}, of which there have to be some`).to.be.at.least(least[what as keyof Figures]);
  });
});

/** Between two faults each kind of request is done once at least; the first release is one that is refused. */
const leastOf = (written: number, seconds: number): Figures => ({
  ...{
    events: Math.max(written, 2 * FAULTS),
    contested: 1,
    jobs: FAULTS,
    mails: FAULTS,
    ticks: Math.floor(seconds / 2),
  },
  ...{ done: 1, refused: 1, publications: FAULTS, entries: written },
});

const describeRefusals = ({ refusals }: Load): string =>
  [...refusals].map(([status, count]) => `${count} of ${status}`).join(", ") || "none";
