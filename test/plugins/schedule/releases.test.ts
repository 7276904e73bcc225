import { writeHooks } from "@plinth/core";
import { jobs } from "@plinth/plugin-jobs";
import type { NewReleaseAction, Release } from "@plinth/plugin-schedule";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { ARTICLE, AUTHOR, codeOf, later, serveNewsroom, soon } from "./newsroom-app.js";

/** What PostgreSQL ends one of two transactions with that wait for each other. */
const DEADLOCK = "do $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$";

describe("releases", () => {
  eitherDatabase(import.meta.url, (database) => {
    let broken: string | undefined;
    let deadlocked: string | undefined;
    const room = serveNewsroom(database, {
      app: {
        register: ({ on }) =>
          on(writeHooks.publish.before, async ({ documentId, isTrial }) => {
            if (documentId === broken && !isTrial) throw new TypeError("a hook that is broken");
            if (documentId !== deadlocked) return;
            deadlocked = undefined;
            await room().app.db.query({ text: DEADLOCK, values: [] });
          }),
      },
    });
    const publish = (documentId: string, locale = "en"): NewReleaseAction => ({
      type: ARTICLE,
      documentId,
      locale,
      action: "publish",
    });
    const unpublish = (documentId: string): NewReleaseAction => ({ type: ARTICLE, documentId, action: "unpublish" });
    const codesOf = ({ actions }: Release) =>
      actions.map(({ state, problems }) => [state, ...problems.map(({ code }) => code)].join(" "));
    const make = async (...actions: readonly NewReleaseAction[]) =>
      await room().releases.create({ name: "Spring", actions });

    it("publish several documents and take others back, in one transaction", async () => {
      const documents = room().app.documents(ARTICLE);
      const old = await room().draft({ title: "Old", slug: "front" });
      await documents.publish({ documentId: old });
      const [front, other] = [
        await room().draft({ title: "New", slug: "front" }),
        await room().draft({ title: "Other" }),
      ];
      const made = await room().ask("chief", "POST", "/api/schedule/releases", {
        data: { name: "Spring", actions: [publish(front), publish(other), unpublish(old)] },
      });
      expect(made.status, JSON.stringify(made.body)).to.equal(201);
      expect(made.body.data).to.deep.include({ name: "Spring", state: "open", transaction: true, at: null });
      const path = `/api/schedule/releases/${made.body.data.id}`;
      expect((await room().ask("chief", "POST", `${path}/check`)).body.data).to.deep.equal({
        problems: [],
        warnings: [],
      });
      expect(await room().published(old), "a check changes nothing").to.equal("Old");
      const run = await room().ask("chief", "POST", `${path}/run`);
      expect(run.body.data.state, JSON.stringify(run.body)).to.equal("done");
      expect(codesOf(run.body.data)).to.deep.equal(["done", "done", "done"]);
      expect([await room().published(front), await room().published(other), await room().published(old)]).to.deep.equal(
        [...["New", "Other", undefined]],
      );
      expect((await room().ask("chief", "POST", `${path}/run`)).status, "once").to.equal(409);
      expect((await room().ask("chief", "PUT", path, { name: "Again" })).status).to.equal(409);
      expect((await room().ask("chief", "DELETE", path)).status).to.equal(204);
      expect((await room().ask("chief", "GET", path)).status).to.equal(404);
    });

    it("are checked beforehand, all problems of all documents at once", async () => {
      const { people } = room();
      const documents = room().app.documents(ARTICLE);
      const author = await room()
        .app.documents(AUTHOR)
        .create({ data: { name: "Unknown" } });
      const withAuthor = await room().draft({
        ...{ title: "By somebody", author: author.documentId, box: { writer: author.documentId } },
        // Private, so no warning names it.
        checkedBy: author.documentId,
      });
      const [untitled, taken, gone, forbidden] = [
        await room().draft({ slug: "untitled" }),
        await room().draft({ title: "Taken", slug: "taken" }),
        await room().draft({ title: "Gone" }),
        await room().draft({ title: "Forbidden" }),
      ];
      const holder = await room().draft({ title: "Holder", slug: "taken" });
      await documents.publish({ documentId: holder });
      people["writer"] = [
        ...["api::*.find", "api::*.findOne", "api::*.findDrafts", "plugin::schedule.*"],
        { action: `${ARTICLE}.publish`, where: { $or: [{ desk: { $null: true } }, { desk: { $ne: "politics" } }] } },
      ];
      const actions = [withAuthor, untitled, taken, gone, forbidden].map((id) => publish(id));
      const made = await room().ask("writer", "POST", "/api/schedule/releases", { name: "All wrong", actions });
      expect(made.status, JSON.stringify(made.body)).to.equal(201);
      await documents.delete({ documentId: gone });
      await documents.update({ documentId: forbidden, data: { desk: "politics" } });
      const path = `/api/schedule/releases/${made.body.data.id}`;
      const { data } = (await room().ask("writer", "POST", `${path}/check`)).body;
      const found = data.problems.map((each: { documentId: string; code: string; path: string[] }) => [
        ...[each.documentId, each.code, each.path.join(".")],
      ]);
      expect(found).to.have.deep.members([
        [untitled, "PLINTH_INPUT_INVALID", "title"],
        [taken, "PLINTH_DOCUMENT_NOT_UNIQUE", "slug"],
        [gone, "PLINTH_SCHEDULE_DOCUMENT_GONE", ""],
        [forbidden, "PLINTH_ACCESS_FORBIDDEN", ""],
      ]);
      const target = { type: AUTHOR, documentId: author.documentId };
      const place = { type: ARTICLE, documentId: withAuthor, locale: "en" };
      expect(data.warnings).to.have.deep.members([
        { ...place, path: ["author"], target },
        { ...place, path: ["box", "writer"], target },
      ]);
      const refused = await room().ask("writer", "POST", `${path}/schedule`, { at: later(room(), 60_000) });
      expect(refused.status).to.equal(400);
      expect(refused.body.error.details.errors).to.have.length(4);
      const run = (await room().ask("writer", "POST", `${path}/run`)).body.data;
      expect(run.state).to.equal("failed");
      expect(codesOf(run)).to.deep.equal([
        ...["waiting", "failed PLINTH_INPUT_INVALID", "failed PLINTH_DOCUMENT_NOT_UNIQUE"],
        ...["failed PLINTH_SCHEDULE_DOCUMENT_GONE", "failed PLINTH_ACCESS_FORBIDDEN"],
      ]);
      expect(await room().published(withAuthor), "nothing of it").to.equal(undefined);
    });

    it("are run at their time, as the documents and the rights are then", async () => {
      const { people } = room();
      people["planner"] = "all";
      const [kept, changed] = [await room().draft({ title: "Kept" }), await room().draft({ title: "Before" })];
      const { id } = await make(publish(kept), publish(changed));
      const at = later(room(), 3_000);
      const scheduled = await room().releases.schedule(id, at, { actor: room().actor("planner") });
      expect(scheduled).to.include({ state: "scheduled", at: at.toISOString() });
      expect(await codeOf(room().releases.change(id, { name: "Too late" }))).to.equal("PLINTH_RELEASE_STATE");
      await room()
        .app.documents(ARTICLE)
        .update({ documentId: changed, data: { title: "After" } });
      await soon(async () => expect((await room().releases.find(id)).state).to.equal("done"));
      console.log(
        `      [fleet] releases: done ${Math.round(room().app.clock.now() - at.getTime())} ms after their time`,
      );
      expect([await room().published(kept), await room().published(changed)]).to.deep.equal(["Kept", "After"]);

      const { id: lost } = await make(publish(await room().draft()));
      await room().releases.schedule(lost, later(room(), 2_000), { actor: room().actor("planner") });
      delete people["planner"];
      await soon(async () => expect((await room().releases.find(lost)).state).to.equal("failed"));
      expect(codesOf(await room().releases.find(lost))).to.deep.equal(["failed PLINTH_SCHEDULE_CALLER_GONE"]);
    });

    it("fail whole where a document has become invalid or was deleted meanwhile, and run again when that is corrected", async () => {
      const documents = room().app.documents(ARTICLE);
      const [fine, spoilt, deleted] = [
        await room().draft({ title: "Fine" }),
        await room().draft(),
        await room().draft(),
      ];
      const { id } = await make(publish(fine), publish(spoilt), publish(deleted));
      await room().releases.schedule(id, later(room(), 2_000));
      await documents.update({ documentId: spoilt, data: { title: null } });
      await documents.delete({ documentId: deleted });
      await soon(async () => expect((await room().releases.find(id)).state).to.equal("failed"));
      expect(codesOf(await room().releases.find(id))).to.deep.equal([
        ...["waiting", "failed PLINTH_INPUT_INVALID", "failed PLINTH_SCHEDULE_DOCUMENT_GONE"],
      ]);
      expect(await room().published(fine)).to.equal(undefined);
      await documents.update({ documentId: spoilt, data: { title: "Corrected" } });
      await room().releases.change(id, { actions: [publish(fine), publish(spoilt)] });
      expect((await room().releases.run(id)).state).to.equal("done");
      expect([await room().published(fine), await room().published(spoilt)]).to.deep.equal(["Fine", "Corrected"]);
    });

    it("without a transaction do what they can, and report each; what failed can be run again", async () => {
      const [fine, untitled] = [await room().draft({ title: "Fine" }), await room().draft({ desk: "none" })];
      const { id } = await room().releases.create({
        name: "Each",
        transaction: false,
        actions: [publish(untitled), publish(fine)],
      });
      const run = await room().releases.run(id);
      expect([run.state, ...codesOf(run)]).to.deep.equal(["failed", "failed PLINTH_INPUT_INVALID", "done"]);
      expect(await room().published(fine)).to.equal("Fine");
      await room()
        .app.documents(ARTICLE)
        .update({ documentId: untitled, data: { title: "Titled" } });
      const again = await room().releases.run(id);
      expect([again.state, ...codesOf(again)]).to.deep.equal(["done", "done", "done"]);
    });

    it("do not do again what was done, when they become one transaction", async () => {
      const [fine, untitled] = [await room().draft({ title: "Fine" }), await room().draft({ desk: "none" })];
      const actions = [publish(untitled), publish(fine)];
      const { id } = await room().releases.create({ name: "Each", transaction: false, actions });
      await room().releases.run(id);
      const { update } = room().app.documents(ARTICLE);
      await update({ documentId: fine, data: { title: "Not to be seen yet" } });
      await update({ documentId: untitled, data: { title: "Titled" } });
      await room().releases.change(id, { transaction: true });
      const again = await room().releases.run(id);
      expect([again.state, ...codesOf(again)]).to.deep.equal(["done", "done", "done"]);
      expect([await room().published(fine), await room().published(untitled)]).to.deep.equal(["Fine", "Titled"]);
    });

    it("are run again where others wrote the same documents at the same time", async () => {
      for (const transaction of [true, false]) {
        const [first, last] = [await room().draft({ title: "First" }), await room().draft({ title: "Last" })];
        const actions = [publish(first), publish(last)];
        const { id } = await room().releases.create({ name: "Crossing", transaction, actions });
        deadlocked = last;
        const run = await room().releases.run(id);
        expect([run.state, ...codesOf(run)]).to.deep.equal(["done", "done", "done"]);
        expect(deadlocked, "it was met").to.equal(undefined);
      }
    });

    it("may have their time taken back", async () => {
      const documentId = await room().draft();
      const { id } = await make(publish(documentId));
      await room().releases.schedule(id, later(room(), 2_000));
      expect(await room().releases.cancel(id)).to.include({ state: "open", at: null });
      const marker = await room().draft({ title: "Marker" });
      await room().releases.schedule((await make(publish(marker))).id, later(room(), 2_500));
      await soon(async () => expect(await room().published(marker)).to.equal("Marker"));
      await room().settle();
      expect(await room().published(documentId)).to.equal(undefined);
      expect(await codeOf(room().releases.cancel(id))).to.equal("PLINTH_RELEASE_STATE");
    });

    it("that are gone on with by another process are done once", async () => {
      const documentId = await room().draft();
      const { id } = await make(publish(documentId));
      // As a process leaves it that dies before its transaction has committed.
      const { db } = room().app;
      await db.query({
        text: "update plinth_release set state = 'running', at = now() - interval '1 minute' where id = $1",
        values: [id],
      });
      await Promise.all([1, 2].map(() => room().app.extension(jobs).enqueue("schedule:look", {})));
      await soon(async () => expect((await room().releases.find(id)).state).to.equal("done"));
      await room().settle();
      expect(await room().published(documentId)).to.equal("Draft");
    });

    it("that fail for another reason say that it is in the log", async () => {
      const documentId = await room().draft();
      const { id } = await make(publish(documentId));
      broken = documentId;
      const run = await room().releases.run(id);
      broken = undefined;
      expect([run.state, ...codesOf(run)]).to.deep.equal(["failed", "failed PLINTH_SCHEDULE_FAILED"]);
      expect(room().logged.some((line) => line.includes("a hook that is broken"))).to.equal(true);
    });

    it("refuse what cannot be, all problems at once", async () => {
      const documentId = await room().draft();
      const unnamed = { name: "Spring\u0000", actions: [publish(documentId)] };
      expect((await room().ask("chief", "POST", "/api/schedule/releases", unnamed)).status).to.equal(400);
      const post = (body: unknown) => room().ask("chief", "POST", "/api/schedule/releases", body);
      const wrong = [
        publish("absent"),
        publish(documentId, "xx"),
        { ...publish(documentId), type: "api::note.note" },
        publish(documentId),
        unpublish(documentId),
      ];
      const refused = await post({ name: "Wrong", actions: wrong });
      expect(refused.status).to.equal(400);
      expect(refused.body.error.details.errors.map(({ path }: { path: string }) => path)).to.have.members([
        ...["actions[0].documentId", "actions[1].locale", "actions[2].type", "actions[4]"],
      ]);
      for (const body of [{}, { name: "", actions: [] }, { name: "x", actions: [] }, { name: "x", actions: [{}] }])
        expect((await post(body)).status, JSON.stringify(body)).to.equal(400);
      const { id } = await make(publish(documentId));
      const path = `/api/schedule/releases/${id}`;
      expect((await room().ask("chief", "POST", `${path}/schedule`, { at: "2001-01-01T00:00:00Z" })).status).to.equal(
        400,
      );
      expect((await room().ask("configured-token", "POST", `${path}/run`)).status).to.equal(400);
      for (const wrongId of ["0", "x", "999999999", "1e3"])
        expect((await room().ask("chief", "GET", `/api/schedule/releases/${wrongId}`)).status, wrongId).to.equal(404);
      const listed = async (query: string) => (await room().ask("chief", "GET", `/api/schedule/releases${query}`)).body;
      expect((await listed("?state=open")).data.map((each: Release) => each.id)).to.include(id);
      expect((await listed(`?before=${id}`)).data.every((each: Release) => each.id < id)).to.equal(true);
      expect((await listed("?state=lost&before=x")).error.details.errors).to.have.length(2);
    });
  });
});
