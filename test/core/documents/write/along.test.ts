import { expect } from "chai";
import { channels, type DatabaseMessage } from "#core/base/telemetry.js";
import type { Database, Statement } from "#core/database/driver/database.js";
import { writeHooks } from "#core/documents/hooks.js";
import type { HookBus } from "#core/kernel/hook-bus.js";
import { eachDatabase } from "../../../databases.js";
import { listenTo } from "../../base/listen.js";
import { failureOf, type Newsroom, openNewsroom, uid } from "./newsroom.js";

const WRITES = Object.keys(writeHooks) as (keyof typeof writeHooks)[];

const note = (kind: string, documentId: string): Statement => ({
  text: "insert into noted (kind, seen) values ($1, (select count(*) from articles where document_id = $2))",
  values: [kind, documentId],
  isPlan: true,
});

/** Notes every write; an article of the title `refused` is refused by its note. */
const noteAll = (stage: "ahead" | "along") => (hooks: HookBus) => {
  for (const write of WRITES)
    hooks.tap(
      writeHooks[write][stage],
      ({ documentId, data }) => [note(data?.["title"] === "refused" ? "" : write, documentId)],
      { owner: "test" },
    );
};

type Operations = Readonly<Record<string, () => Promise<unknown>>>;

/** Every write that there is, in an order in which each finds what it is about. */
async function operationsOf({ db, documents }: Newsroom): Promise<Operations> {
  const articles = documents(uid("article"));
  const pages = documents(uid("page"));
  const { documentId } = await articles.create({ data: { title: "One" }, status: "published" });
  const page = (await pages.create({ data: { title: "One", views: 1 } })).documentId;
  const many: string[] = [];
  for (const title of ["a", "b"]) many.push((await articles.create({ data: { title } })).documentId);
  return {
    create: () => articles.create({ data: { title: "a" } }),
    "create and publish": () => articles.create({ data: { title: "b" }, status: "published" }),
    update: () => articles.update({ documentId, data: { title: "c" } }),
    "update with links": () => articles.update({ documentId, data: { related: [documentId] } }),
    "update and publish": () => articles.update({ documentId, data: { title: "d" }, status: "published" }),
    "update both versions": () => articles.update({ documentId, data: { title: "e" }, alsoPublished: true }),
    "start a locale": () => pages.update({ documentId: page, locale: "fr", data: { title: "Un" } }),
    "update what locales share": () => pages.update({ documentId: page, data: { views: 2 } }),
    "publish all locales": () => pages.publish({ documentId: page, locale: "*" }),
    publish: () => articles.publish({ documentId }),
    discardDraft: () => articles.discardDraft({ documentId }),
    unpublish: () => articles.unpublish({ documentId }),
    upsertSingle: () => documents(uid("setting")).upsertSingle({ data: { name: "x" } }),
    updateMany: () => articles.updateMany({ documentIds: many, data: { views: 3 } }),
    publishMany: () => articles.publishMany({ documentIds: many }),
    "in a transaction of the caller": () =>
      db.transaction(async () => {
        const made = await articles.create({ data: { title: "f" } });
        await articles.publish({ documentId: made.documentId });
        await articles.delete({ documentId: made.documentId });
      }),
    deleteMany: () => articles.deleteMany({ documentIds: many }),
    "delete a locale": () => pages.delete({ documentId: page, locale: "fr" }),
    delete: () => articles.delete({ documentId }),
  };
}

/** How many of each kind each operation notes: a write that publishes notes both. */
const NOTED: Readonly<Record<string, number>> = {
  "create and publish": 2,
  "update and publish": 2,
  updateMany: 2,
  publishMany: 2,
  deleteMany: 2,
  "in a transaction of the caller": 3,
};

