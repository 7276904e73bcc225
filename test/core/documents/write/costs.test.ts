import { expect } from "chai";
import type { Database } from "#core/database/driver/database.js";
import { buildModel } from "#core/schema/build-model.js";
import type { ContentModel } from "#core/schema/model.js";
import type { RawAttribute, RawComponent } from "#core/schema/raw.js";
import { eachDatabase } from "../../../databases.js";
import { type } from "../../schema/raw-schemas.js";
import { type Newsroom, openNewsroom } from "./newsroom.js";

const DRAFTS = { options: { draftAndPublish: true } };
const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };
const COMPONENTS = 20;
const UID = "api::page.page";
const TARGET = "api::target.target";
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Pages with a zone of all declared components, ten relations, and fields that are localised or shared. */
function modelOf(declared: number): ContentModel {
  const components = numbers(declared).map(
    (index): RawComponent => ({
      uid: `parts.part${index}`,
      attributes: { text: { type: "string" }, target: { type: "relation", relation: "oneToOne", target: TARGET } },
    }),
  );
  const relations = numbers(10).map((index): [string, RawAttribute] => [
    `relation${index}`,
    { type: "relation", relation: index < 5 ? "manyToOne" : "manyToMany", target: TARGET },
  ]);
  const attributes = {
    title: { type: "string", ...LOCALIZED },
    text: { type: "text", ...LOCALIZED },
    views: { type: "integer" },
    zone: { type: "dynamiczone", components: components.map(({ uid }) => uid), ...LOCALIZED },
    ...Object.fromEntries(relations),
  };
  return buildModel({
    contentTypes: [
      type("page", attributes, { ...DRAFTS, ...LOCALIZED }),
      type("target", { name: { type: "string" } }, DRAFTS),
    ],
    components,
    locales: ["en", "fr", "de"],
  });
}

describe("what writes cost", () => {
  eachDatabase(({ connect }) => {
    /**
     * Rows that a piece of work inserted, updated or deleted in all tables of content, a row that was touched twice counted
     * twice. What a statement notes for totals is one small row, however many it writes.
     */
    const touched = (db: Database, work: () => Promise<unknown>) =>
      db.transaction(async () => {
        const count = async () => {
          const text =
            "select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::int as n from pg_stat_xact_user_tables where relname not in ('plinth_deltas', 'plinth_bases')";
          const [row] = await db.query<{ n: number }>({ text, values: [] });
          return row?.n ?? 0;
        };
        const before = await count();
        await work();
        return (await count()) - before;
      });

    const statements = async (db: Database, work: () => Promise<unknown>) => {
      const before = db.statementCount;
      await work();
      return db.statementCount - before;
    };

    /** What publishing costs, the first time and again, when the app declares so many components. */
    async function publishing(declared: number, used: number): Promise<readonly number[]> {
      const newsroom = await openNewsroom(
        await connect({ schema: `declared${declared}` }),
        undefined,
        modelOf(declared),
      );
      const { documentId: target } = await newsroom.documents(TARGET).create({ data: { name: "T" } });
      const zone = numbers(used).map((index) => ({
        __component: `parts.part${index % Math.min(declared, used)}`,
        text: `${index}`,
        target,
      }));
      const relations = numbers(10).map((index) => [`relation${index}`, target]);
      const pages = newsroom.documents(UID);
      const { documentId } = await pages.create({ data: { title: "Page", zone, ...Object.fromEntries(relations) } });
      const publish = () => pages.publish({ documentId });
      return [await statements(newsroom.db, publish), await statements(newsroom.db, publish)];
    }

    it("publishing 20 components and 10 relations takes as many statements with 40 declared components as with 2", async () => {
      const [few, many, one] = [
        await publishing(2, COMPONENTS),
        await publishing(40, COMPONENTS),
        await publishing(3, 1),
      ];
      console.log(
        `      statements to publish: ${few.join(" and ")} (2 declared), ${many.join(" and ")} (40 declared)`,
      );
      expect(many).to.deep.equal(few);
      expect(one).to.deep.equal(few);
      for (const count of few) expect(count).to.be.at.most(8);
    });

    it("where nobody listens, both versions are written by one statement: create and update take 4 and 6, all told", async () => {
      const newsroom = await openNewsroom(await connect({ schema: "quick" }), undefined, modelOf(2));
      const pages = newsroom.documents(UID);
      const { documentId: target } = await newsroom
        .documents(TARGET)
        .create({ data: { name: "T" }, status: "published" });
      const create = (data: object) => pages.create({ data: { ...data }, status: "published" });
      expect(await statements(newsroom.db, () => create({ title: "One" }))).to.equal(4);
      // One more looks the target up.
      expect(await statements(newsroom.db, () => create({ title: "Two", relation7: [target] }))).to.equal(5);
      const { documentId } = await create({ title: "Three", relation7: [target], relation8: [target] });
      const update = () => pages.update({ documentId, data: { title: "New", views: 2 }, status: "published" });
      expect(await statements(newsroom.db, update)).to.equal(6);
      for (const status of ["draft", "published"] as const) {
        const found = await pages.findOne({ documentId, status, populate: { relation7: true, relation8: true } });
        expect(found).to.include({ title: "New", views: 2 });
        for (const name of ["relation7", "relation8"]) {
          const links = (found?.[name] ?? []) as readonly { readonly documentId: string }[];
          expect(links.map((one) => one.documentId)).to.deep.equal([target]);
        }
      }
    });

    describe("in a document of three locales", () => {
      let newsroom: Newsroom;
      let documentId: string;
      before(async () => {
        newsroom = await openNewsroom(await connect({ schema: "locales" }), undefined, modelOf(2));
        const pages = newsroom.documents(UID);
        ({ documentId } = await pages.create({ data: { title: "Page", views: 1 } }));
        for (const locale of ["fr", "de"]) await pages.update({ documentId, locale, data: { title: locale } });
        await pages.publish({ documentId, locale: "*" });
      });
      const update = (data: object, status: "draft" | "published") =>
        touched(newsroom.db, () =>
          newsroom.documents(UID).update({ documentId, locale: "fr", data: { ...data }, status }),
        );

      it("two localised fields touch one row of the draft, and one more when they are published", async () => {
        expect(await update({ title: "a", text: "b" }, "draft")).to.equal(1);
        expect(await update({ title: "c", text: "d" }, "published")).to.equal(2);
      });

      it("a shared field touches one more row for each further locale, in either version", async () => {
        expect(await update({ views: 2 }, "draft")).to.equal(3);
        expect(await update({ views: 3 }, "published")).to.equal(6);
      });

      it("a shared field that is what it was touches no other locale", async () => {
        await update({ views: 4 }, "published");
        expect(await update({ views: 4, title: "e" }, "published")).to.equal(2);
      });
    });
  });
});
