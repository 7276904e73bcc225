import { writeHooks } from "@plinth/core";
import { jobs } from "@plinth/plugin-jobs";
import type { NewReleaseAction } from "@plinth/plugin-schedule";
import { expect } from "chai";
import { eitherDatabase, serverDatabase } from "../../databases.js";
import { ARTICLE, codeOf, later, serveNewsroom, soon } from "./newsroom-app.js";

const publish = (documentId: string): NewReleaseAction => ({ type: ARTICLE, documentId, action: "publish" });

describe("releases of many documents", () => {
  eitherDatabase("postgres", (database) => {
    const room = serveNewsroom(database);

    it("are done whole, a thousand of them in one transaction", async () => {
      const { app, releases } = room();
      const ids: string[] = [];
      await app.db.transaction(async () => {
        for (let n = 0; n < 1_000; n += 1) ids.push(await room().draft({ title: `Title ${n}` }));
      });
      const { id } = await releases.create({ name: "All", actions: ids.map(publish) });
      const run = await releases.run(id);
      expect(run.state).to.equal("done");
      expect(run.actions.every(({ state }) => state === "done")).to.equal(true);
      expect(await app.documents(ARTICLE).count({ status: "published" })).to.equal(1_000);
    });
  });
});

describe("releases that take long", () => {
  // The embedded database has one connection, and who runs a release has it.
  const database = serverDatabase();
  if (!database) return;
  let [began, mayEnd] = [makeGate(), makeGate()];
  const room = serveNewsroom(database, {
    config: {
      database: { ...database.config(), statementTimeout: 2_000 },
      i18n: { defaultLocale: "en", locales: ["en", "de"] },
    },
    app: {
      register: ({ on }) =>
        on(writeHooks.publish.before, async ({ isTrial }) => {
          if (isTrial) return;
          began.open();
          await mayEnd.opened;
        }),
    },
  });
  /** A release that runs, and what ends it. */
  const running = async () => {
    [began, mayEnd] = [makeGate(), makeGate()];
    const documentId = await room().draft({ title: "Slow" });
    const { id } = await room().releases.create({ name: "Slow", actions: [publish(documentId)] });
    const run = room().releases.run(id);
    await began.opened;
    const end = async () => {
      mayEnd.open();
      return await run;
    };
    return { id, documentId, end };
  };

  it("say that they run, at once, to who wants to change them", async () => {
    const { id, documentId, end } = await running();
    const { releases } = room();
    const codes = await Promise.all(
      [
        releases.cancel(id),
        releases.remove(id),
        releases.change(id, { name: "Other" }),
        releases.amend(id, { remove: [{ type: ARTICLE, documentId }] }),
        releases.schedule(id, later(room(), 60_000)),
        releases.run(id),
      ].map(codeOf),
    );
    const { state } = await end();
    expect(codes).to.deep.equal(Array.from(codes, () => "PLINTH_RELEASE_STATE"));
    expect(state).to.equal("done");
  });

  it("are left alone by jobs that would go on with them, which do not fail", async () => {
    const { id, end } = await running();
    const { db, extension } = room().app;
    const text = "update plinth_jobs set at = now() where name = 'schedule:release' returning id";
    expect(await db.query({ text, values: [] })).to.have.length.at.least(1);
    await extension(jobs).enqueue("schedule:release", { id }, { key: "again" });
    await soon(async () => {
      const left = "select state, fault from plinth_jobs where name = 'schedule:release'";
      expect(await db.query({ text: left, values: [] })).to.deep.equal([]);
    });
    expect((await room().releases.find(id)).state).to.equal("running");
    expect((await end()).state).to.equal("done");
    expect(room().logged.filter((line) => line.startsWith("A job failed"))).to.deep.equal([]);
  });
});

/** Something that is waited for. */
function makeGate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((done) => {
    open = done;
  });
  return { open, opened };
}