describe("statements that go ahead of a write, or along with it", () => {
  const heard = listenTo({ db: channels.db.end });

  eachDatabase((database) => {
    const open = async (schema: string, listen?: (hooks: HookBus) => void): Promise<Newsroom> => {
      const newsroom = await openNewsroom(await database.connect({ schema }), listen);
      await newsroom.db.query({ text: "create table noted (kind text check (kind <> ''), seen int)", values: [] });
      return newsroom;
    };
    const notesOf = async (db: Database) => {
      const rows = await db.query<{ kind: string; seen: number }>({
        text: "delete from noted returning kind, seen",
        values: [],
      });
      return rows.map(({ kind, seen }) => `${kind} ${seen}`).sort();
    };
    const tripsOf = async ({ db }: Newsroom, run: () => Promise<unknown>): Promise<readonly [number, number]> => {
      const before = db.statementCount;
      heard.db.length = 0;
      await run();
      const trips = (heard.db as DatabaseMessage[]).filter(({ pool }) => pool === db.knex);
      return [trips.length, db.statementCount - before];
    };

    for (const stage of ["ahead", "along"] as const)
      it(`cost a statement each and no round trip, whatever the write: ${stage}`, async () => {
        const quiet = await open(`quiet_${stage}`);
        const noting = await open(`noting_${stage}`, noteAll(stage));
        const [plain, noted] = [await operationsOf(quiet), await operationsOf(noting)];
        await notesOf(noting.db);
        for (const [name, run] of Object.entries(noted)) {
          const [trips, statements] = await tripsOf(quiet, plain[name] as () => Promise<unknown>);
          const [tripsNoting, statementsNoting] = await tripsOf(noting, run);
          expect(tripsNoting, `${name}: trips`).to.be.at.most(trips);
          expect(statementsNoting - statements, `${name}: statements`).to.equal(NOTED[name] ?? 1);
          expect(await notesOf(noting.db), name).to.have.length(NOTED[name] ?? 1);
        }
      });

    it("see the rows as the write leaves them, and those of a delete as they were", async () => {
      const { db, documents } = await open("seeing", noteAll("along"));
      const articles = documents(uid("article"));
      const { documentId } = await articles.create({ data: { title: "One" }, status: "published" });
      expect(await notesOf(db)).to.deep.equal(["create 2", "publish 2"]);
      await articles.unpublish({ documentId });
      await articles.publish({ documentId });
      expect(await notesOf(db)).to.deep.equal(["publish 2", "unpublish 1"]);
      await articles.delete({ documentId });
      expect(await notesOf(db)).to.deep.equal(["delete 2"]);
    });

    it("see the rows as they were before the write where they go ahead of it", async () => {
      const { db, documents } = await open("before", noteAll("ahead"));
      const articles = documents(uid("article"));
      const { documentId } = await articles.create({ data: { title: "One" } });
      await articles.publish({ documentId });
      expect(await notesOf(db)).to.deep.equal(["create 0", "publish 1"]);
      await articles.unpublish({ documentId });
      await articles.update({ documentId, data: { title: "Two" }, status: "published" });
      expect(await notesOf(db)).to.include.members(["unpublish 2", "update 1"]);
      await articles.delete({ documentId });
      expect(await notesOf(db)).to.deep.equal(["delete 2"]);
    });

    it("are of its transaction: what is taken back leaves no note, and a note that fails takes the write back", async () => {
      const { db, documents } = await open("failing", noteAll("along"));
      const articles = documents(uid("article"));
      const { documentId } = await articles.create({ data: { title: "One" } });
      await notesOf(db);
      const work = db.transaction(async () => {
        await articles.update({ documentId, data: { title: "Two" } });
        await articles.create({ data: { title: 1 } });
      });
      await failureOf(work);
      for (const write of [
        () => articles.create({ data: { title: "refused" } }),
        () => articles.update({ documentId, data: { title: "refused" } }),
        () => articles.update({ documentId, data: { title: "refused" }, status: "published" }),
        () => articles.updateMany({ documentIds: [documentId], data: { title: "refused" } }),
      ]) {
        const failure = await write().catch((error: unknown) => error);
        expect(failure).to.include({ code: "23514" });
      }
      expect(await notesOf(db)).to.deep.equal([]);
      expect(await articles.findMany({ fields: ["title"] })).to.have.length(1);
      expect(await articles.findOne({ documentId })).to.include({ title: "One", publishedAt: null });
    });

    it("fail a write in a savepoint, and nothing that the caller wrote beside it", async () => {
      const { db, documents } = await open("savepoints", noteAll("along"));
      const articles = documents(uid("article"));
      await db.transaction(async () => {
        await articles.create({ data: { title: "One" } });
        const failure = await articles.create({ data: { title: "refused" } }).catch((error: unknown) => error);
        expect(failure).to.include({ code: "23514" });
        await articles.create({ data: { title: "Two" } });
      });
      const titles = (await articles.findMany({ sort: "title" })).map(({ title }) => title);
      expect(titles).to.deep.equal(["One", "Two"]);
      expect(await notesOf(db)).to.deep.equal(["create 1", "create 1"]);
    });
  });
});
