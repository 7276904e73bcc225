import { expect } from "chai";
import { writeHooks } from "#core/documents/hooks.js";
import type { HookBus } from "#core/kernel/hook-bus.js";
import { eachDatabase } from "../../../databases.js";
import { failureOf, type Newsroom, openNewsroom, uid } from "./newsroom.js";

/** Handlers of every stage of every write, which do nothing. */
function listenToAll(hooks: HookBus): void {
  for (const stages of Object.values(writeHooks))
    for (const target of Object.values(stages))
      hooks.tap(target as (typeof writeHooks)["create"]["before"], () => undefined, { owner: "test" });
}

describe("an operation leaves nothing unwritten", () => {
  eachDatabase((database) => {
    for (const [who, listen] of [
      ["where nobody listens", undefined],
      ["where somebody listens", listenToAll],
    ] as const)
      it(who, async () => {
        const schema = listen ? "heard" : "quiet";
        const { db, documents }: Newsroom = await openNewsroom(await database.connect({ schema }), listen);
        const articles = documents(uid("article"));
        const settings = documents(uid("setting"));
        const pages = documents(uid("page"));
        const { documentId } = await articles.create({ data: { title: "One" }, status: "published" });
        const page = (await pages.create({ data: { title: "One", views: 1 } })).documentId;
        const operations: Readonly<Record<string, () => Promise<unknown>>> = {
          create: () => articles.create({ data: { title: "a" } }),
          "create and publish": () => articles.create({ data: { title: "b" }, status: "published" }),
          update: () => articles.update({ documentId, data: { title: "c" } }),
          "update and publish": () => articles.update({ documentId, data: { title: "d" }, status: "published" }),
          "update both versions": () => articles.update({ documentId, data: { title: "e" }, alsoPublished: true }),
          "update both versions and publish": () =>
            articles.update({ documentId, data: { title: "f" }, alsoPublished: true, status: "published" }),
          "start a locale": () => pages.update({ documentId: page, locale: "fr", data: { title: "Un" } }),
          "update what locales share": () => pages.update({ documentId: page, data: { views: 2 } }),
          publish: () => articles.publish({ documentId }),
          discardDraft: () => articles.discardDraft({ documentId }),
          unpublish: () => articles.unpublish({ documentId }),
          upsertSingle: () => settings.upsertSingle({ data: { name: "x" } }),
          delete: () => articles.delete({ documentId }),
        };
        for (const [name, run] of Object.entries(operations)) {
          await db.transaction(async () => {
            await run();
            // Sends what was put off, where anything was.
            const before = db.statementCount;
            await db.queryAll([]);
            expect(db.statementCount - before, name).to.equal(0);
          });
          const before = db.statementCount;
          await db.query({ text: "select 1", values: [] });
          expect(db.statementCount - before, name).to.equal(1);
        }
        expect(await articles.findOne({ documentId })).to.equal(null);
        expect(await settings.findFirst()).to.include({ name: "x" });
        for (const locale of ["en", "fr"])
          expect(await pages.findOne({ documentId: page, locale })).to.include({ views: 2 });
      });

    it("and what a hook looks at before publishing has been written", async () => {
      const seen: unknown[] = [];
      const connected = await database.connect({ schema: "looking" });
      const newsroom: Newsroom = await openNewsroom(connected, (hooks) =>
        hooks.tap(
          writeHooks.publish.before,
          async ({ documentId }) => {
            const text = "select title from articles where document_id = $1";
            seen.push(...(await connected.query({ text, values: [documentId] })));
          },
          { owner: "test" },
        ),
      );
      await newsroom.documents(uid("article")).create({ data: { title: "One" }, status: "published" });
      expect(seen).to.deep.equal([{ title: "One" }]);
    });

    it("and a lock is of a transaction", async () => {
      const { documents } = await openNewsroom(await database.connect({ schema: "locks" }));
      const failure = await failureOf(documents(uid("article")).lock("nobody"));
      expect(failure).to.include({ status: 500 });
    });
  });
});
