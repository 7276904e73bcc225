import { expect } from "chai";
import { examineClock } from "#core/database/doctor/clock-offset.js";
import { judgeConnections } from "#core/database/doctor/connections.js";
import { judgeDeltas } from "#core/database/doctor/deltas-bloat.js";
import type { Finding } from "#core/database/doctor/finding.js";
import { judgeGrowth } from "#core/database/doctor/growth.js";
import { examineNode } from "#core/database/doctor/node-version.js";
import { judgeAges } from "#core/database/doctor/old-transactions.js";
import { judgePooler } from "#core/database/doctor/pooler-kind.js";
import { examineSession } from "#core/database/doctor/session.js";
import { judgeSlots } from "#core/database/doctor/slots.js";
import { judgeReplication } from "#core/database/doctor/standbys.js";
import { modelOf, type } from "../../schema/raw-schemas.js";
import { LOCALIZED } from "../sync/synced.js";

const told = (findings: readonly Finding[]) => findings.map(({ weight, kind }) => `${weight}: ${kind}`);

describe("what plinth doctor says of what it reads", () => {
  it("weighs connections of all processes against what the server gives", () => {
    expect(told(judgeConnections({ processes: 8, pool: 10, available: 97 }))).to.deep.equal([]);
    expect(told(judgeConnections({ processes: 9, pool: 10, available: 97 }))).to.deep.equal([
      "error: too few connections",
    ]);
  });

  it("weighs old transactions, prepared ones, snapshots and the age of transaction ids", () => {
    const young = { transaction: 599, holder: "pid 1", snapshot: 1_000, prepared: null, frozen: 200_000_000 };
    const of = (ages: Partial<Parameters<typeof judgeAges>[0]>) => told(judgeAges({ ...young, ...ages }));
    expect(of({})).to.deep.equal([]);
    expect(of({ transaction: 601 })).to.deep.equal(["warning: old transaction"]);
    expect(of({ transaction: null, prepared: 90_000 })).to.deep.equal(["error: old transaction"]);
    expect(of({ snapshot: 2_000_000 })).to.deep.equal(["warning: old snapshot"]);
    expect(of({ frozen: 1_100_000_000 })).to.deep.equal(["warning: wraparound"]);
    expect(of({ frozen: 1_700_000_000 })).to.deep.equal(["error: wraparound"]);
  });

  it("weighs standbys, and how many of them commits wait for", () => {
    const standby = (name: string, sync: string, lag: number | null = 0) => ({ name, state: "streaming", sync, lag });
    const of = (names: string, commit: string, ...standbys: readonly ReturnType<typeof standby>[]) =>
      told(judgeReplication({ standbys, names, commit }));
    expect(of("", "on", standby("a", "async", null))).to.deep.equal([]);
    expect(of("", "on", standby("a", "async", 11))).to.deep.equal(["warning: standby behind"]);
    expect(of("ANY 1 (a, b)", "on", standby("a", "quorum"), standby("b", "quorum"))).to.deep.equal([]);
    expect(of("ANY 1 (a, b)", "on", standby("a", "quorum"))).to.deep.equal(["warning: commits wait"]);
    expect(of("FIRST 2 (a, b)", "on", standby("a", "sync"))).to.deep.equal(["error: commits wait"]);
    expect(of("a", "on")).to.deep.equal(["error: commits wait"]);
    expect(of("a", "local")).to.deep.equal([]);
  });

  it("weighs slots by the log that is kept for them", () => {
    const slot = (kept: number | null) => ({ name: "forgotten", kept, status: "reserved" });
    expect(told(judgeSlots([slot(null), slot(1_000)]))).to.deep.equal([
      "warning: inactive slot",
      "warning: inactive slot",
    ]);
    expect(told(judgeSlots([slot(2 ** 31)]))).to.deep.equal(["error: inactive slot"]);
  });

  it("knows the pooler that is configured from the one that is there", () => {
    for (const kind of ["none", "session", "transaction"] as const) expect(judgePooler(kind, kind)).to.deep.equal([]);
    expect(told(judgePooler("transaction", "none"))).to.deep.equal(["error: pooler"]);
    expect(told(judgePooler("none", "transaction"))).to.deep.equal(["warning: pooler"]);
  });

  it("weighs the clock, the size of the deltas, and the end of a version of Node", () => {
    expect([100, -501, 5_001].map((offset) => told(examineClock({ offset })))).to.deep.equal([
      [],
      ["warning: clock"],
      ["error: clock"],
    ]);
    expect(judgeDeltas({ bytes: 2 ** 20, live: 10, dead: 10 })).to.deep.equal([]);
    expect(told(judgeDeltas({ bytes: 2 ** 27, live: 10, dead: 10 }))).to.deep.equal(["warning: bloat"]);
    const at = (day: string) => Date.parse(day);
    expect(examineNode("22.11.0", at("2026-11-23"))).to.deep.equal([]);
    expect(told(examineNode("22.11.0", at("2027-03-01")))).to.deep.equal(["hint: end of life"]);
    expect(told(examineNode("20.19.1", at("2026-05-01")))).to.deep.equal(["warning: end of life"]);
    expect(examineNode("99.0.0", at("2026-05-01"))).to.deep.equal([]);
  });

  it("weighs tables by their size, links by their number, and shared attributes by the locales", () => {
    const size = { table: "posts", bytes: 2 ** 30, rows: 1e6, holdsLinks: false };
    const model = modelOf([type("post", { title: { type: "string" } }, LOCALIZED)]);
    expect(judgeGrowth([size], model)).to.deep.equal([]);
    expect(told(judgeGrowth([{ ...size, bytes: 2 ** 38 }], model))).to.deep.equal(["warning: large table"]);
    const links = { table: "posts_links", bytes: 2 ** 38, rows: 1.2e9, holdsLinks: true };
    expect(told(judgeGrowth([links], model))).to.deep.equal(["warning: many links"]);
    const locales = Array.from({ length: 11 }, (_, index) => `x${index}`);
    expect(told(judgeGrowth([size], { ...model, locales }))).to.deep.equal(["hint: many locales"]);
  });

  it("says what is wrong with sessions, and that nothing is heard", async () => {
    const messages = { isListening: false } as never;
    expect(told(await examineSession({ fault: undefined, messages }))).to.deep.equal(["error: listener"]);
    const fault = { message: "search_path differs" } as never;
    const hearing = { isListening: true } as never;
    expect(told(await examineSession({ fault, messages: hearing }))).to.deep.equal(["error: session settings"]);
  });
});
