import type { LoadedVersion } from "@plinth/core";
import { expect } from "chai";
import { eachDatabase } from "../../databases.js";
import { ARTICLE, type HistoryApp, PLACE, startHistoryApp, told } from "./history-app.js";

eachDatabase((database) => {
  describe("versions of what is published, and of other languages", () => {
    let test: HistoryApp;
    before("start an app", async () => {
      test = await startHistoryApp(database.config());
    });
    after("stop it", () => test?.stop());
    const historyOf = async (uid: string, documentId: string, locale?: string) =>
      told(await test.history.list(uid, { documentId, locale }));

    it("are published in all languages of a type without drafts, where what they share changes", async () => {
      const places = test.app.documents(PLACE);
      const { documentId } = await places.create({ data: { name: "A", size: 1 } });
      await places.update({ documentId, locale: "fr", data: { name: "Un" } });
      await places.update({ documentId, data: { size: 2 } });
      expect(await historyOf(PLACE, documentId, "fr")).to.deep.equal([
        ["create", "published", ["name", "size"]],
        ["update", "published", ["size"]],
      ]);
    });

    it("begin as published, where what is published is what is edited, and their age begins now", async () => {
      const articles = test.app.documents(ARTICLE);
      const { documentId } = await articles.create({ data: { title: "A" }, status: "published" });
      await test.history.forget(ARTICLE, documentId);
      const text = "update articles set updated_at = updated_at - interval '300 days' where document_id = $1";
      await test.app.db.query({ text, values: [documentId] });
      await articles.update({ documentId, data: { title: "B" } });
      await articles.unpublish({ documentId });
      expect(await historyOf(ARTICLE, documentId)).to.deep.equal([
        ["baseline", "published", null],
        ["update", "draft", ["title"]],
        ["unpublish", "draft", []],
      ]);
      expect(await test.history.prune()).to.equal(0);
    });

    it("are one of a draft and what is published that are imported as the same, and two of others", async () => {
      const articles = test.app.documents(ARTICLE);
      const ids: string[] = [];
      for (const title of ["A", "B"]) {
        const { documentId } = await articles.create({ data: { title: "A" }, status: "published" });
        if (title === "B") await articles.update({ documentId, data: { title } });
        ids.push(documentId);
      }
      const { db, loader } = test.app;
      const stored = await loader.read(ARTICLE, { after: 0, limit: 1_000 });
      const loaded = stored
        .map(({ text: line }) => JSON.parse(line) as LoadedVersion)
        .filter(({ documentId }) => ids.includes(documentId));
      for (const body of ["one", "two"]) {
        const changed = loaded.map((each) => ({ ...each, values: { ...each.values, body } }));
        await loader.load(ARTICLE, changed, "overwrite");
      }
      const text = "delete from plinth_history where action <> 'import' and document_id = any($1)";
      await db.query({ text, values: [ids] });
      expect(await historyOf(ARTICLE, ids[0] ?? "")).to.deep.equal([
        ["import", "published", null],
        ["import", "published", ["body"]],
      ]);
      expect(await historyOf(ARTICLE, ids[1] ?? "")).to.deep.equal([
        ["import", "published", null],
        ["import", "draft", null],
        ["import", "published", ["body"]],
        ["import", "draft", ["body"]],
      ]);
    });

    it("are kept of other languages, where one is published or discarded with what all share", async () => {
      const articles = test.app.documents(ARTICLE);
      const { documentId } = await articles.create({ data: { title: "A", price: 1 }, status: "published" });
      for (const [title, status] of [
        ["Un", "published"],
        ["Deux", "draft"],
      ] as const)
        await articles.update({ documentId, locale: "fr", data: { title }, status });
      const newOf = async (count: number) => (await historyOf(ARTICLE, documentId, "fr")).slice(count);
      await articles.update({ documentId, data: { price: 2 } });
      await articles.publish({ documentId });
      expect(await newOf(2)).to.deep.equal([
        ["update", "draft", ["price"]],
        ["publish", "published", ["price"]],
      ]);
      await articles.update({ documentId, data: { price: 3 } });
      await articles.discardDraft({ documentId });
      expect(await newOf(4)).to.deep.equal([
        ["update", "draft", ["price"]],
        ["update", "draft", ["price"]],
      ]);
      await articles.update({ documentId, data: { price: 4 }, status: "published" });
      expect(await newOf(6)).to.deep.equal([
        ["publish", "published", ["price"]],
        ["update", "draft", ["price"]],
      ]);
      await articles.update({ documentId, data: { title: "B" } });
      await articles.publish({ documentId });
      expect(await newOf(8), "nothing of it has changed").to.deep.equal([]);
      await articles.publish({ documentId, locale: "fr" });
      await articles.update({ documentId, data: { price: 5 }, status: "published" });
      expect((await newOf(8)).slice(1), "in which both are the same").to.deep.equal([
        ["update", "published", ["price"]],
      ]);
      expect((await historyOf(ARTICLE, documentId)).map(([action, status]) => [action, status])).to.deep.equal([
        ...[
          ["create", "published"],
          ["update", "draft"],
          ["publish", "published"],
          ["update", "draft"],
        ],
        ...[
          ["discardDraft", "draft"],
          ["update", "published"],
          ["update", "draft"],
          ["publish", "published"],
        ],
        ["update", "published"],
      ]);
    });

    it("are kept of other languages also where a write that publishes names nothing that they share", async () => {
      const articles = test.app.documents(ARTICLE);
      const { documentId } = await articles.create({ data: { title: "A", price: 1 }, status: "published" });
      await articles.update({ documentId, data: { price: 2 } });
      await test.history.forget(ARTICLE, documentId);
      await articles.update({ documentId, locale: "fr", data: { title: "Un" }, status: "published" });
      expect(await historyOf(ARTICLE, documentId)).to.deep.equal([
        ["baseline", "published", null],
        ["baseline", "draft", null],
        ["update", "published", ["price"]],
      ]);
      await articles.update({ documentId, data: { price: 3 } });
      await articles.update({ documentId, data: { title: "B" }, status: "published" });
      expect((await historyOf(ARTICLE, documentId, "fr")).slice(1)).to.deep.equal([
        ["update", "draft", ["price"]],
        ["update", "published", ["price"]],
      ]);
    });

    it("are of both rows of a language, which another gave something to in one of them only", async () => {
      const articles = test.app.documents(ARTICLE);
      const { documentId } = await articles.create({ data: { title: "A", price: 1 }, status: "published" });
      await articles.update({ documentId, locale: "fr", data: { title: "Un" }, status: "published" });
      await articles.update({ documentId, data: { price: 2 } });
      await test.history.forget(ARTICLE, documentId);
      await articles.update({ documentId, data: { title: "B" } });
      expect(await historyOf(ARTICLE, documentId, "fr")).to.deep.equal([
        ["baseline", "published", null],
        ["baseline", "draft", null],
      ]);
    });

    it("are kept in all languages of what a write changes in what is published of them", async () => {
      const articles = test.app.documents(ARTICLE);
      const { documentId } = await articles.create({ data: { title: "A", price: 1 }, status: "published" });
      await articles.update({ documentId, locale: "fr", data: { title: "Un" }, status: "published" });
      await articles.update({ documentId, locale: "fr", data: { title: "Deux" } });
      await articles.update({ documentId, data: { price: 2 }, alsoPublished: true });
      expect((await historyOf(ARTICLE, documentId)).slice(1)).to.deep.equal([["update", "published", ["price"]]]);
      expect((await historyOf(ARTICLE, documentId, "fr")).slice(2)).to.deep.equal([
        ["publish", "published", ["price"]],
        ["update", "draft", ["price"]],
      ]);
      const [, { id } = { id: "" }] = await test.history.list(ARTICLE, { documentId, locale: "fr" });
      const { data } = await test.history.findOne(ARTICLE, { documentId, locale: "fr", id });
      expect(data).to.deep.include({ title: "Un", price: 2 });
    });
  });
});
