import { expect } from "chai";
import { type Ability, unlimited } from "#core/access/ability.js";
import { createAbility } from "#core/access/grant.js";
import type { Document } from "#core/documents/documents.js";
import { parseReadParams } from "#core/documents/params/parse-params.js";
import { eachDatabase } from "../../databases.js";
import { failureOf, listOf, type Newsroom, newsroomModel, openNewsroom, uid } from "./write/newsroom.js";

const article = (action: string) => `${uid("article")}.${action}`;
const tag = `${uid("tag")}.find`;
const drafts = article("findDrafts");
const visibleTags = { action: tag, where: { name: { $ne: "hidden" } } };

describe("an ability's rules on rows", () => {
  eachDatabase((database) => {
    let newsroom: Newsroom;
    let tags: Record<"seen" | "hidden", Document>;
    before(async () => {
      newsroom = await openNewsroom(await database.connect());
      const make = (name: string) => newsroom.documents(uid("tag")).create({ data: { name } });
      tags = { seen: await make("seen"), hidden: await make("hidden") };
    });

    const articles = () => newsroom.documents(uid("article"));
    const list = async (ability: Ability, params: object, name = "article") => {
      const type = newsroomModel.contentTypes.get(uid(name));
      if (!type) throw new TypeError(`The newsroom has no ${name}.`);
      const options = { visibility: "code", ability, kind: "list", defaultStatus: "draft" } as const;
      return (await newsroom.documents(uid(name)).read(parseReadParams(newsroomModel, type, params, options))).rows();
    };

    it("polymorphic targets outside of their rule are left out, and nested questions about the others are answered", async () => {
      const mention = ({ documentId }: Document) => ({ documentId, __type: uid("tag") });
      const child = await newsroom.documents(uid("tag")).create({ data: { name: "child", parent: tags.seen.id } });
      await articles().create({
        data: { title: "Morph", subject: mention(tags.hidden), mentions: [mention(tags.hidden), mention(tags.seen)] },
      });
      const ability = createAbility([article("find"), drafts, visibleTags]);
      const children = { children: { filters: { name: "child" }, fields: ["name"] } };
      const populate = { subject: true, mentions: { on: { [uid("tag")]: { populate: children } } } };
      const [found] = await list(ability, { filters: { title: "Morph" }, populate });
      expect(found?.["subject"]).to.equal(null);
      const [mentioned, ...others] = listOf(found, "mentions");
      expect(others).to.deep.equal([]);
      expect(mentioned).to.include({ name: "seen", __type: uid("tag") });
      expect(listOf(mentioned, "children")[0]?.documentId).to.equal(child.documentId);
    });

    it("relations inside of components are followed by the rule of their target", async () => {
      const links = (name: "seen" | "hidden") => [{ label: name, tag: tags[name].documentId }];
      for (const name of ["seen", "hidden"] as const)
        await articles().create({ data: { title: `In ${name}`, links: links(name) } });
      const ability = createAbility([article("find"), drafts, visibleTags]);
      const titles = async (filters: object) =>
        (await list(ability, { filters: { title: { $startsWith: "In" }, ...filters } })).map(({ title }) => title);
      expect(await titles({ links: { tag: { name: "hidden" } } })).to.deep.equal([]);
      expect(await titles({ links: { tag: { name: "seen" } } })).to.deep.equal(["In seen"]);
      expect(await titles({ links: { tag: { $null: true } } })).to.deep.equal(["In hidden"]);
      const populate = { links: { populate: { tag: true } } };
      const [, hidden] = await list(ability, { filters: { title: { $startsWith: "In" } }, populate });
      expect(listOf(hidden, "links")[0]?.["tag"]).to.equal(null);
    });

    it("other versions that the rule hides do not count for publication filters", async () => {
      const { documentId } = await articles().create({ data: { title: "Twice" }, status: "published" });
      await articles().update({ documentId, data: { views: 3 } });
      const published = createAbility([
        { action: article("find"), where: { publishedAt: { $notNull: true } } },
        drafts,
      ]);
      const params = { filters: { title: "Twice" }, status: "published", publicationFilter: "modified" };
      expect(await list(unlimited, params)).to.have.length(1);
      expect(await list(published, params)).to.deep.equal([]);
      expect(await list(published, { ...params, publicationFilter: "published-without-draft" })).to.have.length(1);
      expect(await list(published, { filters: { title: "Twice" }, status: "draft" })).to.deep.equal([]);
    });

    it("rules may look through relations and at what requests never see, and see what other rules hide", async () => {
      await articles().create({ data: { title: "Ruled", tags: [tags.hidden.documentId] } });
      const where = { tags: { name: "hidden" } };
      const ability = createAbility([{ action: article("find"), where }, drafts, visibleTags]);
      const [found, ...others] = await list(ability, { populate: ["tags"] });
      expect([found?.["title"], others.length]).to.deep.equal(["Ruled", 0]);
      expect(listOf(found, "tags")).to.deep.equal([]);
    });

    it("a rule that no longer fits its type stops the read as a fault of the server", async () => {
      const ability = createAbility([{ action: article("find"), where: { gone: 1 } }, drafts]);
      const failure = await failureOf(list(ability, {}));
      expect(failure.status).to.equal(500);
      expect(failure.message).to.equal(`The rule of ${article("find")} cannot be used: Invalid key gone`);
    });

    it("drafts that a rule reaches can be changed, and not be published out of it", async () => {
      const { documentId } = await articles().create({ data: { title: "Draft" } });
      const where = { publishedAt: { $null: true } };
      const actions = ["update", "publish", "unpublish", "discardDraft"].map(article);
      const ability = createAbility(actions.map((action) => ({ action, where })));
      expect(await articles().update({ documentId, data: { views: 1 }, ability })).to.not.equal(null);
      for (const work of [
        articles().update({ documentId, data: { views: 2 }, status: "published", ability }),
        articles().publish({ documentId, ability }),
      ])
        expect((await failureOf(work)).status).to.equal(403);
      expect(await articles().findOne({ documentId, status: "published" })).to.equal(null);
      expect(await articles().findOne({ documentId })).to.include({ views: 1 });
      await articles().publish({ documentId });
      for (const operation of ["unpublish", "discardDraft", "publish"] as const)
        expect((await articles()[operation]({ documentId, ability })).entries).to.deep.equal([]);
      expect(await articles().update({ documentId, data: {}, status: "published", ability })).to.equal(null);
    });

    it("a link written from its other side keeps the rules on the documents that hold it", async () => {
      const authors = newsroom.documents(uid("author"));
      const [mine, theirs] = [
        await authors.create({ data: { name: "me" } }),
        await authors.create({ data: { name: "they" } }),
      ];
      const { documentId } = await articles().create({ data: { title: "Theirs", author: theirs.id } });
      const own = (more: object) =>
        createAbility(["*", { action: article("update"), where: { author: { id: mine.id } }, ...more }]);
      const take = (ability: Ability, change: object) =>
        authors.update({ documentId: mine.documentId, data: { articles: change }, ability });
      expect((await failureOf(take(own({}), { connect: [documentId] }))).status).to.equal(403);
      const free = await articles().create({ data: { title: "Mine", author: mine.id } });
      expect((await failureOf(take(own({}), { disconnect: [free.documentId] }))).status).to.equal(403);
      const onlyTitles = own({ where: {}, fields: ["title"] });
      expect((await failureOf(take(onlyTitles, { connect: [documentId] }))).status).to.equal(403);
      expect(await take(own({ where: {} }), { connect: [documentId] })).to.not.equal(null);
    });

    it("a one-to-one is not taken from a document outside of the rule", async () => {
      const badge = await newsroom.documents(uid("badge")).create({ data: { name: "gold" } });
      const theirs = await articles().create({ data: { title: "Holder", badge: badge.documentId } });
      const { documentId } = await articles().create({ data: { title: "Mine too" } });
      const where = { title: { $startsWith: "Mine" } };
      const ability = createAbility(["*", { action: article("update"), where }]);
      const take = () => articles().update({ documentId, data: { badge: badge.documentId }, ability });
      expect((await failureOf(take())).status).to.equal(403);
      expect(
        (await articles().findOne({ documentId: theirs.documentId, populate: ["badge"] }))?.["badge"],
      ).to.not.equal(null);
      await articles().update({ documentId: theirs.documentId, data: { title: "Mine as well" } });
      expect(await take()).to.not.equal(null);
    });

    it("what deleting returns is shown by the rule of reading", async () => {
      const { documentId } = await articles().create({ data: { title: "Gone", views: 1 } });
      const ability = createAbility([article("delete"), { action: article("findOne"), fields: ["title"] }, drafts]);
      const { entries } = await articles().delete({ documentId, ability });
      expect(entries[0]).to.include({ title: "Gone" }).and.not.have.any.keys("views");
    });

    it("of a document that they may delete and not read, a writer learns the ids", async () => {
      const { documentId, id } = await articles().create({ data: { title: "Gone unread" } });
      const unread = { action: article("findOne"), where: { title: "Other" } };
      const { entries } = await articles().delete({ documentId, ability: createAbility([article("delete"), unread]) });
      expect(entries).to.deep.equal([{ id, documentId }]);
    });

    it("without rules a write asks the database nothing more", async () => {
      const statements = async (ability: Ability) => {
        const before = newsroom.db.statementCount;
        await articles().create({ data: { title: "Counted", tags: [tags.seen.documentId] }, ability });
        return newsroom.db.statementCount - before;
      };
      await statements(unlimited);
      const plain = await statements(createAbility(["*"]));
      expect(await statements(unlimited)).to.equal(plain);
      const ruled = createAbility(["*", { action: article("create"), where: { title: "Counted" } }, visibleTags]);
      expect(await statements(ruled)).to.equal(plain + 2);
    });
  });
});
