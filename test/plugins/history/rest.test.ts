import { definePlugin, transformOutput } from "@plinth/core";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { ARTICLE, type HistoryApp, NOTE, startHistoryApp, TAG } from "./history-app.js";

const VERSIONS = [`${NOTE}.findVersions`, `${NOTE}.findOne`];

/** Takes what the office keeps to itself out of articles. */
const redacting = definePlugin({
  name: "redacting",
  register: ({ on }) =>
    on(transformOutput(ARTICLE), (article) => {
      const { body: _body, ...shown } = article as Record<string, unknown>;
      return { ...shown, title: `${shown["title"]}!`, words: 1 } as unknown as typeof article;
    }),
});

eitherDatabase(import.meta.url, (database) => {
  describe("versions over the content API", () => {
    let test: HistoryApp;
    before("start an app", async () => {
      const settings = { api: { rest: { openDrafts: false } } };
      test = await startHistoryApp(database.config(), { settings, plugins: [redacting] });
    });
    after("stop it", () => test?.stop());
    const make = async (uid: string, ...changes: readonly object[]) => {
      const [first = {}, ...others] = changes;
      const { documentId } = await test.app.documents(uid).create({ data: { ...first } });
      for (const data of others) await test.app.documents(uid).update({ documentId, data: { ...data } });
      return documentId;
    };

    it("are listed, shown, compared and restored, and do not say who wrote", async () => {
      const documentId = await make(NOTE, { text: "one" }, { text: "two" });
      const path = `/api/notes/${documentId}/history`;
      const client = test.as([...VERSIONS, `${NOTE}.restoreVersion`, `${NOTE}.update`]);
      const list = await client.get(path);
      expect(list.status).to.equal(200);
      expect(list.body.data.map((version: { changed: unknown }) => version.changed)).to.deep.equal([
        ["text"],
        ["text"],
      ]);
      expect(list.text).to.not.include("transport");
      const [, first] = list.body.data;
      const one = (await client.get(`${path}/${first.id}`)).body.data;
      expect([one.data, one.problems]).to.deep.equal([{ text: "one", count: null }, []]);
      expect((await client.get(`${path}/${first.id}/compare`)).body).to.deep.equal({
        data: [{ attribute: "text", from: "one", to: "two" }],
      });
      const restored = await client.post(`${path}/${first.id}/restore`, { data: { attributes: ["text"] } });
      expect([restored.status, restored.body.data.restored]).to.deep.equal([200, ["text"]]);
      expect(await test.app.documents(NOTE).findOne({ documentId })).to.include({ text: "one" });
      expect((await client.post(`${path}/${first.id}/restore`)).body.data.restored).to.deep.equal([]);
    });

    it("do not tell a document that is gone from one that the caller does not see", async () => {
      const { documentId: tag } = await test.app.documents(TAG).create({ data: { name: "x" } });
      const documentId = await make(NOTE, { text: "one", tag }, { text: "two" });
      await test.app.documents(TAG).delete({ documentId: tag });
      const [{ id } = { id: "" }] = (await test.history.list(NOTE, { documentId })).slice(-1);
      const client = test.as([...VERSIONS, `${TAG}.find`, `${NOTE}.restoreVersion`, `${NOTE}.update`]);
      const restored = (await client.post(`/api/notes/${documentId}/history/${id}/restore`)).body.data;
      expect(restored).to.deep.include({ restored: ["text"], left: [] });
    });

    it("want permissions of their own, and those on the document", async () => {
      const documentId = await make(NOTE, { text: "one" }, { text: "two" });
      const path = `/api/notes/${documentId}/history`;
      const [{ id } = { id: "" }] = (await test.history.list(NOTE, { documentId })).slice(-1);
      const statusOf = async (grant: readonly string[], method: string, below = "") =>
        (await test.as([...grant]).request(method, `${path}${below}`)).status;
      expect(await statusOf([`${NOTE}.findOne`], "GET")).to.equal(403);
      expect(await statusOf([`${NOTE}.findVersions`], "GET")).to.equal(403);
      expect(await statusOf(VERSIONS, "GET")).to.equal(200);
      const restore = `/${id}/restore`;
      expect(await statusOf([...VERSIONS, `${NOTE}.update`], "POST", restore)).to.equal(403);
      expect(await statusOf([...VERSIONS, `${NOTE}.restoreVersion`], "POST", restore)).to.equal(403);
      expect((await test.public.get(path)).status).to.equal(403);
      const mine = test.as([`${NOTE}.findVersions`, { action: `${NOTE}.findOne`, where: { text: "two" } }]);
      expect((await mine.get(path)).body.data).to.have.length(2);
      await test.app.documents(NOTE).update({ documentId, data: { text: "three" } });
      expect((await mine.get(path)).status).to.equal(404);
      const writer = { action: `${NOTE}.update`, fields: ["count"] };
      const some = test.as([...VERSIONS, `${NOTE}.restoreVersion`, writer]);
      const left = (await some.post(`${path}/${id}/restore`)).body.data;
      expect(left).to.deep.include({ restored: [], left: [{ attribute: "text", reason: "not writable" }] });
      expect((await some.post(`${path}/${id}/restore`, { attributes: ["text"] })).status).to.equal(400);
    });

    it("are of drafts, so that who reads none sees no version", async () => {
      const documentId = await make(ARTICLE, { title: "A" }, { title: "B" });
      await test.app.documents(ARTICLE).publish({ documentId });
      const path = `/api/articles/${documentId}/history`;
      const reading = [`${ARTICLE}.findVersions`, `${ARTICLE}.findOne`];
      expect((await test.as(reading).get(path)).status).to.equal(403);
      expect((await test.as([...reading, `${ARTICLE}.findDrafts`]).get(path)).body.data).to.have.length(3);
      const others = { action: `${ARTICLE}.findDrafts`, where: { title: "C" } };
      expect((await test.as([...reading, others]).get(path)).status).to.equal(404);
    });

    it("pass the hooks on output", async () => {
      const documentId = await make(ARTICLE, { title: "A", body: "needle" }, { body: "other needle" }, { title: "B" });
      const client = test.as([`${ARTICLE}.findVersions`, `${ARTICLE}.findOne`, `${ARTICLE}.findDrafts`]);
      const list = await client.get(`/api/articles/${documentId}/history`);
      expect(list.body.data.map(({ changed }: { changed: unknown }) => changed)).to.deep.equal([
        ["title"],
        ["title", "words"],
      ]);
      const one = await client.get(`/api/articles/${documentId}/history/${list.body.data[1].id}`);
      expect(one.text).to.not.include("needle");
      expect(one.body.data.data).to.include({ title: "A!", words: 1 });
    });

    it("are restored as they were stored, not as hooks show them", async () => {
      const documentId = await make(ARTICLE, { title: "A" }, { title: "B" });
      const path = `/api/articles/${documentId}/history`;
      const client = test.as("all");
      const { data } = (await client.get(path)).body;
      expect((await client.post(`${path}/${data[1].id}/restore`)).body.data.restored).to.deep.equal(["title"]);
      const text = "select title from articles where document_id = $1";
      expect(await test.app.db.query({ text, values: [documentId] })).to.deep.equal([{ title: "A" }]);
    });

    it("of what was deleted are for those who see every document of the type", async () => {
      const documentId = await make(NOTE, { text: "one" });
      await test.app.documents(NOTE).delete({ documentId });
      const path = `/api/notes/${documentId}/history`;
      const list = await test.as(VERSIONS).get(path);
      expect(list.body.data.map(({ action }: { action: string }) => action)).to.deep.equal(["delete", "create"]);
      const some = [`${NOTE}.findVersions`, { action: `${NOTE}.findOne`, where: { text: "one" } }];
      expect((await test.as(some).get(path)).status).to.equal(404);
      const restorer = [...VERSIONS, `${NOTE}.restoreVersion`];
      const restore = `${path}/${list.body.data[0].id}/restore`;
      expect((await test.as([...restorer, `${NOTE}.update`]).post(restore)).status).to.equal(403);
      expect((await test.as([...restorer, `${NOTE}.create`]).post(restore)).status).to.equal(200);
      expect(await test.app.documents(NOTE).findOne({ documentId })).to.include({ text: "one" });
    });

    it("refuse what is no version, no document, no parameter and no body", async () => {
      const documentId = await make(NOTE, { text: "one" });
      const path = `/api/notes/${documentId}/history`;
      const client = test.as("all");
      const codeOf = async (method: string, url: string, body?: object) =>
        (await client.request(method, url, { body })).body.error.code;
      expect(await codeOf("GET", "/api/notes/nothing/history")).to.equal("PLINTH_HTTP_NOT_FOUND");
      expect(await codeOf("GET", `${path}/nothing`)).to.equal("PLINTH_HTTP_NOT_FOUND");
      expect(await codeOf("GET", `${path}?filters[text]=one`)).to.equal("PLINTH_HISTORY_INVALID");
      expect(await codeOf("GET", `${path}?locale[]=en`)).to.equal("PLINTH_HISTORY_INVALID");
      expect(await codeOf("POST", `${path}/x/restore`, { attributes: [] })).to.equal("PLINTH_HISTORY_INVALID");
      const beside = { data: {}, attributes: ["text"] };
      expect(await codeOf("POST", `${path}/x/restore`, beside)).to.equal("PLINTH_HISTORY_INVALID");
      const limited = await client.get(`${path}?limit=-1`);
      expect(limited.body.error.message).to.equal('limit must be a whole number, such as 25, and is "-1"');
      expect(await codeOf("GET", "/api/notes/%00/history")).to.equal("PLINTH_HTTP_NOT_FOUND");
      expect(await codeOf("POST", "/api/notes/%00/history/x/restore")).to.equal("PLINTH_HTTP_NOT_FOUND");
      expect(await codeOf("GET", `/api/articles/${documentId}/history?locale=%00`)).to.equal("PLINTH_HTTP_NOT_FOUND");
      expect((await client.get(`/api/tags/${documentId}/history`)).status).to.equal(404);
      expect((await test.as("all").get(`/api/page/history`)).status).to.equal(404);
    });
  });
});
