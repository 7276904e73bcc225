import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { databaseChecks } from "#core/app/database-checks.js";
import type { Database } from "#core/database/driver/database.js";
import { Health } from "#core/http/health.js";

/** The findings of the checks of a database whose primary fails, with so many replicas, on a machine whose clock is so far behind. */
async function findingsWith(usable: number, offset = 0): Promise<Readonly<Record<string, unknown>>> {
  const db = {
    kind: "postgres",
    ping: () => Promise.reject(new Error("no primary")),
    messages: { isListening: true },
    replicas: { usable, pools: [1, 2] },
  } as unknown as Database;
  const health = new Health();
  for (const check of databaseChecks(db, { offset })) health.add(check);
  health.begin();
  await wait(10);
  health.drain();
  return health.report().checks;
}

describe("the checks of a database without a primary", () => {
  it("are down where nobody answers reads, and degraded while replicas do", async () => {
    expect(await findingsWith(0)).to.deep.include({
      database: { status: "down", reason: "no primary" },
      replicas: { status: "degraded", usable: 0, all: 2 },
    });
    expect(await findingsWith(2)).to.deep.include({
      database: { status: "degraded", reason: "no primary" },
      replicas: { status: "ok", usable: 2, all: 2 },
    });
  });
});

describe("the check of a database", () => {
  it("asks the worker that has the tables, on Citus, whose coordinator answers without it", async () => {
    const askedOf = async (engine: Database["engine"]): Promise<readonly unknown[]> => {
      const asked: unknown[] = [];
      const db = { engine, ping: (text?: string) => void asked.push(text) } as unknown as Database;
      await databaseChecks(db, { offset: 0 })
        .find(({ name }) => name === "database")
        ?.run();
      return asked;
    };
    expect(await askedOf("citus")).to.deep.equal(["select 1 from plinth_schema"]);
    expect(await askedOf("postgres")).to.deep.equal([undefined]);
  });
});

describe("the check of the clock", () => {
  it("is degraded from over five seconds on, in both directions", async () => {
    const clockAt = async (offset: number) => (await findingsWith(1, offset))["clock"];
    for (const offset of [0, 5_000, -5_000])
      expect(await clockAt(offset)).to.deep.equal({ status: "ok", milliseconds: offset });
    for (const offset of [5_001, -5_001])
      expect(await clockAt(offset)).to.deep.equal({ status: "degraded", milliseconds: offset });
  });
});
