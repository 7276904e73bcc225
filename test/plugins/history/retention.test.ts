import { jobs, jobsPlugin } from "@plinth/plugin-jobs";
import { type History, historyPlugin } from "@plinth/plugin-history";
import { createTestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { commands } from "#plugins/history/src/commands.js";
import { historyService } from "#plugins/history/src/service-ref.js";
import { eitherDatabase } from "../../databases.js";
import { ARTICLE, type HistoryApp, historyTypes, NOTE, PAGE, startHistoryApp } from "./history-app.js";
import { LONGEST_WAIT } from "../../longest-wait.js";

const OPTIONS = { keep: 3, days: 30 };

eitherDatabase(import.meta.url, (database) => {
  describe("the retention of versions", () => {
    let test: HistoryApp;
    before("start an app", async () => {
      test = await startHistoryApp(database.config(), { config: OPTIONS, plugins: [jobsPlugin] });
    });
    after("stop it", () => test?.stop());
    const write = async (count: number) => {
      const notes = test.app.documents(NOTE);
      const { documentId } = await notes.create({ data: { count: 0 } });
      for (let index = 1; index < count; index++) await notes.update({ documentId, data: { count: index } });
      return documentId;
    };
    const countOf = async (documentId: string) => {
      const text = "select count(*)::int as count from plinth_history where document_id = $1";
      return (await test.app.db.query<{ count: number }>({ text, values: [documentId] }))[0]?.count;
    };
    const age = (documentId: string, days: number) =>
      test.app.db.query({
        text: "update plinth_history set at = at - $2 * interval '1 day' where document_id = $1",
        values: [documentId, days],
      });

    it("is by number: the newest stay, and no other is shown before they are deleted", async () => {
      const [long, short] = [await write(8), await write(2)];
      expect(await test.history.list(NOTE, { documentId: long })).to.have.length(3);
      expect(await countOf(long)).to.equal(8);
      expect(await test.history.prune()).to.equal(5);
      expect([await countOf(long), await countOf(short)]).to.deep.equal([3, 2]);
      expect((await test.history.list(NOTE, { documentId: long })).map(({ changed }) => changed)).to.deep.equal([
        ...[["count"], ["count"], null],
      ]);
    });

    it("is by age since a later version took its place: what a document was before its next change stays", async () => {
      const [documentId, deleted] = [await write(2), await write(1)];
      await test.app.documents(NOTE).delete({ documentId: deleted });
      await age(documentId, 40);
      await age(deleted, 40);
      expect(await test.history.list(NOTE, { documentId })).to.have.length(1);
      expect(await test.history.list(NOTE, { documentId: deleted })).to.have.length(0);
      await test.history.prune();
      expect([await countOf(documentId), await countOf(deleted)]).to.deep.equal([1, 0]);
      await test.app.documents(NOTE).update({ documentId, data: { count: 9 } });
      expect(await test.history.list(NOTE, { documentId })).to.have.length(2);
    });

    it("leaves what is live, however many drafts there are since, and counts its age from what takes its place", async () => {
      const articles = test.app.documents(ARTICLE);
      const { documentId } = await articles.create({ data: { title: "live" }, status: "published" });
      for (let index = 0; index < 6; index++) await articles.update({ documentId, data: { title: `${index}` } });
      const shown = async () =>
        (await test.history.list(ARTICLE, { documentId })).map(({ action, changed }) => `${action} ${changed}`);
      const live = ["update title", "update title", "update null", "create title"];
      expect(await shown()).to.deep.equal(live);
      expect(await test.history.prune()).to.equal(3);
      expect(await shown()).to.deep.equal(live);
      await age(documentId, 40);
      const alone = ["update null", "create title"];
      expect(await shown()).to.deep.equal(alone);
      expect(await test.history.prune()).to.equal(2);
      expect([await shown(), await countOf(documentId)]).to.deep.equal([alone, 2]);
      await articles.publish({ documentId });
      expect(await shown()).to.deep.equal(["publish title", ...alone]);
      expect(await test.history.prune()).to.equal(0);
      await age(documentId, 40);
      expect(await shown()).to.deep.equal(["publish null"]);
      expect(await test.history.prune()).to.equal(2);
      await articles.unpublish({ documentId });
      await age(documentId, 40);
      expect(await shown()).to.deep.equal(["unpublish null"]);
      expect(await test.history.prune()).to.equal(1);
    });

    it("is kept by a job of the clock, nightly for all", async () => {
      const service = test.app.extension(jobs);
      const [fresh, old] = [await write(5), await write(5)];
      await age(old, 1);
      await service.enqueue("history:prune", { tick: "2026-01-01T03:41:00.000Z" });
      await service.idle();
      expect([await countOf(fresh), await countOf(old)]).to.deep.equal([3, 3]);
    });

    it("looks hourly at documents alone that were written since", async () => {
      const [fresh, old] = [await write(5), await write(5)];
      await age(old, 1);
      const since = new Date(Date.now() - 3_600_000);
      expect(await test.app.service(historyService).prune(since)).to.equal(2);
      expect([await countOf(fresh), await countOf(old)]).to.deep.equal([3, 5]);
      await test.history.prune();
    });

    it("forgets a document in every process, so that its next change keeps again how it was before", async () => {
      const second = database.kind === "postgres" ? await startHistoryApp(database.config()) : undefined;
      try {
        // On PGlite a database has one process.
        for (const { history } of second ? [test, second] : [test]) {
          const documentId = await write(2);
          await until(async () => {
            expect(await history.forget(NOTE, documentId)).to.be.greaterThan(0);
            await test.app.documents(NOTE).update({ documentId, data: { count: 9 } });
            return (await test.history.list(NOTE, { documentId })).at(-1)?.action === "baseline";
          });
        }
      } finally {
        await second?.stop();
      }
    });

    it("is there as commands where there is no clock", async () => {
      const documentId = await write(5);
      const printed: string[] = [];
      const call = { app: test.app, arguments: { type: NOTE, documentId }, print: (line = "") => printed.push(line) };
      await commands["history prune"]?.run(call as never);
      await commands["history forget"]?.run(call as never);
      expect(printed).to.deep.equal(["2 versions are deleted.", "3 versions are deleted."]);
      expect(await countOf(documentId)).to.equal(0);
    });
  });

  describe("the configuration of history", () => {
    const start = (config: object, options: unknown) => {
      const { contentTypes = {}, components } = historyTypes;
      const note = { ...contentTypes[NOTE], pluginOptions: { history: options } } as never;
      const app = { components, contentTypes: { ...contentTypes, [NOTE]: note } } as never;
      return createTestApp({
        plugins: [historyPlugin],
        app,
        database: database.config(),
        pluginConfigs: { history: config },
      });
    };
    const failureOf = (work: Promise<unknown>) =>
      work.then(
        () => undefined,
        (error: { readonly code: string; readonly message: string }) => error,
      );

    it("says what is wrong with it, and with that of types", async () => {
      expect((await failureOf(start({ keep: 0 }, true)))?.message).to.include("keep must be a whole number");
      const failure = await failureOf(start({}, { keep: 0, except: ["nothing"] }));
      expect(failure).to.include({ code: "PLINTH_HISTORY_OPTIONS_INVALID" });
      expect(failure?.message).to.include(`${NOTE} keep must be`);
      expect((await failureOf(start({}, { except: ["nothing"] })))?.message).to.include('has no attribute "nothing"');
      expect((await failureOf(start({}, "yes")))?.code).to.equal("PLINTH_HISTORY_OPTIONS_INVALID");
    });

    it("is of chosen types where it says so, and of some of their attributes", async () => {
      const test = await start({ types: "chosen" }, { keep: 2, except: ["count"] });
      try {
        const service = test.app.service("plugin::history.history") as History;
        const note = await test.app.documents(NOTE).create({ data: { text: "one", count: 1 } });
        const [version] = await service.list(NOTE, note);
        const { data } = await service.findOne(NOTE, { ...note, locale: undefined, id: version?.id ?? "" });
        expect(data).to.deep.equal({ text: "one", tag: null });
        const page = await test.app.documents(PAGE).create({ data: { text: "one" } });
        expect(await failureOf(service.list(PAGE, page))).to.include({ code: "PLINTH_HISTORY_NOT_KEPT" });
      } finally {
        await test.stop();
      }
    });
  });
});

/** Messages of other processes take their time. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + LONGEST_WAIT; !(await isSo()); await new Promise(setImmediate))
    if (performance.now() > end) throw new TypeError("It did not come true.");
}
