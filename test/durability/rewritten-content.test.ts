import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import pg from "pg";
import type { Database } from "#core/database/driver/database.js";
import { planSync } from "#core/database/sync/plan-sync.js";
import { wholeBecause } from "#core/database/sync/step.js";
import { syncDatabase } from "#core/database/sync/sync-database.js";
import { buildModel } from "#core/schema/build-model.js";
import { component, type } from "../core/schema/raw-schemas.js";
import { serverDatabase } from "../databases.js";
import type { Rewriting } from "./rewrite-process.js";

const PROCESS = fileURLToPath(new URL("./rewrite-process.ts", import.meta.url));
const FROM_SOURCE = ["--conditions=plinth-source", "--no-experimental-require-module", "--import=tsx"];
const DOCUMENTS = 2_500;
/** The part of a rewriting that the longest request of others may take. */
const BEARABLE = 1 / 2;

const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };
const seo = { type: "component", component: "shared.seo" } as const;
/** Before: one card, its title, and a rank in each locale. */
const OLD = {
  contentTypes: [
    type(
      "post",
      { title: { type: "string" }, seo, card: { ...seo }, rank: { type: "integer", ...LOCALIZED } },
      LOCALIZED,
    ),
  ],
  components: [component("shared.seo", { title: { type: "string" } })],
};
/** After: a list of cards in a column of another name, a heading, and one rank for all locales. */
const NEW = {
  contentTypes: [
    type(
      "post",
      {
        title: { type: "string" },
        seo,
        cards: { ...seo, repeatable: true, renamedFrom: "card" },
        rank: { type: "integer" },
      },
      LOCALIZED,
    ),
  ],
  components: [component("shared.seo", { heading: { type: "string", renamedFrom: "title" } })],
};

describe("content that is rewritten while others read and write", () => {
  const database = serverDatabase();
  if (!database) return;
  let db: Database;
  const rows = (text: string, ...values: unknown[]) => db.query({ text, values });
  before(async () => {
    db = await database.connect();
    await syncDatabase(db, buildModel(OLD));
    await rows(
      `insert into posts (document_id, locale, published_at, title, seo, card, rank)
       select 'd' || lpad(n::text, 5, '0'), locale, now(), 'T' || n, s, s, n + length(locale)
       from generate_series(1, ${DOCUMENTS}) n, (values ('en'), ('fra')) l(locale),
       lateral (select jsonb_build_object('id', n, 'title', 'T' || n)) c(s)`,
    );
  });

  const rewrite = () => {
    const given: Rewriting = { database: database.config(), ...NEW };
    return fork(PROCESS, [JSON.stringify(given)], { execArgv: FROM_SOURCE });
  };
  const countOf = async (condition: string) =>
    Number((await rows(`select count(distinct document_id) as n from posts where ${condition}`))[0]?.["n"]);
  const until = async (condition: () => Promise<boolean>) => {
    for (let turn = 0; !(await condition()); turn += 1) {
      if (turn > 1_000) throw new Error("it did not come to that");
      await sleep(20);
    }
  };
  /** Reads and writes documents one after another until the call. @returns how many, and which part of the time the longest took */
  const work = () => {
    const began = performance.now();
    let hasEnded = false;
    const times: number[] = [];
    const run = async () => {
      for (let turn = 0; !hasEnded; turn += 1) {
        const since = performance.now();
        const id = `d${String(1 + ((turn * 37) % 999)).padStart(5, "0")}`;
        if (turn % 2 === 0) await rows("select title from posts where document_id = $1", id);
        else await rows("update posts set title = $2 where document_id = $1", id, `U ${turn}`);
        times.push(performance.now() - since);
        await sleep(2);
      }
      const longest = Math.max(...times);
      return { count: times.length, longest, share: longest / (performance.now() - began) };
    };
    const done = run();
    return () => {
      hasEnded = true;
      return done;
    };
  };

  it("the plan says what goes in batches, and why the rest does not", async () => {
    const { steps } = await planSync(db, buildModel(NEW));
    const described = steps
      .filter(({ kind }) => ["rewrite components", "change column", "rename column", "share attribute"].includes(kind))
      .map((step) => `${step.kind} ${step.column}: ${wholeBecause(step) ?? "batches"}`);
    expect(described).to.deep.equal([
      "rename column cards: a name changes for all rows at once",
      "change column cards: batches",
      "rewrite components seo: batches",
      "rewrite components cards: batches",
      "share attribute rank: batches",
    ]);
  });

  it("killed in the middle, it goes on where it was, and ends right; nobody waits long meanwhile", async () => {
    const holder = new pg.Client({ connectionString: (database.config() as { connection: string }).connection });
    await holder.connect();
    await holder.query("begin; select 1 from posts where document_id = 'd01500' for update");
    const ended = work();
    const first = rewrite();
    await until(async () => (await countOf("jsonb_typeof(card) = 'array'")) === 1_000);
    await sleep(600);
    first.kill("SIGKILL");
    await once(first, "exit");
    expect(await countOf("jsonb_typeof(card) = 'array'")).to.equal(1_000);
    expect(await countOf("seo ? 'heading'")).to.equal(0);
    await holder.query("commit");
    await holder.end();
    const before = await ended();

    const since = performance.now();
    const again = work();
    const second = rewrite();
    expect((await once(second, "exit"))[0]).to.equal(0);
    const { count, longest, share } = await again();
    console.log(
      `[fleet] content rewritten: ${DOCUMENTS} documents in ${(performance.now() - since).toFixed(0)} ms after a kill at 1,000; ${before.count + count} requests meanwhile, longest ${Math.max(before.longest, longest).toFixed(0)} ms`,
    );
    expect(await countOf("true")).to.equal(DOCUMENTS);
    expect(
      await countOf(
        `seo = jsonb_build_object('id', seo -> 'id', 'heading', 'T' || (seo ->> 'id')) and cards = jsonb_build_array(seo)`,
      ),
    ).to.equal(DOCUMENTS);
    expect((await rows("select count(*)::int as n from posts where rank <> (seo ->> 'id')::int + 2"))[0]).to.deep.equal(
      {
        n: 0,
      },
    );
    expect((await planSync(db, buildModel(NEW))).steps).to.deep.equal([]);
    expect(before.count).to.be.greaterThan(50);
    expect(Math.max(before.share, share)).to.be.below(BEARABLE);
  });
});
