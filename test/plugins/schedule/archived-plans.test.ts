import type { NewReleaseAction } from "@plinth/plugin-schedule";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { exported, importLines } from "./archived-lines.js";
import { ARTICLE, codeOf, later, serveNewsroom, soon } from "./newsroom-app.js";

describe("releases in archives", () => {
  eitherDatabase(import.meta.url, (database) => {
    const room = serveNewsroom(database);
    const publish = (documentId: string): NewReleaseAction => ({
      ...{ type: ARTICLE, documentId, locale: "en", action: "publish" },
    });

    it("and plans that wait come along in an archive, and are done at their time", async () => {
      const { app, releases, schedules } = room();
      const [planned, together, ended] = [await room().draft(), await room().draft(), await room().draft()];
      const at = new Date(app.clock.now() + 3_600_000 + 0.5);
      await schedules.plan({ type: ARTICLE, documentId: planned, locale: "en" }, { publishAt: at });
      const { id } = await releases.create({ name: "Carried", actions: [publish(together)], transaction: false });
      await releases.schedule(id, at, { actor: room().actor("chief") });
      const done = await releases.create({ name: "Ended", actions: [publish(ended)] });
      await releases.run(done.id);
      const archive = await exported(app);
      const own = (lines: readonly object[]) =>
        lines.map((line) => JSON.stringify(line)).filter((line) => line.includes(planned) || line.includes(together));
      expect(own(archive.lines)).to.have.length(2);
      expect(archive.lines.map((line) => JSON.stringify(line)).join(), "what has ended").to.not.include(ended);

      expect(await archive.importInto(app, true), "what is there stays").to.include({ written: 0 });
      await schedules.cancel({ type: ARTICLE, documentId: planned, locale: "en" });
      await releases.remove(id);
      expect(await archive.importInto(app, true)).to.include({ written: 2 });
      expect(await archive.importInto(app)).to.include({ written: 2 });
      expect(await archive.importInto(app)).to.include({ written: 0 });
      const [plan] = await schedules.of({ type: ARTICLE, documentId: planned });
      expect(plan).to.include({ action: "publish", state: "waiting", at: at.toISOString() });
      const [carried] = await releases.list({ state: "scheduled" });
      expect(carried).to.deep.include({ name: "Carried", transaction: false, at: at.toISOString() });

      await app.db.query({ text: "update plinth_schedule set at = now() where document_id = $1", values: [planned] });
      await app.db.query({ text: "update plinth_release set at = now() where id = $1", values: [carried?.id] });
      await app.db.query({
        text: "update plinth_jobs set at = now() where at > now() and name like 'schedule:r%'",
        values: [],
      });
      await soon(async () => expect(await room().published(planned)).to.equal("Draft"));
      await soon(async () => expect(await room().published(together)).to.equal("Draft"));
    });

    it("and plans that no import would take stay behind, and keep nothing else from being imported", async () => {
      const { app, releases, schedules } = room();
      const [kept, lost, far] = [await room().draft(), await room().draft(), await room().draft()];
      for (const documentId of [kept, lost, far])
        await schedules.plan({ type: ARTICLE, documentId }, { publishAt: later(room(), 3_600_000) });
      const mixed = await releases.create({ name: "Mixed", actions: [publish(kept), publish(lost)] });
      const gone = await releases.create({ name: "Gone", actions: [publish(lost)] });
      const set = (text: string, values: readonly unknown[]) => app.db.query({ text, values });
      // As of a type that was removed, one that lost its drafts, and a time that was taken once.
      await set("update plinth_schedule set uid = 'api::gone.gone' where document_id = $1", [lost]);
      await set("update plinth_schedule set at = '10000-01-01T00:00:00Z' where document_id = $1", [far]);
      await set("update plinth_release_action set uid = 'api::note.note' where document_id = $1", [lost]);
      const archive = await exported(app);
      const lines = archive.lines.map((each) => JSON.stringify(each));
      expect(lines.filter((each) => each.includes(lost) || each.includes(far) || each.includes("Gone"))).to.deep.equal(
        [],
      );
      expect(lines.filter((each) => each.includes(kept))).to.have.length(2);
      await schedules.cancel({ type: ARTICLE, documentId: kept });
      await releases.remove(mixed.id);
      expect(await archive.importInto(app)).to.include({ written: 2 });
      await releases.remove(gone.id);
      await set("delete from plinth_schedule where document_id = any($1)", [[kept, lost, far]]);
    });

    it("are not taken from an archive that somebody prepared", async () => {
      const { app } = room();
      const plan = {
        uid: ARTICLE,
        documentId: "a",
        locale: "en",
        action: "publish",
        at: "2030-01-31T09:00:00Z",
        actor: null,
      };
      const release = {
        name: "R",
        transaction: true,
        at: null,
        createdAt: "2030-01-31T09:00:00Z",
        creator: null,
        actor: null,
      };
      const { at: _at, actor: _actor, ...subject } = plan;
      const action = { ...subject, isDone: false };
      const wrong = [
        ...[1, {}, { plan: {} }, { plan: { ...plan, at: "2030-02-31T09:00:00Z" } }, { plan: { ...plan, at: "soon" } }],
        ...[
          { plan: { ...plan, uid: "api::note.note" } },
          { plan: { ...plan, documentId: "\0" } },
          { plan, release: {} },
        ],
        ...[
          { release: { ...release, actions: [action, action] } },
          { release: { ...release, actions: [{ ...action, uid: "x" }] } },
        ],
      ];
      for (const line of wrong)
        expect(await codeOf(importLines(app, [{ plan }, line])), JSON.stringify(line)).to.equal(
          "PLINTH_ARCHIVE_DAMAGED",
        );
      expect(await importLines(app, [1], "rows/plugin::other.things.jsonl"), "of no plugin here").to.equal(undefined);
      expect(
        await app.db.query({ text: "select 1 from plinth_schedule where document_id = 'a'", values: [] }),
      ).to.deep.equal([]);
    });
  });
});
