import { writeHooks } from "@plinth/core";
import { documentVersion } from "@plinth/core/reads";
import type { Restorer } from "@plinth/plugin-history";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { ARTICLE, type HistoryApp, historyTypes, NOTE, PAGE, startHistoryApp, TAG } from "./history-app.js";

const SHEET: string = "api::sheet.sheet";

eitherDatabase(import.meta.url, (database) => {
  describe("restoring", () => {
    let test: HistoryApp;
    const updated: unknown[] = [];
    before("start an app", async () => {
      test = await startHistoryApp(database.config(), {
        app: {
          ...historyTypes,
          register: ({ on }) =>
            on(writeHooks.update.before, ({ data }) => {
              updated.push(data);
              if (data?.["text"] === "forbidden") throw new TypeError("A handler refuses it.");
            }),
        },
      });
    });
    beforeEach(() => updated.splice(0));
    after("stop it", () => test?.stop());

    /** The ids of versions, oldest first. */
    const idsOf = async (uid: string, documentId: string) =>
      (await test.history.list(uid, { documentId })).map(({ id }) => id).reverse();
    const noteWith = async (...texts: readonly string[]) => {
      const notes = test.app.documents(NOTE);
      const { documentId } = await notes.create({ data: { text: texts[0], count: 1 } });
      for (const text of texts.slice(1)) await notes.update({ documentId, data: { text, count: text.length } });
      updated.splice(0);
      return { documentId, ids: await idsOf(NOTE, documentId) };
    };
    const failureOf = (work: Promise<unknown>) =>
      work.then(
        () => undefined,
        (error: unknown) => error,
      );

    it("writes what differs, as an update with its hooks, and is a version itself", async () => {
      const { documentId, ids } = await noteWith("one", "three");
      const [first = ""] = ids;
      expect(await test.history.restore(NOTE, { documentId, id: first })).to.deep.equal({
        ...{ documentId, locale: "", restored: ["text", "count"], left: [] },
      });
      expect(updated).to.deep.equal([{ text: "one", count: 1 }]);
      const note = await test.app.documents(NOTE).findOne({ documentId });
      expect(note).to.include({ text: "one", count: 1 });
      const [latest] = await test.history.list(NOTE, { documentId });
      expect(latest).to.deep.include({ action: "update", restoredFrom: first, changed: ["text", "count"] });
      expect(await test.history.restore(NOTE, { documentId, id: first })).to.deep.include({ restored: [] });
      expect(await idsOf(NOTE, documentId)).to.have.length(3);
    });

    it("takes some attributes, and leaves the others as they are", async () => {
      const { documentId, ids } = await noteWith("one", "three");
      await test.history.restore(NOTE, { documentId, id: ids[0] ?? "", attributes: ["count"] });
      expect(await test.app.documents(NOTE).findOne({ documentId })).to.include({ text: "three", count: 1 });
      for (const attributes of [["nothing"], ["tag", "documentId"]]) {
        const failure = await failureOf(test.history.restore(NOTE, { documentId, id: ids[0] ?? "", attributes }));
        expect(failure).to.include({ code: "PLINTH_HISTORY_INVALID" });
      }
    });

    it("is refused by what refuses an update", async () => {
      const { documentId } = await noteWith("one");
      await test.app.db.query({
        text: `update plinth_history set content = jsonb_set(content, '{values,text}', '"forbidden"') where document_id = $1`,
        values: [documentId],
      });
      const [first = ""] = await idsOf(NOTE, documentId);
      expect(String(await failureOf(test.history.restore(NOTE, { documentId, id: first })))).to.include("refuses");
      expect(await test.app.documents(NOTE).findOne({ documentId })).to.include({ text: "one" });
      const ifVersion = ["0123abcd"];
      expect(await failureOf(test.history.restore(NOTE, { documentId, id: first }, { ifVersion }))).to.include({
        code: "PLINTH_DOCUMENT_VERSION_MISMATCH",
      });
    });

    it("brings back components with what is secret in them, relations in their order, and the draft alone", async () => {
      const tags = test.app.documents(TAG);
      const ids: string[] = [];
      for (const name of ["a", "b", "c"]) ids.push((await tags.create({ data: { name } })).documentId);
      const [a = "", b = "", c = ""] = ids;
      const articles = test.app.documents(ARTICLE);
      const populate = {
        box: { populate: "*" },
        zone: { populate: "*" },
        tags: true,
        tag: true,
        anything: true,
      } as const;
      const data = {
        ...{ title: "A", tag: a, tags: [c, a, b], anything: [{ __type: TAG, documentId: b }] },
        box: {
          label: "box",
          key: "Analytical-1",
          tag: a,
          inner: { code: "in" },
          locks: [{ code: "1" }, { code: "2" }],
        },
        zone: [{ __component: "shared.lock", code: "z" }],
      };
      const { documentId } = await articles.create({ data, status: "published" });
      const before = await articles.findOne({ documentId, populate });
      const { box: made } = before as unknown as { readonly box: { readonly id: number } };
      const box = { id: made.id, label: "other", locks: [] };
      await articles.update({ documentId, data: { title: "B", tag: null, tags: [b], anything: [], box, zone: [] } });
      const [first = ""] = await idsOf(ARTICLE, documentId);
      const { restored } = await test.history.restore(ARTICLE, { documentId, id: first });
      expect(restored).to.have.members(["title", "tag", "tags", "anything", "box", "zone"]);
      const after = await articles.findOne({ documentId, populate });
      expect(comparable(after)).to.deep.equal(comparable(before));
      const [kept] = await test.app.db.query<{ key: string }>({
        text: `select box ->> 'key' as key from articles where document_id = $1 and published_at is null`,
        values: [documentId],
      });
      expect(kept?.key).to.match(/^\$2/);
      expect(await articles.findOne({ documentId, status: "published" })).to.include({ title: "A" });
    });

    it("leaves out links to what is gone, and says what the type does not have any more", async () => {
      const tags = test.app.documents(TAG);
      const [gone, kept] = [await tags.create({ data: { name: "x" } }), await tags.create({ data: { name: "y" } })];
      const articles = test.app.documents(ARTICLE);
      const { documentId } = await articles.create({ data: { title: "A", tags: [gone.documentId, kept.documentId] } });
      await articles.update({ documentId, data: { title: "B", tags: [] } });
      await tags.delete({ documentId: gone.documentId });
      const [first = ""] = await idsOf(ARTICLE, documentId);
      await test.app.db.query({
        text: `update plinth_history set content = jsonb_set(content #- '{values,body}', '{values}', content -> 'values' || $2::jsonb) where key = $1`,
        values: [
          first,
          JSON.stringify({ subtitle: "gone", at: { not: "a time" }, box: "no component", tag: "no link" }),
        ],
      });
      const { data, problems } = await test.history.findOne(ARTICLE, { documentId, id: first });
      expect(problems).to.have.deep.members([
        { path: "subtitle", problem: "removed" },
        { path: "at", problem: "changed" },
        { path: "box", problem: "changed" },
        { path: "tags", problem: "gone" },
      ]);
      expect(data).to.include({ title: "A" }).and.not.have.any.keys("at", "box", "subtitle");
      const { restored, left } = await test.history.restore(ARTICLE, { documentId, id: first });
      expect(restored).to.have.members(["title", "tags"]);
      expect(left).to.have.deep.members([
        { attribute: "subtitle", reason: "removed" },
        { attribute: "at", reason: "changed" },
        { attribute: "box", reason: "changed" },
        { attribute: "tags", reason: "gone" },
      ]);
      const article = await articles.findOne({ documentId, populate: ["tags"] });
      const linked = article?.["tags"];
      expect(linked).to.have.length(1).and.to.have.nested.property("[0].documentId", kept.documentId);
    });

    it("says which attributes it brings back without links to what is gone, those of components as well", async () => {
      const [tags, articles] = [test.app.documents(TAG), test.app.documents(ARTICLE)];
      const [{ documentId: gone }, { documentId: other }] = [
        await tags.create({ data: { name: "x" } }),
        await tags.create({ data: { name: "y" } }),
      ];
      const zone = [
        { __component: "shared.box", label: "a", tag: gone },
        { __component: "shared.box", label: "b", tag: gone },
      ];
      const { documentId } = await articles.create({ data: { title: "A", tag: gone, zone } });
      await articles.update({ documentId, data: { title: "B", zone: [] } });
      await tags.delete({ documentId: gone });
      const [id = ""] = await idsOf(ARTICLE, documentId);
      const left = ["tag", "zone"].map((attribute) => ({ attribute, reason: "gone" }));
      const whole = await test.history.restore(ARTICLE, { documentId, id });
      expect(whole.restored).to.have.members(["title", "zone"]);
      expect(whole.left).to.have.deep.members(left);
      await articles.update({ documentId, data: { title: "C", tag: other } });
      const named = await test.history.restore(ARTICLE, { documentId, id, attributes: ["title"] });
      expect([named.restored, named.left]).to.deep.equal([["title"], []]);
    });

    it("makes a deleted document again, with its id, and the only one of its type", async () => {
      const { documentId } = await noteWith("one", "two");
      await test.app.documents(NOTE).delete({ documentId });
      const [found] = await test.history.deleted(NOTE, { limit: 1 });
      expect(found).to.include({ documentId, locale: "" });
      const { restored } = await test.history.restore(NOTE, { documentId, id: found?.id ?? "" });
      expect(restored).to.have.members(["text", "count"]);
      expect(await test.app.documents(NOTE).findOne({ documentId })).to.include({ text: "two", count: 3 });
      expect(await test.history.deleted(NOTE, { limit: 100 })).to.deep.equal([]);
      const pages = test.app.documents(PAGE);
      const page = (await pages.upsertSingle({ data: { text: "page" } }))?.documentId ?? "";
      await pages.delete({ documentId: page });
      await test.history.restore(PAGE, {
        documentId: page,
        id: (await test.history.deleted(PAGE, { limit: 1 }))[0]?.id ?? "",
      });
      expect(await pages.findFirst()).to.include({ documentId: page, text: "page" });
    });

    it("of one language leaves what all languages share, unless that is named", async () => {
      const articles = test.app.documents(ARTICLE);
      const { documentId } = await articles.create({ data: { title: "A", price: 1 } });
      await articles.update({ documentId, locale: "fr", data: { title: "Un", price: 1 } });
      await articles.update({ documentId, locale: "fr", data: { title: "Deux" } });
      await articles.update({ documentId, data: { price: 7 } });
      const french = { documentId, locale: "fr" };
      const id = (await test.history.list(ARTICLE, french)).at(-1)?.id ?? "";
      const priceOf = async (locale: string) => (await articles.findOne({ documentId, locale }))?.["price"];
      const left = [{ attribute: "price", reason: "shared" }];
      expect(await test.history.restore(ARTICLE, { ...french, id })).to.deep.include({ restored: ["title"], left });
      expect(await articles.findOne(french)).to.include({ title: "Un", price: 7 });
      await articles.delete(french);
      const restored = ["title"];
      expect(await test.history.restore(ARTICLE, { ...french, id })).to.deep.include({ restored, left });
      expect(await articles.findOne(french)).to.include({ title: "Un", price: 7 });
      await articles.delete(french);
      const named = { attributes: ["title", "price"] };
      expect(await test.history.restore(ARTICLE, { ...french, id, ...named })).to.deep.include({ left: [] });
      expect([await priceOf("en"), await priceOf("fr")]).to.deep.equal([1, 1]);
      await articles.update({ documentId, data: { price: 1 } });
      await articles.delete(french);
      expect(await test.history.restore(ARTICLE, { ...french, id })).to.deep.include({ restored, left: [] });
      await articles.delete({ documentId, locale: "*" });
      expect((await test.history.restore(ARTICLE, { ...french, id })).restored).to.include.members(["title", "price"]);
      expect(await articles.findOne(french)).to.include({ title: "Un", price: 1 });
    });

    it("is refused where the document is not as expected: changed, the same as the version, or gone", async () => {
      const { documentId, ids } = await noteWith("one", "two");
      const note = await test.app.documents(NOTE).findOne({ documentId });
      const ifVersion = [documentVersion(note as object) ?? ""];
      const other = ["0123abcd"];
      const [first = "", second = ""] = ids;
      const codeOf = async (id: string, expected: Restorer) =>
        ((await failureOf(test.history.restore(NOTE, { documentId, id }, expected))) as { code?: string } | undefined)
          ?.code;
      const refused = "PLINTH_DOCUMENT_VERSION_MISMATCH";
      for (const id of ids) {
        expect(await codeOf(id, { ifVersion: other })).to.equal(refused);
        expect(await codeOf(id, { unlessVersion: ifVersion })).to.equal(refused);
        expect(await codeOf(id, { unlessVersion: "*" })).to.equal(refused);
      }
      expect(await codeOf(second, { ifVersion, unlessVersion: other })).to.equal(undefined);
      expect(await codeOf(first, { ifVersion: "*" })).to.equal(undefined);
      expect(await codeOf(first, { ifVersion })).to.equal(refused);
      await test.app.documents(NOTE).delete({ documentId });
      for (const each of [ifVersion, "*" as const]) expect(await codeOf(first, { ifVersion: each })).to.equal(refused);
      expect(await test.app.documents(NOTE).findOne({ documentId })).to.equal(null);
      expect(await codeOf(first, { unlessVersion: "*" })).to.equal(undefined);
      expect(await test.app.documents(NOTE).findOne({ documentId })).to.include({ text: "one" });
    });

    it("compares versions with each other, and with the document as it is", async () => {
      const { documentId, ids } = await noteWith("one", "two", "three");
      const [first = "", second = ""] = ids;
      expect(await test.history.compare(NOTE, { documentId, from: first, to: second })).to.deep.equal([
        { attribute: "text", from: "one", to: "two" },
        { attribute: "count", from: 1, to: 3 },
      ]);
      expect(await test.history.compare(NOTE, { documentId, from: second, to: "now" })).to.deep.equal([
        { attribute: "text", from: "two", to: "three" },
        { attribute: "count", from: 3, to: 5 },
      ]);
      const failure = await failureOf(test.history.compare(NOTE, { documentId, from: first, to: "another" }));
      expect(failure).to.include({ code: "PLINTH_HTTP_NOT_FOUND" });
    });

    it("says which dynamic zone it brings back without a component that is no more", async () => {
      const articles = test.app.documents(ARTICLE);
      const zone = [{ __component: "shared.lock", code: "kept" }];
      const { documentId } = await articles.create({ data: { title: "A", zone } });
      await articles.update({ documentId, data: { zone: [] } });
      const [first = ""] = await idsOf(ARTICLE, documentId);
      const gone = JSON.stringify({ __component: "shared.gone", id: 1 });
      const text = `update plinth_history set content = jsonb_insert(content, '{values,zone,0}', $2::jsonb) where key = $1`;
      await test.app.db.query({ text, values: [first, gone] });
      expect(await test.history.restore(ARTICLE, { documentId, id: first })).to.deep.include({
        restored: ["zone"],
        left: [{ attribute: "zone", reason: "removed" }],
      });
      const article = await articles.findOne({ documentId, populate: ["zone"] });
      expect(article?.["zone"]).to.have.length(1).and.to.have.nested.property("[0].code", "kept");
    });

    it("reads of deleted documents what is listed of them, and nothing else", async () => {
      const notes = test.app.documents(NOTE);
      const { documentId } = await notes.create({ data: { text: "listed", count: 7 } });
      await notes.delete({ documentId });
      const read: string[] = [];
      const { db } = test.app;
      const query = db.query.bind(db);
      db.query = async (statement) => {
        const rows = await query(statement);
        if (statement.text.includes("plinth_history")) read.push(JSON.stringify(rows));
        return rows as never;
      };
      const [found] = await test.history.deleted(NOTE, { limit: 1, attributes: ["text"] });
      const [bare] = await test.history.deleted(NOTE, { limit: 1 });
      db.query = query;
      expect([found?.data, bare?.data]).to.deep.equal([{ text: "listed" }, {}]);
      expect(read.join()).to.include("listed").and.not.include("count");
    });
  });

  describe("restoring what is empty", () => {
    let test: HistoryApp;
    before("start an app with a json attribute, and a component of which an attribute was renamed", async () => {
      const { contentTypes = {}, components = {} } = historyTypes;
      const digits = {
        info: { displayName: "digits" },
        attributes: { code: { type: "string", renamedFrom: "digits" } },
      };
      const sheet = {
        ...contentTypes[NOTE],
        info: { singularName: "sheet", pluralName: "sheets", displayName: "sheet" },
        attributes: { facts: { type: "json" }, lock: { type: "component", component: "shared.digits" } },
      };
      const app = {
        components: { ...components, "shared.digits": digits },
        contentTypes: { ...contentTypes, [SHEET]: sheet },
      } as unknown as typeof historyTypes;
      test = await startHistoryApp(database.config(), { app });
    });
    after("stop it", () => test?.stop());

    it("gives a renamed attribute of a component nothing again, also as it was called before", async () => {
      const sheets = test.app.documents(SHEET);
      const { documentId } = await sheets.create({ data: { lock: { code: null } } });
      const lockNow = async () => {
        const sheet = await sheets.findOne({ documentId, populate: ["lock"] });
        return sheet?.["lock"] as { readonly id: number; readonly code: unknown };
      };
      await sheets.update({ documentId, data: { lock: { id: (await lockNow()).id, code: "1" } } });
      const [, { id } = { id: "" }] = await test.history.list(SHEET, { documentId });
      expect((await test.history.restore(SHEET, { documentId, id })).restored).to.deep.equal(["lock"]);
      expect((await lockNow()).code).to.equal(null);
      const text = `update plinth_history set content = jsonb_set(content, '{values,lock}', '{"id":1,"digits":"2"}') where key = $1`;
      await test.app.db.query({ text, values: [id] });
      await test.history.restore(SHEET, { documentId, id });
      expect((await lockNow()).code).to.equal("2");
    });

    it("tells an empty list of a json attribute from nothing", async () => {
      const sheets = test.app.documents(SHEET);
      const { documentId } = await sheets.create({ data: { facts: [] } });
      await sheets.update({ documentId, data: { facts: null } });
      const [latest, { id } = { id: "" }] = await test.history.list(SHEET, { documentId });
      expect(latest?.changed).to.deep.equal(["facts"]);
      expect((await test.history.restore(SHEET, { documentId, id })).restored).to.deep.equal(["facts"]);
      expect((await sheets.findOne({ documentId }))?.["facts"]).to.deep.equal([]);
    });
  });
});

/** A document without what a write changes, and without ids of components. */
const comparable = (document: object | null): unknown =>
  JSON.parse(
    JSON.stringify(document, (name, value: unknown) =>
      ["id", "updatedAt", "createdAt", "publishedAt"].includes(name) ? undefined : value,
    ),
  );
