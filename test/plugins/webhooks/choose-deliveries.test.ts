import type { Command } from "@plinth/core";
import { channels, type DatabaseMessage } from "@plinth/core/telemetry";
import type { TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { examineChecks } from "#core/app/examine-checks.js";
import { listenTo } from "../../core/base/listen.js";
import { eventually } from "../../core/database/driver/note-app.js";
import { eitherDatabase } from "../../databases.js";
import { runCommand } from "../../run-command.js";
import { administrator, endpoint, numbersAt, startWebhooks, tell, webhooksOf } from "./webhooks-app.js";

/** More than a statement changes at once. */
const MANY = 25_000;

describe("deliveries of webhooks that are chosen", () => {
  const heard = listenTo({ db: channels.db.end });

  eitherDatabase("postgres", (database) => {
    let test: TestApp;
    before("start an app whose second try is a day later", async () => {
      test = await startWebhooks(database, { schedule: [0, 86_400, 86_400] });
    });
    after("stop it", () => test?.stop());
    afterEach("remove the endpoints", async () => {
      test.webhooks.answerWith({});
      for (const { documentId } of await webhooksOf(test).list()) await webhooksOf(test).remove(documentId);
      test.webhooks.clear();
    });
    const run = async (name: string, options: Readonly<Record<string, string | true>>) =>
      (await runCommand(test.app.registry("command").get(name) as Command, test.app, { options })).stdout;
    const countOf = async (name: string, state: "waiting" | "delivered" | "dead") =>
      (await webhooksOf(test).deliveries({ endpoint: name, state }, 1_000)).length;
    /** Rows that have ended, without a request for each. */
    const add = (endpointId: string, count: number, state: string) =>
      test.app.db.query({
        text: `insert into plinth_deliveries (event, part, endpoint, key, type, locales, at, format, body, state, ended_at)
          select n, 1, $1, 'k' || n, 'test.told', '{}', now(), 'standard', '{}', $2, now() from generate_series(1, $3::int) n`,
        values: [endpointId, state, count],
      });
    /** An endpoint whose deliveries wait for a day, because its receiver did not answer. */
    const outage = async (name: string, ...numbers: readonly number[]) => {
      const made = await endpoint(test, name, { events: ["test.told"] });
      test.webhooks.answerWith({ status: 503 });
      for (const n of numbers) await tell(test, `d${n}`, n);
      await eventually(async () => {
        const waiting = await webhooksOf(test).deliveries({ endpoint: name, state: "waiting" });
        expect(waiting.map(({ attempts }) => attempts)).to.deep.equal(numbers.map(() => 1));
      });
      test.webhooks.answerWith({});
      test.webhooks.clear();
      return made.documentId;
    };

    it("are listed in the order of their numbers", async () => {
      const { documentId } = await endpoint(test, "listed", { events: ["test.none"] });
      await add(documentId, 12, "delivered");
      const text = "update plinth_deliveries set part = event, event = 1 where endpoint = $1";
      await test.app.db.query({ text, values: [documentId] });
      const ids = (await webhooksOf(test).deliveries({ endpoint: "listed" })).map(({ id }) => Number(id));
      expect(ids).to.deep.equal(ids.toSorted((one, other) => other - one));
      expect(ids).to.have.length(12);
    });

    it("of one endpoint are listed by an index", async () => {
      const { documentId } = await endpoint(test, "indexed", { events: ["test.none"] });
      await add(documentId, MANY, "delivered");
      await test.app.db.query({ text: "analyze plinth_deliveries", values: [] });
      const read = async () => {
        const text = `select coalesce(sum(seq_tup_read), 0)::int as rows from pg_stat_xact_user_tables where relname = 'plinth_deliveries'`;
        const [row] = await test.app.db.query<{ rows: number }>({ text, values: [] });
        return row?.rows ?? 0;
      };
      await test.app.db.transaction(async () => {
        const before = await read();
        // As often as it takes PostgreSQL to make a plan for all values.
        for (let times = 0; times < 8; times += 1)
          expect(await webhooksOf(test).deliveries({ endpoint: documentId, state: "delivered" })).to.have.length(100);
        expect(await read()).to.equal(before);
      });
    });

    it("go at once where they wait for their next try and somebody says so", async () => {
      await outage("waiting", 1, 2);
      expect(await run("webhooks replay", { endpoint: "waiting", waiting: true })).to.equal(
        "2 deliveries are sent again.",
      );
      await eventually(async () => expect([...numbersAt(test, "/waiting")].sort()).to.deep.equal([1, 2]));
    });

    it("go at once to an endpoint that is enabled", async () => {
      const documentId = await outage("enabled", 1, 2);
      await webhooksOf(test).update(documentId, { enabled: false });
      await webhooksOf(test).update(documentId, { enabled: true });
      await eventually(async () => expect([...numbersAt(test, "/enabled")].sort()).to.deep.equal([1, 2]));
    });

    it("are sent again in batches, however many they are", async () => {
      const { documentId } = await endpoint(test, "many", { events: ["test.none"], enabled: false });
      await add(documentId, MANY, "dead");
      heard.db.length = 0;
      expect(await webhooksOf(test).replay({ endpoint: documentId })).to.equal(MANY);
      const statements = (heard.db as DatabaseMessage[]).filter(({ text }) => text.includes("set state = 'waiting'"));
      expect(statements.length).to.be.at.least(3);
      const text = "select count(*)::int as ready from plinth_deliveries where endpoint = $1 and next_at is not null";
      expect(await test.app.db.query({ text, values: [documentId] })).to.deep.equal([{ ready: MANY }]);
    });

    it("are dropped by a command and by a request, and health is well again", async () => {
      const { documentId } = await endpoint(test, "gone", { events: ["test.none"], enabled: false });
      await add(documentId, MANY, "dead");
      const kinds = async () => (await examineChecks(test.app.health)).map(({ kind }) => kind);
      expect(await kinds()).to.include("dead deliveries");
      expect(await run("webhooks drop", { endpoint: "gone", event: "7" })).to.equal("1 delivery is dropped.");
      const admin = await administrator(test);
      const path = `/admin/webhooks/${documentId}/drop`;
      expect((await admin.post(path, { since: "1h" })).body.data).to.deep.equal({ deliveries: MANY - 1 });
      expect(await kinds()).to.not.include("dead deliveries");
      expect((await test.as("all").post(path, {})).status).to.equal(401);
      expect((await admin.post(path, { sort: "x" })).status).to.equal(400);
      expect(await run("webhooks drop", { endpoint: "gone" })).to.equal("0 deliveries are dropped.");
      const refused = await run("webhooks drop", {}).catch(({ code }: { code: string }) => code);
      expect(refused).to.equal("PLINTH_WEBHOOKS_SELECTION_INVALID");
    });

    it("that wait are dropped where that is asked for, and the next of the document goes", async () => {
      const documentId = await outage("stuck", 1);
      await tell(test, "d1", 2);
      await eventually(async () => expect(await countOf("stuck", "waiting")).to.equal(2));
      const [, first] = await webhooksOf(test).deliveries({ endpoint: "stuck" });
      expect(await webhooksOf(test).drop({ event: first?.event })).to.equal(0);
      expect(await webhooksOf(test).drop({ event: first?.event, state: "waiting" })).to.equal(1);
      await eventually(async () => expect(numbersAt(test, "/stuck")).to.deep.equal([2]));
      expect(await webhooksOf(test).deliveries({ endpoint: documentId })).to.have.length(1);
    });
  });
});
