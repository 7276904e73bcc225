import { expect } from "chai";
import { jobsPlugin } from "@plinth/plugin-jobs";
import { schedulePlugin } from "@plinth/plugin-schedule";
import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { eitherDatabase } from "../../databases.js";
import { serveAdmin } from "../admin/serve-admin.js";
import { signIn } from "../admin/sign-in.js";

const ARTICLE = "api::article.article";

describe("a release of administrators", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAdmin(database, {
      plugins: [contentApiPlugin, apiTokensPlugin, jobsPlugin, schedulePlugin, adminPlugin],
      pluginConfigs: { "api-tokens": { loginLimit: 1000 } },
    });
    const ask = async (method: string, path: string, body?: object, role = "editor") =>
      await served().ask(method, `/admin/api${path}`, await signIn(served().plinth.app, role), body);
    const write = async (title: string): Promise<string> =>
      (await ask("POST", `/content/${ARTICLE}`, { data: { title } })).body.data.documentId;
    const publish = (documentId: string) => ({ type: ARTICLE, documentId, action: "publish" });
    const make = async (...ids: readonly string[]): Promise<number> =>
      (await ask("POST", "/releases", { name: "Spring", actions: ids.map(publish) })).body.data.id;
    const amend = (id: number, body: object) => ask("POST", `/releases/${id}/documents`, body);
    const idsOf = ({ body }: { readonly body: { data: { actions: { documentId: string; action: string }[] } } }) =>
      body.data.actions.map(({ documentId, action }) => [documentId, action]);

    it("gets documents and loses others, whoever else does so at the same time", async () => {
      const [one, two, three, four] = [await write("1"), await write("2"), await write("3"), await write("4")];
      const id = await make(one);
      await Promise.all([two, three, four].map((documentId) => amend(id, { add: [publish(documentId)] })));
      expect((await ask("GET", `/releases/${id}`)).body.data.actions).to.have.length(4);
      const change = { add: [{ ...publish(one), action: "unpublish" }], remove: [{ type: ARTICLE, documentId: two }] };
      expect(idsOf(await amend(id, change))).to.have.deep.members([
        [one, "unpublish"],
        [three, "publish"],
        [four, "publish"],
      ]);
    });

    it("leaves alone what it has done, when others are taken out and added", async () => {
      const [done, bad, added] = [await write("Done"), await write("Bad"), await write("Added")];
      const documents = served().plinth.app.documents(ARTICLE);
      await documents.update({ documentId: bad, data: { title: null } });
      const body = { name: "Each", transaction: false, actions: [publish(done), publish(bad)] };
      const { id } = (await ask("POST", "/releases", body)).body.data;
      expect((await ask("POST", `/releases/${id}/run`)).body.data.state).to.equal("failed");
      await documents.update({ documentId: done, data: { title: "Not to be seen yet" } });
      const titleOf = async (documentId: string) =>
        (await documents.findOne({ documentId, status: "published" }))?.["title"];
      const statesIn = ({ body: { data } }: Awaited<ReturnType<typeof ask>>) =>
        data.actions.map((each: { documentId: string; state: string }) => [each.documentId, each.state]);

      const amended = await amend(id, { remove: [{ type: ARTICLE, documentId: bad }], add: [publish(added)] });
      expect(statesIn(amended)).to.deep.equal([
        [done, "done"],
        [added, "waiting"],
      ]);
      const run = await ask("POST", `/releases/${id}/run`);
      expect([run.body.data.state, await titleOf(done), await titleOf(added)]).to.deep.equal(["done", "Done", "Added"]);
    });

    it("does what its actions say anew, and nothing that they say as before", async () => {
      const [done, bad] = [await write("Done"), await write("Bad")];
      const documents = served().plinth.app.documents(ARTICLE);
      await documents.update({ documentId: bad, data: { title: null } });
      const body = { name: "Each", transaction: false, actions: [publish(bad), publish(done)] };
      const { id } = (await ask("POST", "/releases", body)).body.data;
      await ask("POST", `/releases/${id}/run`);
      const change = async (...actions: readonly object[]) =>
        (await ask("PUT", `/releases/${id}`, { actions })).body.data.actions.map(
          (each: { documentId: string; action: string; state: string }) => [each.documentId, each.action, each.state],
        );
      expect(await change(publish(done), publish(bad))).to.deep.equal([
        [done, "publish", "done"],
        [bad, "publish", "waiting"],
      ]);
      expect(await change(publish(bad), { ...publish(done), action: "unpublish" })).to.deep.equal([
        [bad, "publish", "waiting"],
        [done, "unpublish", "waiting"],
      ]);
      await amend(id, { add: [publish(done)], remove: [{ type: ARTICLE, documentId: bad }] });
      await ask("POST", `/releases/${id}/run`);
      expect((await documents.findOne({ documentId: done, status: "published" }))?.["title"]).to.equal("Done");
    });

    it("takes out what is not there any more", async () => {
      const [one, gone] = [await write("1"), await write("2")];
      const id = await make(one, gone);
      await ask("DELETE", `/content/${ARTICLE}/${gone}`);
      const { body } = await ask("POST", `/releases/${id}/check`);
      expect(body.data.problems.map(({ documentId }: { documentId: string }) => documentId)).to.deep.equal([gone]);
      expect(idsOf(await amend(id, { remove: [{ type: ARTICLE, documentId: gone }] }))).to.deep.equal([
        [one, "publish"],
      ]);
    });

    it("keeps one document at least, and refuses what is not there", async () => {
      const one = await write("1");
      const id = await make(one);
      for (const body of [
        {},
        { remove: [{ type: ARTICLE, documentId: one }] },
        { add: [publish("absent")] },
        { add: [{ ...publish(one), type: "api::note.note" }] },
      ])
        expect((await amend(id, body)).body.error.code).to.equal("PLINTH_SCHEDULE_INVALID");
      await ask("POST", `/releases/${id}/schedule`, { at: "2035-01-01T00:00:00Z" });
      expect((await amend(id, { add: [publish(await write("2"))] })).body.error.code).to.equal("PLINTH_RELEASE_STATE");
      expect((await ask("GET", `/releases/${id}`)).body.data.actions).to.have.length(1);
    });

    it("is found by a document of it", async () => {
      const [one, two] = [await write("1"), await write("2")];
      const [id] = [await make(one), await make(two)];
      const { body } = await ask("GET", `/releases?type=${ARTICLE}&documentId=${one}`);
      expect(body.data.map((release: { id: number }) => release.id)).to.deep.equal([id]);
      expect((await ask("GET", `/releases?type=${ARTICLE}`)).status).to.equal(400);
    });

    it("tells of each time that it was run: refused and why, then whole", async () => {
      const [good, bad] = [await write("Good"), await write("Bad")];
      await served()
        .plinth.app.documents(ARTICLE)
        .update({ documentId: bad, data: { title: null } });
      const id = await make(good, bad);
      expect((await ask("POST", `/releases/${id}/run`)).body.data.state).to.equal("failed");
      await served()
        .plinth.app.documents(ARTICLE)
        .update({ documentId: bad, data: { title: "Better" } });
      expect((await ask("POST", `/releases/${id}/run`, undefined, "super")).body.data.state).to.equal("done");
      const { createdBy, by, runs } = (await ask("GET", `/releases/${id}`)).body.data;
      expect([createdBy, by]).to.deep.equal([
        { kind: "admin", name: "editor" },
        { kind: "admin", name: "super" },
      ]);
      expect(
        runs.map((run: { state: string; refused: number; documents: number }) => [
          run.state,
          run.refused,
          run.documents,
        ]),
      ).to.deep.equal([
        ["done", 0, 2],
        ["failed", 1, 2],
      ]);
      expect(runs[1].problems).to.have.length(1);
      expect(runs[1].problems[0]).to.deep.include({
        type: ARTICLE,
        documentId: bad,
        action: "publish",
        path: ["title"],
      });
    });

    it("tells nothing of documents that were taken out of it", async () => {
      const [good, bad] = [await write("Good"), await write("Bad")];
      await served()
        .plinth.app.documents(ARTICLE)
        .update({ documentId: bad, data: { title: null } });
      const id = await make(good, bad);
      await ask("POST", `/releases/${id}/run`);
      await amend(id, { remove: [{ type: ARTICLE, documentId: bad }] });
      const { text, body } = await ask("GET", `/releases/${id}`);
      expect(text).to.not.include(bad);
      expect(body.data.runs[0]).to.include({ state: "failed", refused: 1 });
    });
  });
});
