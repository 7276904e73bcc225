// Updates that change nothing: the database and the hooks do not notice them. Those that look like it, and change something.
import { expect } from "chai";
import type { Documents } from "#core/documents/documents.js";
import { writeHooks } from "#core/documents/hooks.js";
import { createAbility } from "#core/access/grant.js";
import { eachDatabase } from "../../../databases.js";
import { failureOf, type Newsroom, openNewsroom, uid } from "./newsroom.js";

type Ability = ReturnType<typeof createAbility>;
type Data = Readonly<Record<string, unknown>>;

describe("an update that changes nothing", () => {
  eachDatabase((database) => {
    let newsroom: Newsroom;
    let articles: Documents;
    const stages: string[] = [];
    /** What a handler does beside noting its stage. */
    let handle: (stage: string, documentId: string) => unknown = () => undefined;
    before(async () => {
      newsroom = await openNewsroom(await database.connect(), (hooks) => {
        for (const [write, each] of Object.entries(writeHooks))
          for (const [stage, target] of Object.entries(each))
            hooks.tap(
              target as (typeof writeHooks)["create"]["before"],
              async ({ documentId }) => {
                stages.push(`${stage} ${write}`);
                await handle(`${stage} ${write}`, documentId);
              },
              { owner: "test" },
            );
      });
      articles = newsroom.documents(uid("article"));
    });

    /** Every row of every table, by its place and the transaction that wrote it. */
    const rows = async () => {
      const tables = "select tablename as name from pg_tables where schemaname = current_schema() order by 1";
      const found = await newsroom.db.query<{ name: string }>({ text: tables, values: [] });
      const each = found.map(({ name }) => `select '${name} ' || ctid || xmin as row from "${name}"`);
      const all = await newsroom.db.query<{ row: string }>({
        text: `${each.join(" union all ")} order by 1`,
        values: [],
      });
      return all.map(({ row }) => row);
    };
    /** The stages that a write passes, and whether any row of the database was written. */
    const noticed = async (write: () => Promise<unknown>) => {
      const before = await rows();
      stages.length = 0;
      expect(await write()).to.not.equal(null);
      return { isWritten: JSON.stringify(before) !== JSON.stringify(await rows()), stages: [...stages] };
    };
    const NOTHING = { isWritten: false, stages: ["before update"] };
    const NOT_PUBLISHED = { isWritten: false, stages: ["before update", "before publish"] };

    const make = async (name: string, data: Data = { name }) =>
      (await newsroom.documents(uid(name)).create({ data })).documentId;
    /** An article with all kinds of values, and the body that says the same of it. */
    const full = async () => {
      const author = await make("author", { name: `Author ${Math.random()}` });
      const [badge, first, second, topic] = [
        await make("badge"),
        await make("tag"),
        await make("tag"),
        await make("topic"),
      ];
      const data = {
        ...{ title: "T", slug: `t-${Math.random().toString(36).slice(2)}`, views: 3, author, badge },
        ...{
          tags: [first, second],
          topics: [topic],
          subject: { documentId: badge, __type: uid("badge") },
          mentions: [],
        },
        seo: { title: "S", meta: [{ property: `p${Math.random()}`, content: "c" }] },
        links: [{ label: "one", tag: first, tags: [second, first] }],
        sections: [{ __component: "sections.quote", text: "q", author }],
      };
      const populate = { seo: true, links: true, sections: true };
      const { documentId, ...made } = await articles.create({ data, status: "published", populate });
      const seo = made["seo"] as { readonly id: number };
      const [link] = made["links"] as { readonly id: number }[];
      const [section] = made["sections"] as { readonly id: number }[];
      const same = {
        ...data,
        seo: { id: seo.id, title: "S" },
        links: [{ id: link?.id, label: "one", tag: first, tags: [second, first] }],
        sections: [{ __component: "sections.quote", id: section?.id, text: "q", author }],
      };
      return { documentId, data, same, author, badge, first, second, topic };
    };

    it("writes no row and passes no stage after `before`, published or not", async () => {
      const { documentId, same } = await full();
      for (const data of [{}, { title: "T" }, same] as Data[]) {
        expect(await noticed(() => articles.update({ documentId, data }))).to.deep.equal(NOTHING);
        expect(await noticed(() => articles.update({ documentId, data, alsoPublished: true }))).to.deep.equal(NOTHING);
        const publish = () => articles.update({ documentId, data, status: "published" });
        expect(await noticed(publish)).to.deep.equal(NOT_PUBLISHED);
      }
    });

    it("returns the document as it is stored", async () => {
      const { documentId, first, second } = await full();
      const stored = await articles.findOne({ documentId, populate: { tags: true }, status: "draft" });
      const answer = await articles.update({ documentId, data: { tags: [first, second] }, populate: { tags: true } });
      expect(answer).to.deep.equal(stored);
    });

    it("may say the same in other words", async () => {
      const { documentId, author, badge, first, second } = await full();
      const sayings: Data[] = [
        ...[{ author: { connect: [author] } }, { author: { set: [{ documentId: author }] } }, { author: {} }],
        ...[
          { tags: { connect: [second] } },
          { tags: { connect: [], disconnect: [] } },
          { tags: { set: [first, second] } },
        ],
        { tags: { connect: [{ documentId: first, position: { before: second } }] } },
        ...[
          { badge: { connect: [badge], disconnect: [] } },
          { related: { disconnect: [documentId] } },
          { related: [] },
        ],
        ...[{ code: null }, { cover: null }, { editor: null }, { mentions: { disconnect: [] } }, { links: undefined }],
      ];
      for (const data of sayings)
        expect(await noticed(() => articles.update({ documentId, data })), JSON.stringify(data)).to.deep.equal(NOTHING);
    });

    it("may name what other documents keep", async () => {
      const { documentId, author, badge, topic } = await full();
      const told: [string, string, Data][] = [
        ["author", author, { articles: [documentId] }],
        ["author", author, { articles: { connect: [documentId] } }],
        ["author", author, { articles: { disconnect: [] } }],
        ["badge", badge, { holder: documentId }],
        ["badge", badge, { subjectOf: [documentId], mentionedIn: [] }],
        ["topic", topic, { articles: [documentId] }],
      ];
      for (const [name, id, data] of told) {
        const update = () => newsroom.documents(uid(name)).update({ documentId: id, data });
        expect(await noticed(update), JSON.stringify(data)).to.deep.equal(NOTHING);
      }
    });

    it("is still refused by a handler of `before`, by the rules of its body, and by what it expects to find", async () => {
      const { documentId } = await full();
      handle = (stage) => {
        if (stage === "before update") throw new RangeError("not now");
      };
      const update = (data: Data, more: object = {}) => articles.update({ documentId, data, ...more });
      const refused = update({}).catch((error: unknown) => String(error));
      expect(await refused).to.contain("not now");
      handle = () => undefined;
      expect(await failureOf(update({ tags: ["none"] }))).to.include({ status: 400 });
      expect(await failureOf(update({}, { ifVersion: ["0"] }))).to.include({ status: 412 });
    });

    describe("is none", () => {
      const isNoticed = async (update: () => Promise<unknown>, what = "") => {
        const { isWritten, stages } = await noticed(update);
        expect({ isWritten, isAfter: stages.includes("after update") }, what).to.deep.equal({
          isWritten: true,
          isAfter: true,
        });
      };

      it("where a list has another order, or a component no id", async () => {
        const { documentId, data, first, second } = await full();
        for (const changed of [{ tags: [second, first] }, { tags: { connect: [second] } }, { tags: [first] }])
          await isNoticed(() => articles.update({ documentId, data: changed }), JSON.stringify(changed));
        await isNoticed(() => articles.update({ documentId, data: { links: data.links } }));
      });

      it("where the draft is not what is published, though it was changed back, or there is no draft or nothing published", async () => {
        const { documentId } = await full();
        const publish = () => articles.update({ documentId, data: {}, status: "published" });
        await articles.update({ documentId, data: { title: "U" } });
        await isNoticed(publish, "changed");
        expect(await articles.findOne({ documentId, status: "published" })).to.include({ title: "U" });
        await articles.update({ documentId, data: { title: "V" } });
        await articles.update({ documentId, data: { title: "U" } });
        await isNoticed(publish, "changed back");
        expect(await noticed(publish)).to.deep.equal(NOT_PUBLISHED);
        await articles.unpublish({ documentId });
        await isNoticed(publish, "unpublished");
        await newsroom.db.query({
          text: "delete from articles where document_id = $1 and published_at is null",
          values: [documentId],
        });
        await isNoticed(publish, "no draft");
        expect(await noticed(publish)).to.deep.equal(NOT_PUBLISHED);
      });

      it("where only a link differs from what is published, the document's own or one to it", async () => {
        const { documentId, topic, first } = await full();
        const publish = () => articles.update({ documentId, data: {}, status: "published" });
        await newsroom.db.transaction(async () => {
          const { updatedAt } = (await articles.findOne({ documentId, status: "draft" })) as unknown as {
            updatedAt: string;
          };
          await articles.update({ documentId, data: { tags: { disconnect: [first] } } });
          const text = "update articles set updated_at = $2 where document_id = $1 and published_at is null";
          await newsroom.db.query({ text, values: [documentId, updatedAt] });
        });
        await isNoticed(publish, "own");
        const topics = newsroom.documents(uid("topic"));
        await topics.publish({ documentId: topic });
        const other = (await articles.create({ data: { title: "O" }, status: "published" })).documentId;
        await articles.update({ documentId: other, data: { topics: [topic] } });
        await isNoticed(() => topics.update({ documentId: topic, data: {}, status: "published" }), "of another");
        const shown = await articles.findOne({ documentId: other, status: "published", populate: { topics: true } });
        expect(shown?.["topics"]).to.have.length(1);
      });

      it("where a handler of `before` has written the document, which is asked once", async () => {
        const { documentId } = await full();
        const write = (change: string, rows = "true") => {
          const text = `update articles set ${change} where document_id = $1 and ${rows}`;
          return newsroom.db.query({ text, values: [documentId] });
        };
        handle = (stage) => stage === "before update" && write("title = 'by a handler'");
        await isNoticed(() => articles.update({ documentId, data: { title: "T" } }), "update");
        expect(await articles.findOne({ documentId, status: "draft" })).to.include({ title: "T" });
        handle = () => undefined;
        await articles.publish({ documentId });
        handle = (stage) => stage === "before publish" && write("views = views + 1", "published_at is null");
        await isNoticed(() => articles.update({ documentId, data: {}, status: "published" }), "publish");
        expect(stages.filter((stage) => stage === "before publish")).to.have.length(1);
        expect(await articles.findOne({ documentId, status: "published" })).to.include({ views: 4 });
        handle = () => undefined;
      });

      it("where another locale lacks what all share, or changed it since it was published", async () => {
        const pages = newsroom.documents(uid("page"));
        const { documentId } = await pages.create({ data: { title: "One", views: 1 }, status: "published" });
        await pages.update({ documentId, locale: "fr", data: { title: "Un" }, status: "published" });
        const english = (status: "draft" | "published") => () =>
          pages.update({ documentId, data: { views: 1 }, status });
        expect(await noticed(english("draft"))).to.deep.equal(NOTHING);
        expect(await noticed(english("published"))).to.deep.equal(NOT_PUBLISHED);
        await pages.update({ documentId, locale: "fr", data: { views: 2 } });
        await isNoticed(() => pages.update({ documentId, data: {}, status: "published" }), "not published");
        expect(await pages.findOne({ documentId, status: "published" })).to.include({ views: 2 });
        await newsroom.db.query({
          text: "update pages set views = 9 where document_id = $1 and locale = 'fr'",
          values: [documentId],
        });
        const french = () => pages.update({ documentId, locale: "fr", data: {} });
        expect(await noticed(french), "shares nothing").to.deep.equal(NOTHING);
        await isNoticed(() => pages.update({ documentId, data: { views: 2 } }), "not shared");
        expect(await pages.findOne({ documentId, locale: "fr", status: "draft" })).to.include({ views: 2 });
      });

      it("where the published version has another value, and gets the same change", async () => {
        const { documentId } = await full();
        await articles.update({ documentId, data: { views: 4 } });
        expect(await noticed(() => articles.update({ documentId, data: { views: 4 } }))).to.deep.equal(NOTHING);
        await isNoticed(() => articles.update({ documentId, data: { views: 4 }, alsoPublished: true }));
        expect(await articles.findOne({ documentId, status: "published" })).to.include({ views: 4 });
      });

      it("where its writer may not read what it names, and would learn that the value was right", async () => {
        const people = newsroom.documents(uid("person"));
        const tag = await make("tag");
        const { documentId } = await people.create({ data: { name: "Ada", email: "ada@example.com", salary: 7 } });
        const article = (await articles.create({ data: { title: "T", tags: [tag] } })).documentId;
        const may = (type: string, fields?: string[], more: string[] = []): Ability =>
          createAbility([`${uid(type)}.update`, ...more, ...(fields ? [{ action: `${uid(type)}.find`, fields }] : [])]);
        const guess = (data: Data, more: object) => () => people.update({ documentId, data, ...more });
        expect(await noticed(guess({ salary: 7 }, {}))).to.deep.equal(NOTHING);
        await isNoticed(guess({ salary: 7 }, { visibility: "public" }), "private");
        expect(await noticed(guess({ name: "Ada" }, { ability: may("person", ["name"]) }))).to.deep.equal(NOTHING);
        expect(await noticed(guess({}, { ability: may("person") }))).to.deep.equal(NOTHING);
        await isNoticed(guess({ name: "Ada" }, { ability: may("person") }), "not found");
        await isNoticed(guess({ email: "ada@example.com" }, { ability: may("person", ["name"]) }), "not shown");
        const tags = [`${uid("tag")}.find`];
        const link = (ability: Ability) => () =>
          articles.update({ documentId: article, data: { tags: [tag] }, ability });
        const drafts = [...tags, `${uid("article")}.findDrafts`];
        expect(await noticed(link(may("article", ["tags"], drafts)))).to.deep.equal(NOTHING);
        await isNoticed(link(may("article", ["tags"], tags)), "drafts");
      });
    });
  });
});
