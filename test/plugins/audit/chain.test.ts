import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { CUT, ENTRIES, SEALS, SEQUENCE } from "#plugins/audit/src/tables.js";
import { verifyLatest } from "#plugins/audit/src/chain/verify.js";
import { hashOf } from "#plugins/audit/src/chain/hash.js";
import { channels, type DatabaseMessage } from "@plinth/core/telemetry";
import { expect } from "chai";
import { listenTo } from "../../core/base/listen.js";
import { eitherDatabase } from "../../databases.js";
import { type AuditApp, NOTE, sealAll, startAuditApp } from "./audit-app.js";

const DAY = 86_400_000;

/** A promise, and what fulfils it. */
function signal(): readonly [Promise<void>, () => void] {
  let fulfil: () => void = () => undefined;
  return [new Promise<void>((resolve) => (fulfil = resolve)), () => fulfil()];
}

const GUIDE = new URL("../../../plugins/audit/guides/audit.md", import.meta.url);

/** What the check of the guide says of an export. @throws where it does not find it whole */
async function checkAsTheGuide(lines: string): Promise<string> {
  const [, script = ""] = /```js file=check\.mjs\n(.*?)```/s.exec(await readFile(GUIDE, "utf8")) ?? [];
  const folder = await mkdtemp(join(tmpdir(), "plinth-audit-"));
  try {
    await writeFile(join(folder, "audit.jsonl"), lines);
    await writeFile(join(folder, "check.mjs"), script);
    return (await promisify(execFile)(process.execPath, ["check.mjs"], { cwd: folder })).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

eitherDatabase("postgres", (database) => {
  describe("the chain of the audit log", () => {
    const heard = listenTo({ db: channels.db.end });
    let test: AuditApp;
    before("start an app", async () => {
      test = await startAuditApp(database, { announce: true, days: 1 });
    });
    after("stop it", () => test?.stop());

    const query = <Row extends object>(text: string, values: readonly unknown[] = []) =>
      test.app.db.query<Row>({ text, values });
    const write = async (count: number) => {
      for (let n = 0; n < count; n += 1) await test.app.documents(NOTE).create({ data: { text: "x" } });
    };
    /** Three seals of two entries. */
    const writeSealed = async () => {
      for (let n = 0; n < 3; n += 1) {
        await write(2);
        await sealAll(test.audit);
      }
    };
    /** The seal that covers an entry: one alone, where what the app wrote beside it kept the next entry waiting. */
    const sealOf = async (entry: number) => {
      const [row] = await query<{ id: string }>(`select s.id::text as id from ${SEALS} s where ${entry} = any(s.ids)`);
      return Number(row?.id);
    };
    const lastIds = async (count: number) => {
      const rows = await query<{ id: string }>(
        `select e.id::text as id from ${ENTRIES} e order by e.id desc limit ${count}`,
      );
      return rows.map(({ id }) => Number(id)).toReversed();
    };
    /** As somebody does who owns the tables; then undoes it. */
    const tampered = async (statements: readonly string[], look: () => Promise<void>) => {
      const run = async (texts: readonly string[]) => {
        for (const table of [ENTRIES, SEALS]) await query(`alter table ${table} disable trigger user`);
        for (const text of texts) await query(text);
        for (const table of [ENTRIES, SEALS]) await query(`alter table ${table} enable trigger user`);
      };
      for (const table of [ENTRIES, SEALS]) await query(`create table saved_${table} as select * from ${table}`);
      await run(statements);
      try {
        await look();
      } finally {
        const restored = [ENTRIES, SEALS].flatMap((table) => [
          ...[`delete from ${table}`, `insert into ${table} select * from saved_${table}`, `drop table saved_${table}`],
        ]);
        await run(restored);
        expect(await test.audit.verify()).to.have.property("isWhole", true);
      }
    };
    const expectBreak = async (statements: readonly string[], expected: object) =>
      await tampered(statements, async () => {
        const found = await test.audit.verify();
        expect(found.isWhole).to.equal(false);
        expect(found.break).to.deep.include(expected);
      });

    /** Works as if it were then. The hash of a seal covers its time, so age is made by what it is compared with. */
    const asOf = async <T>(time: Date, work: () => Promise<T>): Promise<T> => {
      await query("create schema if not exists later");
      await query(
        "create or replace function later.now() returns timestamptz language sql as $$ select current_setting('later.now')::timestamptz $$",
      );
      const [path] = await query<{ path: string }>("select current_setting('search_path') as path");
      return await test.app.db.transaction(async () => {
        await query(`set local search_path = later, ${path?.path}, pg_catalog`);
        await query("select set_config('later.now', $1, true)", [time.toISOString()]);
        return await work();
      });
    };
    const inTwoDays = <T>(work: () => Promise<T>) => asOf(new Date(Date.now() + 2 * DAY), work);
    const exported = async () => {
      let lines = "";
      for await (const line of test.audit.export({}, { seals: true })) lines += line;
      return lines;
    };
    const refusalOf = async (work: Promise<unknown>): Promise<string> =>
      await work.then(
        () => "it was done",
        (refused: Error) => refused.message,
      );
    const headOf = async () => (await test.audit.head()) ?? expect.fail("nothing is sealed");

    it("covers what is settled, and says what is not sealed yet", async () => {
      await write(3);
      expect((await test.audit.verify()).unsealed).to.be.greaterThan(2);
      expect(await sealAll(test.audit)).to.be.greaterThan(2);
      const found = await test.audit.verify();
      expect(found).to.deep.include({ isWhole: true, break: null, unsealed: 0, cut: null });
      expect(found.head).to.deep.equal(await test.audit.head());
      const line = test.logged.findLast(({ msg }) => String(msg).startsWith("The audit log was sealed"));
      expect(line?.msg).to.equal(`The audit log was sealed: ${found.head?.id}:${found.head?.hash}`);
      expect(await test.audit.seal()).to.equal(0);
    });

    it("shows an entry that was changed, deleted, added, or swapped with another", async () => {
      await writeSealed();
      const [, , first, second] = (await lastIds(6)) as [number, number, number, number];
      const [seal, sealOfSecond] = [await sealOf(first), await sealOf(second)];
      const change = `update ${ENTRIES} set actor_id = 'somebody-else' where id = ${second}`;
      await expectBreak([change], { seal: sealOfSecond, entry: second, problem: "changed" });
      const endless = `update ${ENTRIES} set at = 'infinity' where id = ${second}`;
      await expectBreak([endless], { seal: sealOfSecond, entry: second, problem: "changed" });
      await expectBreak([`update ${ENTRIES} set at = at - interval '1 hour' where id = ${first}`], {
        seal,
        entry: first,
        problem: "changed",
      });
      await expectBreak([`delete from ${ENTRIES} where id = ${first}`], { seal, entry: first, problem: "missing" });
      const added = `insert into ${ENTRIES} (id, action, result, transport) values (0, 'x', 'accepted', 'code')`;
      await expectBreak([added.replace("(0,", "(-1,")], { seal: 1, problem: "added", entry: -1 });
      const swap = [
        `update ${ENTRIES} set id = -5 where id = ${first}`,
        `update ${ENTRIES} set id = ${first} where id = ${second}`,
        `update ${ENTRIES} set id = ${second} where id = -5`,
      ];
      await expectBreak(swap, { seal, entry: first, problem: "changed" });
    });

    it("shows a seal that was changed, deleted, or made anew", async () => {
      await writeSealed();
      const head = await test.audit.head();
      const last = head?.id ?? 0;
      await expectBreak([`update ${SEALS} set hash = repeat('a', 64) where id = ${last - 1}`], {
        seal: last - 1,
        problem: "changed",
      });
      const endless = `update ${SEALS} set at = '-infinity' where id = ${last}`;
      await expectBreak([endless], { seal: last, problem: "changed" });
      await expectBreak([`delete from ${SEALS} where id = ${last - 1}`], { seal: last - 1, problem: "missing" });
      await expectBreak([`delete from ${SEALS} where id = 1`], { seal: 1, problem: "missing" });
      // The entries and digests of one seal are changed together, and its own hash is right: the next one does not follow.
      const rows = await query<{ at: Date; last: string; ids: string[]; digests: string[]; previous: string }>(
        `select at, last::text as last, ids::text[] as ids, digests, previous from ${SEALS} where id = ${last - 1}`,
      );
      const { at, ids, digests, previous, ...row } = rows[0] as (typeof rows)[number];
      const covered = { ids: ids.slice(1), digests: digests.slice(1) };
      const hash = hashOf({ id: last - 1, at: at.toISOString(), last: Number(row.last), previous }, covered);
      const anew = [
        `delete from ${ENTRIES} where id = ${ids[0]}`,
        `update ${SEALS} set ids = ids[2:], digests = digests[2:], hash = '${hash}' where id = ${last - 1}`,
      ];
      await expectBreak(anew, { seal: last, problem: "changed" });
    });

    it("shows by a seal that was kept elsewhere that its end was cut off, or all of it made anew", async () => {
      await writeSealed();
      const head = await test.audit.head();
      const known = { id: head?.id ?? 0, hash: head?.hash ?? "" };
      expect(await test.audit.verify(known)).to.have.property("isWhole", true);
      await tampered(
        [
          `delete from ${SEALS} where id = ${known.id}`,
          `delete from ${ENTRIES} where id > (select max(last) from ${SEALS})`,
        ],
        async () => {
          expect(await test.audit.verify()).to.have.property("isWhole", true);
          expect((await test.audit.verify(known)).break).to.deep.equal({ seal: known.id, problem: "missing" });
        },
      );
      const other = { ...known, hash: "b".repeat(64) };
      expect((await test.audit.verify(other)).break).to.deep.equal({ seal: known.id, problem: "changed" });
    });

    it("refuses changes, also from somebody who may write to the database", async () => {
      await writeSealed();
      for (const table of [ENTRIES, SEALS])
        for (const text of [`update ${table} set id = id`, `delete from ${table}`, `truncate ${table}`]) {
          const error = await query(text).then(
            () => undefined,
            (refused: Error) => refused,
          );
          expect(`${error?.message}`, text).to.include("append only");
        }
      expect(await test.audit.verify()).to.have.property("isWhole", true);
    });

    const itOnServer = database.kind === "postgres" ? it : () => undefined;

    /** As a crash of the server may leave it. */
    const giveIdsAgain = async () => {
      const put = (to: string) => query(`select setval('${SEQUENCE}', (select max(id) from ${ENTRIES}) + ${to})`);
      await put("50");
      await test.audit.seal();
      await put("0");
    };

    itOnServer("waits for transactions that are under way, and seals their entries when they have ended", async () => {
      const other = await database.connect();
      await test.audit.seal();
      await giveIdsAgain();
      const [goOn, resolve] = signal();
      const [written, tell] = signal();
      const slow = other.transaction(async () => {
        await other.query({
          text: `insert into ${ENTRIES} (action, result, transport) values ('shop.slow', 'accepted', 'code')`,
          values: [],
        });
        tell();
        await goOn;
      });
      await written;
      await write(2);
      expect(await test.audit.seal()).to.equal(0);
      resolve();
      await slow;
      expect(await sealAll(test.audit)).to.equal(3);
      expect(await test.audit.verify()).to.deep.include({ isWhole: true, unsealed: 0 });
    });

    it("is written as JSON lines that anybody can check", async () => {
      await writeSealed();
      await write(1);
      const text = await exported();
      let [previous, covered, seals, entries] = ["0".repeat(64), "", 0, 0];
      const sha256 = (content: string) => createHash("sha256").update(content).digest("hex");
      for (const line of text.trimEnd().split("\n")) {
        const { seal, ...entry } = JSON.parse(line);
        if (!seal) {
          covered += `${entry.id} ${sha256(line)}\n`;
          entries += 1;
          continue;
        }
        expect(seal.previous).to.equal(previous);
        expect(sha256(`${seal.id} ${seal.at} ${seal.last} ${seal.previous}\n${covered}`)).to.equal(seal.hash);
        [previous, covered, seals] = [seal.hash, "", seals + 1];
      }
      const found = await test.audit.verify();
      expect([seals, entries]).to.deep.equal([found.seals, found.entries + found.unsealed]);
      expect(found.unsealed).to.equal(1);
      let some = "";
      for await (const line of test.audit.export({ uid: NOTE, action: "document.*" })) some += line;
      expect(some.split("\n").length).to.be.lessThan(text.split("\n").length);
      expect(() => test.audit.export({ uid: NOTE }, { seals: true })).to.throw(/seals are of all entries/);
    });

    it("is checked at its end alone, and only for a while, where somebody waits", async () => {
      await writeSealed();
      const whole = await test.audit.verify();
      expect(await test.audit.verifyLatest()).to.deep.equal({ ...whole, isAll: true, isDone: true });
      expect(await verifyLatest(test.app, { atLeast: 3 })).to.deep.include({
        ...{ isWhole: true, break: null, seals: 2, entries: 4, isAll: false, isDone: true },
        head: whole.head,
      });
      expect(await verifyLatest(test.app, { atLeast: 3, time: -1 })).to.deep.include({ isWhole: true, isDone: false });
      const ids = await lastIds(6);
      await tampered([`update ${ENTRIES} set action = 'x' where id = ${ids[5]}`], async () => {
        const { break: found } = await verifyLatest(test.app, { atLeast: 3 });
        expect(found).to.deep.equal({ seal: whole.head?.id, entry: ids[5], problem: "changed" });
      });
      await tampered([`update ${ENTRIES} set action = 'x' where id = ${ids[0]}`], async () => {
        expect(await verifyLatest(test.app, { atLeast: 3 })).to.include({ isWhole: true });
        expect(await test.audit.verifyLatest()).to.include({ isWhole: false });
      });
    });

    it("refuses to be cut of what is younger than days", async () => {
      await writeSealed();
      const { id } = await headOf();
      expect(await refusalOf(query(`select ${CUT}(${id}, 1)`))).to.include(`seal ${id} is younger than 1 day(s)`);
      expect(await refusalOf(query(`select ${CUT}(${id}, 0)`))).to.include("at least 1");
      await writeSealed();
      // The seal is old enough, and not what it covers.
      const late = `update ${ENTRIES} set at = now() + interval '3 days' where id = (select max(id) from ${ENTRIES} where id <= (select last from ${SEALS} where id = ${id}))`;
      await tampered([late], async () => {
        const refused = refusalOf(inTwoDays(() => query(`select ${CUT}(${id}, 1)`)));
        expect(await refused).to.include(`entry of seal ${id} is younger than 1 day(s)`);
      });
      expect(await refusalOf(query(`select ${CUT}(999999, 1)`))).to.include("no seal 999999");
      expect(await test.audit.verify()).to.include({ isWhole: true, cut: null });
    });

    it("shows a cut of what is younger than days, whoever made it", async () => {
      await writeSealed();
      const { id, hash } = await headOf();
      const cut = [
        `delete from ${ENTRIES} where id <= (select last from ${SEALS} where id = ${id})`,
        `delete from ${SEALS} where id < ${id}`,
        `insert into ${ENTRIES} (action, result, transport, details) values ('audit.cut', 'accepted', 'code', jsonb_build_object('seal', ${id}, 'hash', '${hash}'))`,
      ];
      await expectBreak(cut, { seal: id - 1, problem: "missing" });
      await tampered(cut, async () => {
        expect((await inTwoDays(() => test.audit.verify())).isWhole).to.equal(true);
        expect(await test.audit.verifyLatest()).to.include({ isWhole: false });
      });
    });

    it("shows by a seal that was kept elsewhere that all of it was made anew behind an old beginning", async () => {
      await writeSealed();
      const { id, hash } = await headOf();
      const at = new Date(Date.now() - 9 * DAY).toISOString();
      const anchor = { id: id + 1_000, at, last: 100_000, previous: "f".repeat(64) };
      const made = hashOf(anchor, { ids: [], digests: [] });
      const forged = [
        `delete from ${ENTRIES}`,
        `delete from ${SEALS}`,
        `insert into ${SEALS} values (${anchor.id}, '${at}', ${anchor.last}, '{}', '{}', '${anchor.previous}', '${made}')`,
        `insert into ${ENTRIES} (id, action, result, transport, details) values (100001, 'audit.cut', 'accepted', 'code', jsonb_build_object('seal', ${anchor.id}, 'hash', '${made}'))`,
      ];
      await tampered(forged, async () => {
        const found = await test.audit.verify({ id, hash });
        expect(found).to.deep.include({ isWhole: false, break: { seal: id, problem: "missing" } });
      });
    });

    it("is exported in parts, also what is not sealed yet", async () => {
      await writeSealed();
      await write(1_203);
      const statements = heard.db as DatabaseMessage[];
      const start = statements.length;
      const lines = (await exported()).trim().split("\n");
      expect(lines.filter((line) => !line.startsWith('{"seal"')).length).to.be.greaterThan(1_203);
      const rows = statements.slice(start).map(({ rows: count = 0 }) => count);
      expect(Math.max(...rows)).to.be.lessThan(501);
      await test.audit.seal();
      const sealedFrom = statements.length;
      expect(await checkAsTheGuide(await exported())).to.equal("The chain is whole.\n");
      const sealedRows = statements.slice(sealedFrom).map(({ rows: count = 0 }) => count);
      expect(Math.max(...sealedRows)).to.be.lessThan(501);
    });

    it("is cut by age up to a seal, which stays as its beginning; a cut that nothing tells of is a break", async () => {
      await writeSealed();
      const before = await test.audit.verify();
      const known = { id: before.head?.id ?? 0, hash: before.head?.hash ?? "" };
      expect(await test.audit.cut()).to.equal(0);
      const [first] = await query<{ at: Date }>(`select at from ${SEALS} where id = 1`);
      const firstIsOld = new Date((first?.at.getTime() ?? 0) + DAY + 1);
      expect(await asOf(firstIsOld, () => test.audit.cut()), "the first seal alone is no beginning").to.equal(0);
      expect(await refusalOf(asOf(firstIsOld, () => query(`select ${CUT}(1, 1)`)))).to.include("first seal");
      expect(await checkAsTheGuide(await exported())).to.equal("The chain is whole.\n");
      // As a database has it whose tables were made before it asked for an age.
      await query(`drop function ${CUT}(bigint, int)`);
      await query(`create function ${CUT}(upto bigint) returns bigint language sql as 'select 0::bigint'`);
      const gone = await inTwoDays(() => test.audit.cut());
      expect(gone).to.equal(before.entries);
      const [old] = await query<{ name: string | null }>(`select to_regprocedure('${CUT}(bigint)')::text as name`);
      expect(old?.name).to.equal(null);
      expect(await inTwoDays(() => test.audit.cut())).to.equal(0);
      await write(1);
      await test.audit.seal();
      expect(await checkAsTheGuide(await exported())).to.equal("The chain is whole.\n");
      await inTwoDays(async () => {
        const after = await test.audit.verify();
        expect(after).to.deep.include({ isWhole: true, entries: 2 });
        expect(after.cut).to.deep.include(known);
        expect(await test.audit.verify(known)).to.have.property("isWhole", true);
        const older = { id: known.id - 1, hash: "a".repeat(64) };
        expect((await test.audit.verify(older)).break).to.deep.equal({ seal: older.id, problem: "missing" });
        await expectBreak([`delete from ${SEALS} where id = ${known.id}`], { seal: known.id, problem: "missing" });
        await expectBreak(
          [`insert into ${ENTRIES} (id, action, result, transport) values (1, 'x', 'accepted', 'code')`],
          { seal: known.id, entry: 1, problem: "added" },
        );
      });
      expect((await test.audit.verify()).break, "by the longer retention").to.deep.equal({
        ...{ seal: known.id - 1, problem: "missing" },
      });
    });
  });
});
