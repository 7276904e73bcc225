import type { App, Command } from "@plinth/core";
import { expect } from "chai";
import { examineChecks } from "#core/app/examine-checks.js";
import { LATE, Sealer } from "#plugins/audit/src/chain/sealer.js";
import type { Seals } from "#plugins/audit/src/chain/seals.js";
import { parseConfig } from "#plugins/audit/src/config.js";
import { ENTRIES } from "#plugins/audit/src/tables.js";
import { eitherDatabase } from "../../databases.js";
import { runCommand } from "../../run-command.js";
import { type AuditApp, sealAll, startAuditApp } from "./audit-app.js";

eitherDatabase("postgres", (database) => {
  describe("the chain of an audit log with entries that no code of the plugin writes", () => {
    let test: AuditApp;
    before("start an app", async () => {
      test = await startAuditApp(database);
    });
    after("stop it", () => test?.stop());

    const add = (at: string, details = "null") =>
      test.app.db.query({
        text: `insert into ${ENTRIES} (action, result, transport, at, details) values ('odd', 'accepted', 'code', '${at}', ${details})`,
        values: [],
      });
    const exported = async () => {
      let lines = "";
      for await (const line of test.audit.export({}, { seals: true })) lines += line;
      return lines;
    };
    /** Times of the entries, page by page. */
    const listed = async () => {
      const seen: string[] = [];
      for (let after: string | undefined; seen.length < 10; ) {
        const page = await test.audit.list({ action: "odd" }, { limit: 1, after });
        seen.push(...page.entries.map(({ at }) => at));
        if (page.next === null) return seen;
        after = page.next;
      }
      return seen;
    };

    it("is sealed, checked, listed and exported where a time is no date of JavaScript", async () => {
      await sealAll(test.audit);
      const times = ["infinity", "-infinity", "290000-01-01T00:00:00Z", "1960-02-03T00:00:00Z", "0044-03-15 BC"];
      for (const at of times) await add(at);
      const unsealed = { unsealed: times.length, unsealedSince: "-infinity" };
      expect(await test.audit.verify()).to.deep.include({ isWhole: true, ...unsealed });
      const verify = test.app.registry("command").get("audit verify") as Command;
      expect((await runCommand(verify, test.app as App)).stdout).to.include(
        "5 entries are not sealed yet, the oldest since -infinity.",
      );
      expect(await sealAll(test.audit)).to.equal(times.length);
      expect(await test.audit.verify()).to.deep.include({ isWhole: true, unsealed: 0, unsealedSince: null });
      const seen = await listed();
      expect(seen.slice(0, 3)).to.deep.equal(["infinity", "290000-01-01 00:00:00", "1960-02-03T00:00:00.000Z"]);
      expect([seen.length, seen[4]]).to.deep.equal([times.length, "-infinity"]);
      expect(await exported()).to.include('"at":"infinity"');
    });

    it("is late, for the health check, where entries wait for a seal", async () => {
      const late = async () => (await examineChecks(test.app.health)).filter(({ kind }) => kind === "late seals");
      await sealAll(test.audit);
      await add(new Date(Date.now() - 3_600_000).toISOString());
      expect(await late()).to.deep.equal([]);
      await sealAll(test.audit);
      const since = new Date(Date.now() - 2 * 3_600_000).toISOString();
      await add(since);
      const [found] = await late();
      expect(found).to.include({
        weight: "warning",
        where: "audit log",
        what: `entries wait for a seal since ${since}`,
      });
      expect(found?.advice).to.include("pg_stat_activity");
      await sealAll(test.audit);
      expect(await late()).to.deep.equal([]);
    });

    it("has no page after a time that no entry can have", async () => {
      for (const after of ["9999999999999999-1", "-9999999999999999-1", "infinite-1"]) {
        const refused = await test.audit.list({}, { after }).then(
          () => undefined,
          (error: Error) => error,
        );
        expect(refused).to.have.property("code", "PLINTH_AUDIT_SELECTION_INVALID");
      }
    });

    it("is sealed, checked, listed and exported where details are nested too deeply for recursion", async () => {
      const [deep, flat] = [4_500, 1_500].map((depth) => `${"[".repeat(depth)}1${"]".repeat(depth)}`);
      for (const text of [deep, flat]) await add("2030-01-01", `'{"b":${text},"a":{"d":true,"c":"x"}}'`);
      await sealAll(test.audit);
      expect(await test.audit.verify()).to.include({ isWhole: true, unsealed: 0 });
      const { entries } = await test.audit.list({ since: new Date("2029-12-31"), until: new Date("2030-01-02") });
      expect(entries.map(({ details }) => details?.["json"])).to.deep.equal([
        undefined,
        `{"a":{"c":"x","d":true},"b":${deep}}`,
      ]);
      expect(await exported()).to.include(`"b":${flat}`);
    });
  });
});

describe("a sealer of the audit log", () => {
  it("says once that it fails, and as an error when that has lasted for minutes, or where it cannot cut", async () => {
    const told: string[] = [];
    let now = 0;
    let fails = true;
    let tries = 0;
    const log = {
      warn: () => told.push("warning"),
      error: (_fields: object, text: string) => told.push(`error: ${text.split(":")[0]}`),
    };
    const held = { signal: new AbortController().signal, release: async () => undefined };
    const app = { log, clock: { now: () => now }, db: { hold: async () => held } } as unknown as App;
    const add = async () => {
      tries += 1;
      if (fails) throw new TypeError("as a chain that cannot be read");
      return { seals: [], entries: 0 };
    };
    const cut = async () => {
      throw new TypeError("as an entry of a time to come");
    };
    const seals = { add, cut } as unknown as Seals;
    const sealer = new Sealer(app, { ...parseConfig({}), seal: 0.001 }, seals);
    const severalTimes = async () => {
      for (const until = tries + 3; tries < until; ) await new Promise((resolve) => setTimeout(resolve, 1));
    };
    sealer.start();
    try {
      await severalTimes();
      now = LATE - 1;
      await severalTimes();
      expect(told).to.deep.equal(["warning"]);
      now = LATE;
      await severalTimes();
      const late = ["warning", "error: The audit log could not be sealed for minutes"];
      expect(told).to.deep.equal(late);
      fails = false;
      await severalTimes();
      fails = true;
      await severalTimes();
      expect(told).to.deep.equal([...late, "error: The audit log could not be cut", "warning"]);
    } finally {
      await sealer.stop();
    }
  });
});
