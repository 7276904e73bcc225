import { createError, writeHooks } from "@plinth/core";
import { jobs } from "@plinth/plugin-jobs";
import type { NewReleaseAction, Release } from "@plinth/plugin-schedule";
import { expect } from "chai";
import { DatabaseUnreachableError } from "#core/database/errors.js";
import { ObjectInUseError } from "#core/database/driver/errors.js";
import { WriteConflictError } from "#core/documents/errors.js";
import { runSchedule } from "#plugins/schedule/src/schedules/run-schedule.js";
import { eitherDatabase } from "../../databases.js";
import { ARTICLE, codeOf, later, serveNewsroom, soon } from "./newsroom-app.js";

const AwayError = createError<object>("PLINTH_TEST_AWAY", 503, () => "A service of the hook is away.", {
  cause: "A hook of this test throws it.",
  remedy: "Nothing.",
});
const unreachable = () => new DatabaseUnreachableError({ where: "nowhere", reason: "it is away" });
const QUICKER = [
  new WriteConflictError({ uid: ARTICLE, attempts: 200 }),
  new ObjectInUseError({ reason: "a table is being changed" }),
];

describe("what is planned, where its documents are not what is wrong,", () => {
  eitherDatabase(import.meta.url, (database) => {
    /** What a hook throws, by document; and the documents that it was asked about. */
    const faults = new Map<string, () => Error | undefined>();
    const tried: string[] = [];
    const room = serveNewsroom(database, {
      app: {
        register: ({ on }) =>
          on(writeHooks.publish.before, ({ documentId, isTrial }) => {
            if (isTrial) return;
            tried.push(documentId);
            const fault = faults.get(documentId)?.();
            if (fault) throw fault;
          }),
      },
    });
    beforeEach("no hook is broken", () => {
      faults.clear();
      tried.splice(0);
    });
    const once = (error: Error) => {
      const left = [error];
      return () => left.pop();
    };
    const publish = (documentId: string): NewReleaseAction => ({ type: ARTICLE, documentId, action: "publish" });
    const codesOf = ({ actions }: Release) =>
      actions.map(({ state, problems }) => [state, ...problems.map(({ code }) => code)].join(" "));
    const make = async (ids: readonly string[], transaction: boolean) =>
      (await room().releases.create({ name: "Spring", actions: ids.map(publish), transaction })).id;
    const drafts = () => Promise.all(["a", "b", "c"].map((title) => room().draft({ title })));
    /** As a process leaves a release that dies while it runs it. */
    const abandon = async (id: number) => {
      const text = "update plinth_release set state = 'running', at = now() - interval '1 minute' where id = $1";
      await room().app.db.query({ text, values: [id] });
      await room().app.extension(jobs).enqueue("schedule:look", {});
    };

    for (const transaction of [true, false])
      it(`ends as failed when a hook says that its service is away, ${transaction ? "whole" : "one by one"}, and can be run again`, async () => {
        const documentId = await room().draft({ title: "Waits" });
        const id = await make([documentId], transaction);
        faults.set(documentId, () => new AwayError({}));
        const run = await room().ask("chief", "POST", `/api/schedule/releases/${id}/run`);
        expect([run.status, run.body.data?.state]).to.deep.equal([200, "failed"]);
        expect(codesOf(run.body.data)).to.deep.equal(["failed PLINTH_SCHEDULE_FAILED"]);
        faults.clear();
        expect((await room().releases.run(id)).state).to.equal("done");
      });

    it("is tried for minutes where a service is away, and not for ever", async () => {
      const documentId = await room().draft({ title: "Waits" });
      await room().schedules.plan({ type: ARTICLE, documentId }, { publishAt: later(room(), 3_600_000) });
      const { app } = room();
      const text = "update plinth_schedule set at = now() where document_id = $1 returning id::float8 as id";
      const [row] = await app.db.query<{ id: number }>({ text, values: [documentId] });
      const attempt = (n: number) => codeOf(runSchedule(app, row?.id ?? 0, n));
      faults.set(documentId, () => new AwayError({}));
      expect([await attempt(3), await attempt(8)]).to.deep.equal(["PLINTH_TEST_AWAY", "PLINTH_TEST_AWAY"]);
      faults.set(documentId, unreachable);
      expect(await attempt(9), "no end while the database is away").to.equal("PLINTH_DATABASE_UNREACHABLE");
      faults.set(documentId, () => new AwayError({}));
      expect(await attempt(9)).to.equal("none");
      const [known] = await room().schedules.of({ type: ARTICLE, documentId });
      expect([known?.state, known?.problems[0]?.code]).to.deep.equal(["failed", "PLINTH_SCHEDULE_FAILED"]);
    });

    it("does each document by itself without a transaction, also where a hook is broken", async () => {
      const ids = await drafts();
      const [first = "", second, third] = ids;
      faults.set(first, () => new TypeError("a hook that is broken"));
      const run = await room().releases.run(await make(ids, false));
      expect([run.state, ...codesOf(run)]).to.deep.equal(["failed", "failed PLINTH_SCHEDULE_FAILED", "done", "done"]);
      expect(tried, "in the order of the release").to.deep.equal([first, second, third]);
    });

    it("does the others at once where one of them is tried again", async () => {
      const ids = await drafts();
      const [first = "", second = "", third = ""] = ids;
      const id = await make(ids, false);
      faults.set(first, () => new TypeError("a hook that is broken"));
      await abandon(id);
      await soon(async () => expect((await room().releases.find(id)).state).to.equal("failed"), 30_000);
      expect(codesOf(await room().releases.find(id))).to.deep.equal([
        ...["failed PLINTH_SCHEDULE_FAILED", "done", "done"],
      ]);
      expect(tried.slice(0, 3)).to.deep.equal([first, second, third]);
      // Three times by its job; and by that of the look of each minute, which finds it as well while it is tried again.
      expect(tried.length).to.be.at.least(5);
      expect(new Set(tried.slice(3))).to.deep.equal(new Set([first]));
    });

    it("stays as it is while the database is away", async () => {
      const ids = await drafts();
      const [first = "", second = ""] = ids;
      const id = await make(ids, false);
      faults.set(second, once(unreachable()));
      expect(await codeOf(room().releases.run(id))).to.equal("PLINTH_DATABASE_UNREACHABLE");
      expect(tried, "the rest is not tried without it").to.deep.equal([first, second]);
      expect((await room().releases.find(id)).state).to.equal("running");
      await abandon(id);
      await soon(async () => expect((await room().releases.find(id)).state).to.equal("done"));
      expect(tried.filter((each) => each === first)).to.have.length(1);
    });

    for (const quicker of QUICKER)
      it(`is tried again at once where others were quicker (${quicker.code})`, async () => {
        for (const transaction of [true, false]) {
          const documentId = await room().draft({ title: "Crowded" });
          faults.set(documentId, once(quicker));
          const run = await room().releases.run(await make([documentId], transaction));
          expect([run.state, ...codesOf(run)]).to.deep.equal(["done", "done"]);
        }
        const documentId = await room().draft({ title: "Crowded" });
        faults.set(documentId, once(quicker));
        await room().schedules.plan({ type: ARTICLE, documentId }, { publishAt: later(room(), 1_000) });
        await soon(async () => expect(await room().published(documentId)).to.equal("Crowded"));
      });
  });
});
