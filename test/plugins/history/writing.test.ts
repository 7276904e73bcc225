import { createHash } from "node:crypto";
import { channels, type DatabaseMessage } from "@plinth/core/telemetry";
import { expect } from "chai";
import { listenTo } from "../../core/base/listen.js";
import { tripsOf } from "../../core/database/trips-of.js";
import { eachDatabase } from "../../databases.js";
import { ARTICLE, type HistoryApp, NOTE, PAGE, startHistoryApp, TAG, told } from "./history-app.js";

const PIN = "Analytical-1";

eachDatabase((database) => {
  describe("versions of documents", () => {
    const heard = listenTo({ db: channels.db.end });
    let test: HistoryApp;
    before("start an app", async () => {
      test = await startHistoryApp(database.config());
    });
    after("stop it", () => test?.stop());
    const historyOf = async (uid: string, documentId: string, locale?: string) =>
      told(await test.history.list(uid, { documentId, locale }, { withPrivate: true }));

    it("are kept of writes by REST, GraphQL and code, with who wrote", async () => {
      const ada = test.as("all", { id: 7, documentId: "ada" });
      const made = await ada.post("/api/notes", { data: { text: "one" } }, { headers: { "x-request-id": "first" } });
      const { documentId } = made.body.data;
      const mutation = 'mutation($id: ID!) { updateNote(documentId: $id, data: { text: "two" }) { documentId } }';
      expect((await ada.graphql(mutation, { id: documentId })).body.errors).to.equal(undefined);
      await test.app.documents(NOTE).update({ documentId, data: { text: "three", count: 3 } });
      const versions = await test.history.list(NOTE, { documentId });
      expect(told(versions)).to.deep.equal([
        ["create", "published", ["text"]],
        ["update", "published", ["text"]],
        ["update", "published", ["text", "count"]],
      ]);
      const origins = versions.toReversed().map(({ origin }) => origin);
      expect(origins[0]).to.deep.include({ transport: "rest", actor: { kind: "user", id: "ada" } });
      expect(origins[0]?.requestId).to.equal(made.headers.get("x-request-id"));
      expect(origins[1]).to.deep.include({ transport: "graphql", actor: { kind: "user", id: "ada" } });
      expect(origins[2]).to.deep.equal({ transport: "code" });
      const times = versions.map(({ at }) => Date.parse(at));
      expect(times).to.deep.equal(times.toSorted((a, b) => b - a));
    });

    it("follow drafts, what is published, and what is deleted", async () => {
      const articles = test.app.documents(ARTICLE);
      const { documentId } = await articles.create({ data: { title: "A", body: "text" }, status: "published" });
      await articles.update({ documentId, data: { title: "B" } });
      await articles.discardDraft({ documentId });
      await articles.update({ documentId, data: { title: "C" } });
      await articles.publish({ documentId });
      await articles.unpublish({ documentId });
      await articles.update({ documentId, data: { title: "D" }, status: "published" });
      await articles.update({ documentId, data: { body: null } });
      await articles.delete({ documentId });
      expect(await historyOf(ARTICLE, documentId)).to.deep.equal([
        ["create", "published", ["title", "body"]],
        ["update", "draft", ["title"]],
        ["discardDraft", "draft", ["title"]],
        ["update", "draft", ["title"]],
        ["publish", "published", ["title"]],
        ["unpublish", "draft", []],
        ["update", "published", ["title", "body"]],
        ["update", "draft", ["body"]],
        ["delete", "published", []],
        ["delete", "draft", []],
      ]);
    });

    it("are of one locale, and of all where what they share changes", async () => {
      const articles = test.app.documents(ARTICLE);
      const { documentId } = await articles.create({ data: { title: "A", price: 1 } });
      await articles.update({ documentId, locale: "fr", data: { title: "Un" } });
      await articles.update({ documentId, data: { title: "B", price: 1 } });
      await articles.update({ documentId, data: { price: 2.5 } });
      expect(await historyOf(ARTICLE, documentId)).to.deep.equal([
        ["create", "draft", ["title", "price"]],
        ["update", "draft", ["title"]],
        ["update", "draft", ["price"]],
      ]);
      expect(await historyOf(ARTICLE, documentId, "fr")).to.deep.equal([
        ["create", "draft", ["title", "price"]],
        ["update", "draft", ["price"]],
      ]);
    });

    it("hold components, relations and all kinds of values, and no secret", async () => {
      const tags = test.app.documents(TAG);
      const [red, blue] = [await tags.create({ data: { name: "red" } }), await tags.create({ data: { name: "blue" } })];
      const lock = { code: "left", pin: PIN };
      const box = { label: "box", key: PIN, token: "needle", tag: red.documentId, inner: lock, locks: [lock, lock] };
      const articles = test.app.documents(ARTICLE);
      const { documentId } = await articles.create({
        data: {
          ...{ title: "A", price: 12.5, views: "9007199254740993", at: "2026-01-02T03:04:05.678Z", memo: "private" },
          ...{ secret: PIN, token: "needle", box, tag: blue.documentId, tags: [blue.documentId, red.documentId] },
          zone: [
            { __component: "shared.lock", ...lock },
            { __component: "shared.box", ...box },
          ],
          tree: { name: "top", pin: PIN, below: [{ name: "leaf", pin: PIN }] },
          anything: [{ __type: TAG, documentId: red.documentId }],
        },
      });
      const [version] = await test.history.list(ARTICLE, { documentId });
      const named = { documentId, id: version?.id ?? "" };
      const { data, problems } = await test.history.findOne(ARTICLE, named, { withPrivate: true });
      expect(problems).to.deep.equal([]);
      const toCode = await test.history.findOne(ARTICLE, named);
      expect(toCode.data).to.include.keys("title").and.not.include.keys("memo");
      expect(withoutIds(data)).to.deep.equal({
        ...{
          title: "A",
          body: null,
          price: 12.5,
          views: "9007199254740993",
          at: "2026-01-02T03:04:05.678Z",
          memo: "private",
        },
        box: shown(red.documentId),
        zone: [
          { __component: "shared.lock", code: "left" },
          { __component: "shared.box", ...shown(red.documentId) },
        ],
        tree: { name: "top" },
        tag: { documentId: blue.documentId },
        tags: [{ documentId: blue.documentId }, { documentId: red.documentId }],
        anything: [{ documentId: red.documentId, __type: TAG }],
      });
      const [stored] = await test.app.db.query<{ text: string }>({
        text: "select string_agg(h::text, '') as text from plinth_history h where document_id = $1",
        values: [documentId],
      });
      expect(stored?.text)
        .to.include("left")
        .and.not.match(/needle|Analytical|\$2[aby]\$|"pin"|"key"|leaf/);
    });

    it("are kept of what is imported, and of the document of a single type", async () => {
      const { loader } = test.app;
      const time = "2026-01-01T00:00:00.000Z";
      const version = {
        ...{
          id: 900,
          documentId: "imported0000000000000000",
          locale: "",
          publishedAt: time,
          createdAt: time,
          updatedAt: time,
        },
        ...{ values: { text: "loaded", count: 1 }, links: {} },
      };
      await loader.load(NOTE, [version]);
      await loader.load(NOTE, [{ ...version, values: { text: "again", count: 1 } }], "overwrite");
      const versions = await test.history.list(NOTE, { documentId: version.documentId });
      expect(told(versions)).to.deep.equal([
        ["import", "published", null],
        ["import", "published", ["text"]],
      ]);
      expect(versions[0]?.origin).to.include({ transport: "import" });
      const pages = test.app.documents(PAGE);
      const page = await pages.upsertSingle({ data: { text: "one" } });
      await pages.upsertSingle({ data: { text: "two" } });
      expect(await historyOf(PAGE, page?.documentId ?? "")).to.have.length(2);
    });

    it("begin with how a document was before its first change", async () => {
      const notes = test.app.documents(NOTE);
      const { documentId } = await notes.create({ data: { text: "old" } });
      await test.history.forget(NOTE, documentId);
      await notes.update({ documentId, data: { text: "new" } });
      await notes.update({ documentId, data: { text: "newer" } });
      const versions = await test.history.list(NOTE, { documentId });
      expect(told(versions)).to.deep.equal([
        ["baseline", "published", null],
        ["update", "published", ["text"]],
        ["update", "published", ["text"]],
      ]);
      const first = await test.history.findOne(NOTE, { documentId, id: versions.at(-1)?.id ?? "" });
      expect([first.data["text"], first.origin]).to.deep.equal(["old", null]);
    });

    it("begin with what was published before a document is published again", async () => {
      const articles = test.app.documents(ARTICLE);
      const { documentId } = await articles.create({ data: { title: "A" }, status: "published" });
      await articles.update({ documentId, data: { title: "B" } });
      await test.history.forget(ARTICLE, documentId);
      await articles.publish({ documentId });
      await articles.publish({ documentId });
      const versions = await test.history.list(ARTICLE, { documentId });
      expect(told(versions)).to.deep.equal([
        ["baseline", "published", null],
        ["baseline", "draft", null],
        ["publish", "published", ["title"]],
        ["publish", "published", []],
      ]);
      const first = await test.history.findOne(ARTICLE, { documentId, id: versions.at(-1)?.id ?? "" });
      expect(first.data["title"]).to.equal("A");
    });

    it("begin with how a document was before it is unpublished, or a new language changes what all share", async () => {
      const articles = test.app.documents(ARTICLE);
      const { documentId } = await articles.create({ data: { title: "A", price: 1 }, status: "published" });
      await articles.update({ documentId, data: { title: "B" } });
      const forgotten = await test.history.forget(ARTICLE, documentId);
      await articles.unpublish({ documentId });
      expect(forgotten).to.equal(2);
      expect(await historyOf(ARTICLE, documentId)).to.deep.equal([
        ["baseline", "published", null],
        ["baseline", "draft", null],
        ["unpublish", "draft", []],
      ]);
      await test.history.forget(ARTICLE, documentId);
      await articles.update({ documentId, locale: "fr", data: { title: "Un", price: 2 } });
      expect(await historyOf(ARTICLE, documentId)).to.deep.equal([
        ["baseline", "draft", null],
        ["update", "draft", ["price"]],
      ]);
      const { documentId: fresh } = await articles.create({ data: { title: "B", price: 1 }, status: "published" });
      expect(await historyOf(ARTICLE, fresh)).to.deep.equal([["create", "published", ["title", "price"]]]);
    });

    it("are kept of both rows where a write changes what is published beside its draft", async () => {
      const articles = test.app.documents(ARTICLE);
      const { documentId } = await articles.create({ data: { title: "A" }, status: "published" });
      await articles.update({ documentId, data: { body: "both" }, alsoPublished: true });
      await articles.update({ documentId, data: { title: "B" } });
      await articles.update({ documentId, data: { memo: "a file" }, alsoPublished: true });
      await articles.update({ documentId, data: { title: "C" } });
      expect(await historyOf(ARTICLE, documentId)).to.deep.equal([
        ["create", "published", ["title"]],
        ["update", "published", ["body"]],
        ["update", "draft", ["title"]],
        ["publish", "published", ["memo"]],
        ["update", "draft", ["memo"]],
        ["update", "draft", ["title"]],
      ]);
      const list = await test.history.list(ARTICLE, { documentId });
      const { id = "" } = list.find(({ status }) => status === "published") ?? {};
      const { data } = await test.history.findOne(ARTICLE, { documentId, id }, { withPrivate: true });
      const published = await articles.findOne({ documentId, status: "published", withPrivate: true });
      expect(data).to.deep.include({ title: "A", body: "both", memo: "a file" });
      expect(published).to.include({ title: "A", body: "both", memo: "a file" });
    });

    it("cost no round trip", async () => {
      const [articles, tags] = [test.app.documents(ARTICLE), test.app.documents(TAG)];
      const { documentId } = await articles.create({ data: { title: "A" } });
      const tag = await tags.create({ data: { name: "a" } });
      const costOf = async (work: () => Promise<unknown>) => (await tripsOf(test.app.db.knex, work)).length;
      const update = (title: string) => articles.update({ documentId, data: { title } });
      await update("prepared");
      const kept = [await costOf(() => articles.create({ data: { title: "B" } })), await costOf(() => update("C"))];
      const free = [
        await costOf(() => tags.create({ data: { name: "b" } })),
        await costOf(() => tags.update({ documentId: tag.documentId, data: { name: "c" } })),
      ];
      expect(Math.min(...free)).to.be.greaterThan(0);
      expect(kept).to.deep.equal(free);
      const data = { title: "D", price: 1 };
      const [trips] = free;
      expect(await costOf(() => articles.create({ data, status: "published" }))).to.equal(trips);
    });

    it("take one statement of a new document, of which no language can be older", async () => {
      const { db } = test.app;
      const statementsOf = async (data: Readonly<Record<string, unknown>>) => {
        const before = db.statementCount;
        await test.app.documents(ARTICLE).create({ data });
        return db.statementCount - before;
      };
      await statementsOf({ title: "A", price: 1 });
      expect(await statementsOf({ title: "A", price: 1 })).to.equal(await statementsOf({ title: "A" }));
    });

    it("are read some at a time where they are large, and compared all the same", async () => {
      const articles = test.app.documents(ARTICLE);
      // Such a text cannot be compressed.
      const hashes = Array.from({ length: 200 }, (_, index) => createHash("sha256").update(`${index}`).digest("hex"));
      const body = hashes.join("");
      const { documentId } = await articles.create({ data: { body } });
      for (let count = 1; count < 30; count++)
        await articles.update({ documentId, data: count === 15 ? { body: `${body}!` } : { title: `${count}` } });
      heard.db.length = 0;
      const versions = await test.history.list(ARTICLE, { documentId });
      const reads = (heard.db as DatabaseMessage[]).filter((each) =>
        /(?<!null::jsonb as )content from plinth_history/.test(each.text),
      );
      expect(Math.max(...reads.map(({ rows }) => rows))).to.be.lessThan(11);
      expect(reads.reduce((sum, { rows }) => sum + rows, 0)).to.be.at.least(30);
      expect(versions.map(({ changed }) => changed?.join()).toReversed()).to.deep.equal(
        Array.from({ length: 30 }, (_, index) => (index === 0 || index === 15 ? "body" : "title")),
      );
    });

    it("are part of the write: none of what is rolled back or was a trial", async () => {
      const { db } = test.app;
      const notes = test.app.documents(NOTE);
      const { documentId } = await notes.create({ data: { text: "kept" } });
      const undone = db.transaction(async () => {
        await notes.update({ documentId, data: { text: "undone" } });
        throw new TypeError("no");
      });
      await undone.catch(() => undefined);
      await db
        .transaction(async () => {
          await notes.update({ documentId, data: { text: "tried" }, isTrial: true });
          const rows = await db.query({
            text: "select from plinth_history where document_id = $1",
            values: [documentId],
          });
          expect(rows).to.have.length(1);
          throw new TypeError("no");
        })
        .catch((error: unknown) => expect(error).to.be.instanceOf(TypeError));
      expect(await historyOf(NOTE, documentId)).to.deep.equal([["create", "published", ["text"]]]);
    });

    it("are not kept of types that say so", async () => {
      const { documentId } = await test.app.documents(TAG).create({ data: { name: "green" } });
      const failure = await test.history.list(TAG, { documentId }).catch((error: unknown) => error);
      expect(failure).to.include({ code: "PLINTH_HISTORY_NOT_KEPT" });
      const [{ count } = { count: 0 }] = await test.app.db.query<{ count: number }>({
        text: "select count(*)::int as count from plinth_history where uid = $1",
        values: [TAG],
      });
      expect(count).to.equal(0);
    });
  });
});

/** A box as everybody sees it who sees private attributes. */
const shown = (tag: string) => ({
  ...{ label: "box", tag: { documentId: tag }, inner: { code: "left" } },
  locks: [{ code: "left" }, { code: "left" }],
});

/** The data without ids of components. */
const withoutIds = (data: object): unknown =>
  JSON.parse(JSON.stringify(data, (name, value: unknown) => (name === "id" ? undefined : value)));
