import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { eachDatabase } from "../../../databases.js";
import { type Newsroom, openNewsroom, textOf, uid } from "./newsroom.js";

/** How long a write keeps others waiting after its last statement, in milliseconds. */
const PAUSE = 150;

describe("a write that waits for another one", () => {
  eachDatabase((database) => {
    let newsroom: Newsroom;
    before(async () => {
      newsroom = await openNewsroom(await database.connect());
    });

    const documents = (name: string) => newsroom.documents(uid(name));
    const make = async (name: string, data: object, status: "draft" | "published" = "published") =>
      (await documents(name).create({ data: { ...data }, status })).documentId;

    /** Starts the second write when the first one has done all but commit. */
    async function inTurn(first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<void> {
      let following: Promise<unknown> = Promise.resolve();
      let start: () => void = () => undefined;
      const isWritten = new Promise<void>((done) => {
        start = done;
      });
      const committed = newsroom.db.transaction(async () => {
        await first();
        start();
        await sleep(PAUSE);
      });
      await Promise.race([isWritten, committed]);
      following = second();
      await Promise.all([committed, following]);
    }

    it("from the other side of a relation reaches the row that the first one published", async () => {
      const articles = documents("article");
      const documentId = await make("article", { title: "t" }, "draft");
      const author = await make("author", { name: "waiting" });
      await inTurn(
        () => articles.publish({ documentId }),
        () => documents("author").update({ documentId: author, data: { articles: [documentId] } }),
      );
      const found = await articles.findOne({ documentId, status: "published", populate: ["author"] });
      expect(found?.["author"]).to.include({ name: "waiting" });
    });

    it("of a shared attribute reaches the locale that the first one made", async () => {
      const pages = documents("page");
      const documentId = await make("page", { title: "One", views: 1 });
      await inTurn(
        () => pages.update({ documentId, locale: "fr", data: { title: "Un" }, status: "published" }),
        () => pages.update({ documentId, data: { views: 2 }, status: "published" }),
      );
      expect(await pages.findOne({ documentId, locale: "fr", status: "published" })).to.include({ views: 2 });
    });

    it("holds the locale that the first one made in place of another, so that a third one waits for it", async () => {
      const pages = documents("page");
      const documentId = await make("page", { title: "One", views: 1 });
      await inTurn(
        async () => {
          await pages.update({ documentId, locale: "fr", data: { title: "Un" } });
          await pages.delete({ documentId, locale: "en" });
        },
        () =>
          inTurn(
            () => pages.update({ documentId, locale: "en", data: { title: "Two" } }),
            () => pages.update({ documentId, locale: "fr", data: { views: 9 } }),
          ),
      );
      expect(await pages.findOne({ documentId, locale: "en", status: "draft" })).to.include({ views: 9 });
    });

    it("of publishing takes the links that the first one published with it, and no others", async () => {
      const articles = documents("article");
      const topic = await make("topic", { name: "gone" });
      const documentId = await make("article", { title: "t", topics: [topic] });
      await articles.update({
        documentId,
        data: { topics: { connect: [{ documentId: topic, position: { end: true } }] } },
      });
      await inTurn(
        () => articles.update({ documentId, data: { topics: [] }, status: "published" }),
        () => documents("topic").publish({ documentId: topic }),
      );
      for (const status of ["draft", "published"] as const) {
        const found = await articles.findOne({ documentId, status, populate: ["topics"] });
        expect(textOf(found, "topics"), status).to.equal("");
      }
    });

    it("waits for a transaction that has locked the document, and sees what that wrote", async () => {
      const articles = documents("article");
      const documentId = await make("article", { title: "t" }, "draft");
      const order: string[] = [];
      await inTurn(
        async () => {
          expect(await articles.lock(documentId)).to.equal(true);
          expect(await articles.lock("nobody")).to.equal(false);
          await sleep(PAUSE);
          order.push("first");
        },
        async () => {
          await articles.update({ documentId, data: { title: "u" } });
          order.push("second");
        },
      );
      expect(order).to.deep.equal(["first", "second"]);
    });

    it("waits for a lock of the same name, and for no other", async () => {
      const order: string[] = [];
      const lock = (...names: string[]) =>
        newsroom.db.transaction(async () => {
          await newsroom.db.lock(...names);
          order.push(names.join());
        });
      await inTurn(
        async () => {
          await newsroom.db.lock("b", "a");
          if (newsroom.db.kind === "postgres") await lock("c");
          await sleep(PAUSE);
          order.push("first");
        },
        () => lock("a"),
      );
      expect(order.slice(-2)).to.deep.equal(["first", "a"]);
    });

    it("first writes of a single type at once make one document, and the last one's values stay", async () => {
      const settings = documents("setting");
      const writes = ["a", "b", "c", "d"].map((name) => settings.upsertSingle({ data: { name } }));
      const ids = new Set((await Promise.all(writes)).map((written) => written?.documentId));
      expect([...ids]).to.deep.equal([await settings.singleId()]);
      expect(await settings.upsertSingle({ data: { name: "last" } })).to.include({ name: "last" });
      expect(await settings.findMany()).to.have.length(1);
    });
  });
});
