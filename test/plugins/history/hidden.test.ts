import { definePlugin, transformOutput } from "@plinth/core";
import type { Visibility } from "@plinth/core/reads";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { ARTICLE, type HistoryApp, historyTypes, NOTE, startHistoryApp, TAG } from "./history-app.js";

/** Shows texts of notes while they are not locked, which is a count of 0; a count of 1 masks them. */
const locking = definePlugin({
  name: "locking",
  register: ({ on }) =>
    on(transformOutput(NOTE), (note) => {
      const { text, ...rest } = note as unknown as Record<string, unknown>;
      if (rest["count"] === 0) return rest as unknown as typeof note;
      return { ...rest, text: rest["count"] === 1 && text !== null ? "***" : text } as unknown as typeof note;
    }),
});

const reading = (uid: string) => [`${uid}.findVersions`, `${uid}.findOne`, `${uid}.findDrafts`];
const READING = [...reading(NOTE), ...reading(ARTICLE), `${TAG}.find`];

eitherDatabase(import.meta.url, (database) => {
  describe("what is hidden today", () => {
    let test: HistoryApp;
    before("start an app", async () => {
      const settings = { api: { rest: { openDrafts: false } } };
      test = await startHistoryApp(database.config(), { settings, plugins: [locking] });
    });
    after("stop it", () => test?.stop());
    const make = async (uid: string, ...changes: readonly object[]) => {
      const [first = {}, ...others] = changes;
      const { documentId } = await test.app.documents(uid).create({ data: { ...first } });
      for (const data of others) await test.app.documents(uid).update({ documentId, data: { ...data } });
      return documentId;
    };

    it("as it became a password is in no version, though it was kept as plain text", async () => {
      const documentId = await make(ARTICLE, { title: "A", box: { label: "box" } });
      await test.app.db.query({
        text: `update plinth_history set content = jsonb_set(jsonb_set(content, '{values,secret}', '"needle"'), '{values,box,key}', '"needle"') where document_id = $1`,
        values: [documentId],
      });
      await test.app.documents(ARTICLE).update({ documentId, data: { title: "B" } });
      const [{ id } = { id: "" }] = (await test.history.list(ARTICLE, { documentId })).slice(-1);
      for (const visibility of ["code", "admin", "public"] as const satisfies readonly Visibility[]) {
        const version = await test.history.findOne(ARTICLE, { documentId, id }, { visibility });
        expect(version.data).to.deep.include({ title: "A" });
        const found = [version, await test.history.list(ARTICLE, { documentId }, { visibility })];
        const compared = await test.history.compare(ARTICLE, { documentId, from: id, to: "now" }, { visibility });
        expect(JSON.stringify([found, compared])).to.not.match(/needle|"secret"|"key"/);
      }
      expect((await test.history.restore(ARTICLE, { documentId, id })).restored).to.deep.equal(["title"]);
      const attributes = ["secret"];
      const refused = await test.history.restore(ARTICLE, { documentId, id, attributes }).catch((error) => error);
      expect(refused).to.include({ code: "PLINTH_HISTORY_INVALID" });
    });

    it("by a hook on output is hidden in versions that it would show", async () => {
      const client = test.as(READING);
      const documentId = await make(NOTE, { text: "needle" }, { text: "shown", count: 5 }, { count: 0 });
      const path = `/api/notes/${documentId}/history`;
      const textsOf = async () => {
        const list = (await client.get(path)).body.data as readonly { readonly id: string }[];
        return await Promise.all(
          list.map(async ({ id }) => (await client.get(`${path}/${id}`)).body.data.data["text"] as unknown),
        );
      };
      expect((await client.get(path)).text).to.not.include('"text"');
      expect(await textsOf()).to.deep.equal([undefined, undefined, undefined]);
      await test.app.documents(NOTE).update({ documentId, data: { count: 1 } });
      expect(await textsOf()).to.deep.equal(["***", undefined, undefined, undefined]);
      await test.app.documents(NOTE).update({ documentId, data: { count: 2 } });
      expect(await textsOf()).to.deep.equal(["shown", "***", undefined, "shown", "needle"]);
      await test.app.documents(NOTE).update({ documentId, data: { count: 0 } });
      await test.app.documents(NOTE).delete({ documentId });
      expect(await textsOf()).to.satisfy((texts: readonly unknown[]) => texts.every((text) => text === undefined));
    });
  });

  describe("links of versions", () => {
    let test: HistoryApp;
    before("start an app whose tags are in languages", async () => {
      const { contentTypes = {} } = historyTypes;
      const tag = { ...contentTypes[TAG], pluginOptions: { history: false, i18n: { localized: true } } };
      const app = { ...historyTypes, contentTypes: { ...contentTypes, [TAG]: tag } } as typeof historyTypes;
      test = await startHistoryApp(database.config(), { app, settings: { api: { rest: { openDrafts: false } } } });
    });
    after("stop it", () => test?.stop());
    const tag = async (name: string, locale = "en") =>
      (await test.app.documents(TAG).create({ data: { name }, locale })).documentId;
    const tagsOf = async (documentId: string) => {
      const content = test.app.loader.contentSql(ARTICLE, () => false);
      const text = `select ${content} as content from articles t where document_id = $1 and published_at is null`;
      const [row] = await test.app.db.query<{
        readonly content: { readonly values: { readonly box: { readonly tag: string } }; readonly links: object };
      }>({ text, values: [documentId] });
      return { ...row?.content.links, inBox: row?.content.values.box?.tag } as Readonly<Record<string, unknown>>;
    };
    const firstOf = async (documentId: string) =>
      (await test.history.list(ARTICLE, { documentId })).at(-1)?.id as string;
    const articles = () => test.app.documents(ARTICLE);

    it("lead to documents in whatever language they are, and are restored in the order of the version", async () => {
      const [en, fr, both] = [await tag("en"), await tag("fr", "fr"), await tag("both")];
      await test.app.documents(TAG).update({ documentId: both, locale: "fr", data: { name: "les deux" } });
      const anything = [fr, both, en].map((each) => ({ __type: TAG, documentId: each }));
      const data = { title: "A", tags: [fr, both, en], box: { tag: fr }, anything };
      const { documentId } = await articles().create({ data });
      const box = (await articles().findOne({ documentId, populate: ["box"] }))?.["box"] as { readonly id: number };
      await articles().update({
        documentId,
        data: { tags: [both, fr], anything: anything.slice(1), box: { id: box.id, tag: null } },
      });
      const id = await firstOf(documentId);
      const version = await test.history.findOne(ARTICLE, { documentId, id });
      expect(version.problems).to.deep.equal([]);
      expect(version.data["tags"]).to.deep.equal([fr, both, en].map((each) => ({ documentId: each })));
      await test.history.restore(ARTICLE, { documentId, id });
      expect(await tagsOf(documentId)).to.deep.include({ tags: [fr, both, en], inBox: fr, anything });
    });

    it("to documents that the restorer does not see stay as they are", async () => {
      const [a, b, c, hidden, other] = [
        ...[await tag("a"), await tag("b"), await tag("c"), await tag("hidden")],
        await tag("hidden"),
      ];
      const { documentId } = await articles().create({ data: { title: "A", tags: [a, hidden, c, other], tag: a } });
      await articles().update({ documentId, data: { tags: [a, hidden, b], tag: hidden } });
      const restorer = test.as([
        ...[...reading(ARTICLE), `${ARTICLE}.restoreVersion`, `${ARTICLE}.update`],
        { action: `${TAG}.find`, where: { name: { $ne: "hidden" } } },
      ]);
      const path = `/api/articles/${documentId}/history/${await firstOf(documentId)}/restore`;
      const answer = await restorer.post(path, { attributes: ["tags"] });
      expect([answer.status, answer.body.data?.restored]).to.deep.equal([200, ["tags"]]);
      // What follows another is put behind it; the other hidden one is not linked by who does not see it.
      expect(await tagsOf(documentId)).to.deep.include({ tags: [a, c, hidden], tag: hidden });
      expect((await restorer.post(path, {})).body.data.restored).to.deep.equal(["tag"]);
      expect(await tagsOf(documentId)).to.deep.include({ tag: a });
    });
  });
});
