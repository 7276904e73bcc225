import { contentApiPlugin } from "@plinth/plugin-content-api";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { i18nPlugin } from "@plinth/plugin-i18n";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { createTestApp, type Snapshot, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { medianOf, timeOf } from "../../usual-time.js";

const ARTICLE = "api::article.article";
const AUTHOR = "api::author.author";

const newsroom = {
  contentTypes: {
    [ARTICLE]: {
      kind: "collectionType",
      info: { singularName: "article", pluralName: "articles", displayName: "Article" },
      options: { draftAndPublish: true },
      attributes: {
        title: { type: "string" },
        size: { type: "float" },
        price: { type: "decimal" },
        facts: { type: "json" },
        at: { type: "datetime" },
        seo: { type: "component", component: "shared.seo" },
        authors: { type: "relation", relation: "manyToMany", target: AUTHOR, inversedBy: "articles" },
      },
    },
    [AUTHOR]: {
      kind: "collectionType",
      info: { singularName: "author", pluralName: "authors", displayName: "Author" },
      attributes: {
        name: { type: "string", unique: true },
        articles: { type: "relation", relation: "manyToMany", target: ARTICLE, mappedBy: "authors" },
      },
    },
  },
  components: {
    "shared.seo": { info: { displayName: "Seo" }, attributes: { slug: { type: "string", unique: true } } },
  },
} as const;

eitherDatabase(import.meta.url, (database) => {
  describe("a snapshot", () => {
    let test: TestApp;
    let clean: Snapshot;
    let ada: string;
    before("start an app with some content", async () => {
      test = await createTestApp({
        plugins: [contentApiPlugin, apiTokensPlugin, i18nPlugin, usersPermissionsPlugin],
        app: newsroom,
        config: { i18n: { defaultLocale: "en", locales: ["en"] } },
        database: database.config(),
      });
      ada = (await test.app.documents(AUTHOR).create({ data: { name: 'Ada "the first", {1} \\ ' } })).documentId;
      await test.app.documents(ARTICLE).create({
        data: {
          title: "Notes",
          size: 0.1 + 0.2,
          price: "99999999.99",
          facts: { "a,b": [null, 'x"', "\\"] },
          at: "2026-01-02T03:04:05.678Z",
          seo: { slug: "notes" },
          authors: [ada],
        },
        status: "published",
      });
      clean = await test.snapshot();
    });
    after("stop it", () => test?.stop());
    afterEach("restore it", () => clean.restore());

    const everything = async () => {
      const populate = { seo: true, authors: true };
      const { body } = await test.as("all").get("/api/articles", { query: { populate, status: "draft" } });
      const published = await test.as("all").get("/api/articles", { query: { populate } });
      const authors = await test.as("all").get("/api/authors", { query: { populate: ["articles"] } });
      return [body, published.body, authors.body];
    };

    it("gives everything back as it was: changed, removed and added", async () => {
      const before = await everything();
      const articles = test.app.documents(ARTICLE);
      const [article] = await articles.findMany();
      await articles.update({ documentId: article!.documentId, data: { title: "Changed", seo: { slug: "other" } } });
      await test.app.documents(AUTHOR).delete({ documentId: ada });
      await articles.create({ data: { title: "More" }, status: "published" });
      expect(await everything()).to.not.deep.equal(before);
      await clean.restore();
      expect(await everything()).to.deep.equal(before);
    });

    it("gives new documents the ids that they would have had", async () => {
      const make = () => test.app.documents(AUTHOR).create({ data: { name: "Grace" } });
      const first = await make();
      await clean.restore();
      expect((await make()).id).to.equal(first.id);
    });

    it("lets go of what was unique", async () => {
      for (const _ of [1, 2]) {
        const data = { title: "Unique", seo: { slug: "unique" } };
        await test.app.documents(ARTICLE).create({ data, status: "published" });
        await clean.restore();
      }
    });

    it("keeps totals right, whatever was counted before", async () => {
      const total = async () => {
        const query = { filters: { title: { $contains: "e" } }, status: "draft" };
        return (await test.as("all").get("/api/articles", { query })).body.meta.pagination.total;
      };
      const create = (title: string) => test.app.documents(ARTICLE).create({ data: { title } });
      const totals: number[] = [];
      for (const titles of [["e", "e"], ["none here: i"], ["e"]]) {
        totals.push(await total());
        for (const title of titles) await create(title);
        totals.push(await total());
        await clean.restore();
      }
      expect(totals).to.deep.equal([1, 3, 1, 2, 1, 2]);
    });

    it("is heard of by what keeps users, roles and tokens in memory", async () => {
      const person = await test.signIn({ role: "authenticated" });
      const program = await test.signIn({ token: "full-access" });
      expect((await person.get("/api/users/me")).status).to.equal(200);
      expect((await program.get("/api/authors")).status).to.equal(200);
      await clean.restore();
      expect((await person.get("/api/users/me")).status).to.equal(401);
      expect((await program.get("/api/authors")).status).to.equal(401);
    });

    it("can be taken on top of another", async () => {
      await test.app.documents(AUTHOR).create({ data: { name: "Grace" } });
      const more = await test.snapshot();
      await test.app.documents(AUTHOR).create({ data: { name: "Mary" } });
      await more.restore();
      expect(await test.app.documents(AUTHOR).count()).to.equal(2);
      await clean.restore();
      expect(await test.app.documents(AUTHOR).count()).to.equal(1);
      await more.restore();
      expect(await test.app.documents(AUTHOR).count()).to.equal(2);
    });

    it("is restored in milliseconds", async function () {
      const [times, creations]: [number[], number[]] = [[], []];
      for (let round = 0; round < 20; round += 1) {
        const article = { data: { title: `${round}`, authors: [ada] }, status: "published" } as const;
        creations.push(await timeOf(() => test.app.documents(ARTICLE).create(article)));
        times.push(await timeOf(() => clean.restore()));
      }
      const [median, ofCreation] = [medianOf(times), medianOf(creations)];
      this.test!.title += ` (median ${median.toFixed(1)} ms, a document is made in ${ofCreation.toFixed(1)} ms)`;
      expect(median).to.be.below(10 * ofCreation);
    });
  });
});
