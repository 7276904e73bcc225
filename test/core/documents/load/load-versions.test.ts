import { alongLoad, createPlinth, type LoadedVersion, type PlinthApp, type RawContentType } from "@plinth/core";
import { expect } from "chai";
import { pino } from "pino";
import { eachDatabase } from "../../../databases.js";
import { asAnotherRequest, waitForLocks } from "../../../other-requests.js";

const AT = "2025-03-04T05:06:07.089Z";

const page: RawContentType = {
  uid: "api::page.page",
  kind: "collectionType",
  info: { singularName: "page", pluralName: "pages", displayName: "Page" },
  options: { draftAndPublish: true },
  attributes: {
    slug: { type: "uid" },
    parent: { type: "relation", relation: "manyToOne", target: "api::page.page", inversedBy: "children" },
    children: { type: "relation", relation: "oneToMany", target: "api::page.page", mappedBy: "parent" },
    related: { type: "relation", relation: "oneToMany", target: "api::page.page" },
  },
};

const version = (id: number, documentId: string, more: Partial<LoadedVersion> = {}): LoadedVersion => ({
  id,
  documentId,
  locale: "",
  publishedAt: AT,
  createdAt: AT,
  updatedAt: AT,
  values: {},
  links: {},
  ...more,
});

const linkTo = (documentId: string, position = 1) => ({ documentId, type: "", position, inversePosition: undefined });

describe("storing documents as they are", () => {
  eachDatabase((database) => {
    let plinth: PlinthApp;
    let isNoting = false;
    const pages = () => plinth.app.documents(page.uid);

    before("start an app", async () => {
      plinth = createPlinth({
        root: import.meta.dirname,
        plugins: [],
        app: {
          contentTypes: { [page.uid]: page },
          register: ({ on }) =>
            on(alongLoad, ({ uid, versions }) =>
              isNoting
                ? [{ text: "insert into noted values ($1, $2)", values: [uid, JSON.stringify(versions)] }]
                : undefined,
            ),
        },
        config: { server: { host: "127.0.0.1", port: 0 }, database: database.config() },
        log: pino({ level: "silent" }),
      });
      await plinth.start({ listen: false });
    });
    after("stop it", () => plinth.stop());

    it("gives another row id where the wanted one is taken, and never a wanted one to what is made later", async () => {
      await plinth.app.loader.reserveIds(page.uid, 500);
      const made = await pages().create({ data: { slug: "made" } });
      expect(made.id).to.equal(501);
      await plinth.app.loader.load(page.uid, [version(501, "taken"), version(77, "free")]);
      expect((await pages().findOne({ documentId: "free", status: "published" }))?.id).to.equal(77);
      expect((await pages().findOne({ documentId: "taken", status: "published" }))?.id).to.be.greaterThan(501);
    });

    it("has what listens noted along with the versions that it writes, once each and in their transaction", async () => {
      isNoting = true;
      await plinth.app.db.query({ text: "create table noted (uid text, versions jsonb)", values: [] });
      const { load } = plinth.app.loader;
      await load(page.uid, [version(60, "noted"), version(61, "noted", { publishedAt: null })]);
      await load(page.uid, [version(60, "noted", { values: { slug: "noted" } }), version(62, "other")], "overwrite");
      await load(page.uid, [version(60, "noted")]);
      const rows = await plinth.app.db.query({ text: "select uid, versions from noted", values: [] });
      const made = { documentId: "noted", locale: "", isReplaced: false };
      expect(rows).to.deep.equal([
        {
          uid: page.uid,
          versions: [
            { ...made, isDraft: false },
            { ...made, isDraft: true },
          ],
        },
        {
          uid: page.uid,
          versions: [
            { ...made, isDraft: false, isReplaced: true },
            { ...made, isDraft: false, documentId: "other" },
          ],
        },
      ]);
      await plinth.app.db.query({ text: "drop table noted", values: [] });
      isNoting = false;
    });

    it("leaves a version that is there as it is", async () => {
      const slug = { values: { slug: "kept" } };
      await plinth.app.loader.load(page.uid, [version(80, "kept", slug)]);
      const again = await plinth.app.loader.load(page.uid, [version(80, "kept", { values: { slug: "changed" } })]);
      expect(again).to.deep.equal({ written: 0, present: 1, refused: [] });
      expect(await pages().findOne({ documentId: "kept", status: "published" })).to.include({ slug: "kept" });
    });

    it("refuses what another document holds, says what that is, and stores the others", async () => {
      await plinth.app.loader.load(page.uid, [version(90, "first", { values: { slug: "one" } })]);
      const { written, refused } = await plinth.app.loader.load(page.uid, [
        version(91, "second", { values: { slug: "one" } }),
        version(92, "third", { values: { slug: "two" } }),
      ]);
      expect(written).to.equal(1);
      expect(refused.map(({ version: { documentId }, taken }) => [documentId, taken])).to.deep.equal([
        ["second", ["slug"]],
      ]);
    });

    it("gives published documents the draft that they lack, relations and all, once", async () => {
      const links = { parent: [linkTo("first")], related: [linkTo("third", 2), linkTo("first", 1)] };
      await plinth.app.loader.load(page.uid, [version(95, "alone", { links })]);
      expect(await plinth.app.loader.completeDrafts(page.uid)).to.be.greaterThan(0);
      const draft = await pages().findOne({
        documentId: "alone",
        status: "draft",
        populate: { parent: true, related: true },
      });
      expect(draft?.["parent"]).to.include({ documentId: "first" });
      const related = draft?.["related"] as readonly { documentId: string }[];
      expect(related.map(({ documentId }) => documentId)).to.deep.equal(["first", "third"]);
      expect(await plinth.app.loader.completeDrafts(page.uid)).to.equal(0);
    });

    // The embedded database has one connection: nothing is deleted at the same time there.
    if (database.kind === "postgres")
      it("gives a document that is being deleted no draft, which would bring it back", async () => {
        await plinth.app.loader.load(page.uid, [version(96, "leaving")]);
        const { db } = plinth.app;
        let completed: Promise<number> | undefined;
        await db.transaction(async () => {
          await pages().delete({ documentId: "leaving" });
          completed = asAnotherRequest(() => plinth.app.loader.completeDrafts(page.uid));
          await waitForLocks(db);
        });
        await completed;
        expect(await pages().findOne({ documentId: "leaving", status: "draft" })).to.equal(null);
      });

    it("stores what can be changed, published and deleted like everything else", async () => {
      await pages().update({ documentId: "alone", data: { slug: "renamed" } });
      await pages().publish({ documentId: "alone" });
      expect(await pages().findOne({ documentId: "alone", status: "published" })).to.include({
        slug: "renamed",
        id: 95,
      });
      await pages().delete({ documentId: "first" });
      const left = await pages().findOne({ documentId: "alone", status: "published", populate: { parent: true } });
      expect(left?.["parent"]).to.equal(null);
    });
  });
});
