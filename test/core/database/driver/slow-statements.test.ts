import { expect } from "chai";
import type { DatabaseConfig } from "#core/database/driver/connect.js";
import { connectDatabase } from "#core/database/driver/connect.js";
import type { Database } from "#core/database/driver/database.js";
import { planHash, SlowStatements } from "#core/database/driver/slow-statements.js";
import { eachDatabase } from "../../../databases.js";

type Line = Readonly<Record<string, unknown>>;

/** Takes twice the limit, since the embedded database sleeps by the clock of the day, not by that of the measurement. */
const SLEEP = "pg_sleep(0.2)";
const SLOW = `select kept, generate_series(1, 3) from (select ${SLEEP}, $1::text as kept offset 0) as slept`;
const SECRET = "value-of-somebody";

describe("slow statements", () => {
  eachDatabase((database) => {
    let db: Database;
    const lines: Line[] = [];
    const open = (more: object) => connectDatabase({ ...database.config(), ...more } as DatabaseConfig, log);
    const log = { warn: (details: object) => void lines.push(details as Line) };

    before(async () => {
      db = await open({ slowStatement: 100 });
    });
    after(() => db.close());
    beforeEach(() => lines.splice(0));

    it("are logged with their plan, time and rows, and without values", async () => {
      await db.query({ text: SLOW, values: [SECRET] });
      await db.query({ text: "select 1 as quick", values: [] });
      expect(lines).to.have.length(1);
      const [line] = lines;
      expect(line).to.include({ plan: planHash(SLOW), node: "primary", kind: "read", rows: 3, statements: 1 });
      expect(line?.["ms"]).to.be.within(100, 10_000);
      expect(line?.["waited"]).to.be.a("number");
      expect(JSON.stringify(lines)).not.to.contain(SECRET);
    });

    it("are those of transactions and builders, too", async () => {
      await db.transaction(async () => {
        await db.queryAll([{ text: SLOW, values: [SECRET] }]);
      });
      await db.knex.raw(`select ${SLEEP}, ? as kept`, [SECRET]);
      expect(lines.map(({ kind }) => kind)).to.deep.equal(["batch", "read"]);
      expect(lines.every(({ plan }) => /^[0-9a-f]{16}$/.test(String(plan)))).to.equal(true);
      expect(JSON.stringify(lines)).not.to.contain(SECRET);
    });

    it("are those that failed, and none where that is turned off", async () => {
      await db.query({ text: `select ${SLEEP}, 1 / (random() * 0)::int`, values: [] }).catch(() => undefined);
      expect(lines).to.have.length(1);
      const off = await open({ slowStatement: 0 });
      await off.query({ text: SLOW, values: [SECRET] });
      await off.close();
      expect(lines).to.have.length(1);
    });
  });

  it("say how long they waited for a connection", () => {
    const lines: Line[] = [];
    const slow = new SlowStatements(500, { warn: (details: object) => void lines.push(details as Line) }, "replica");
    const statement = { text: "select 1", kind: "read", statements: 1, rows: 1 } as const;
    slow.note({ ...statement, waited: 100, duration: 300 });
    expect(lines).to.have.length(0);
    slow.note({ ...statement, waited: 450.4, duration: 60.2 });
    expect(lines[0]).to.include({ ms: 60, waited: 450, node: "replica" });
  });

  it("have ten lines a second at most, and say how many were left out", () => {
    const lines: Line[] = [];
    let now = 5_000;
    const log = { warn: (details: object) => void lines.push(details as Line) };
    const slow = new SlowStatements(1, log, "primary", () => now);
    const note = () => slow.note({ text: "select 1", kind: "read", statements: 1, rows: 0, waited: 0, duration: 5 });
    for (let i = 0; i < 1000; i += 1) note();
    expect(lines).to.have.length(10);
    now += 1000;
    note();
    expect(lines.at(-1)).to.include({ leftOut: 990 });
  });
});
