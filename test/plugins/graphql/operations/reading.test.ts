import { expect } from "chai";
import { eitherDatabase } from "../../../databases.js";
import { serveGraphql } from "../serve-graphql.js";

const article = (action: string) => `api::article.article.${action}`;

const users = {
  /** Reads some attributes of articles, and no authors. */
  limited: [
    { action: article("find"), fields: ["title", "author", "categories", "sections"] },
    "api::category.category.find",
  ],
  /** Reads everything but authors whose name is Bob. */
  ruled: [article("*"), "api::category.*", { action: "api::author.author.find", where: { name: { $ne: "Bob" } } }],
};

/** Beside a query of generated fields: what makes the engine run resolvers, where PostgreSQL would write the answer. */
const WAYS = { "written by PostgreSQL": "", "handed out by resolvers": '__type(name: "Long") { name }' };

const ONE_LEVEL = `title author { name } categories(sort: "name") { name } related(sort: "title") { title }`;

describe("Reading by GraphQL", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveGraphql(database, { users });
    const ids: Record<string, string> = {};

    before("write the content", async () => {
      const create = async (name: string, data: object) => {
        const { data: made } = await app().send(
          `mutation ($data: ${name}Input!) { made: create${name}(data: $data) { documentId } }`,
          { variables: { data } },
        );
        return made.made.documentId as string;
      };
      ids["ada"] = await create("Author", { name: "Ada" });
      ids["bob"] = await create("Author", { name: "Bob" });
      ids["lakes"] = await create("Category", { name: "Lakes" });
      ids["seas"] = await create("Category", { name: "Seas" });
      const categories = [ids["seas"], ids["lakes"]];
      ids["one"] = await create("Article", {
        title: "One",
        startsAt: "08:09:10",
        bigviews: "9007199254740993",
        author: ids["ada"],
        categories,
        seo: { metaTitle: "M", meta: [{ property: "p" }, { property: "q" }] },
        sections: [
          { __typename: "ComponentSectionsHero", title: "H", cta: { label: "C", category: ids["seas"] } },
          { __typename: "ComponentSectionsQuote", text: "Q", author: ids["bob"] },
        ],
      });
      ids["two"] = await create("Article", { title: "Two", author: ids["bob"], categories, related: [ids["one"]] });
      ids["three"] = await create("Article", { title: "Three", bigviews: -42, related: [ids["two"], ids["one"]] });
    });

    for (const [way, beside] of Object.entries(WAYS)) {
      describe(way, () => {
        it("a Long is a number where JavaScript can hold it, and a text beyond", async () => {
          const { data } = await app().send(`{ ${beside} articles(sort: "bigviews") { bigviews } }`);
          const values = data.articles.map(({ bigviews }: { bigviews: unknown }) => bigviews);
          expect(values).to.deep.equal([-42, "9007199254740993", null]);
        });

        it("four levels of three relations each take one statement", async () => {
          const nested = `related(sort: "title") { ${ONE_LEVEL} related(sort: "title") { ${ONE_LEVEL} } }`;
          const query = `{ ${beside} articles(sort: "title") { ${ONE_LEVEL} ${nested} } }`;
          await app().send(query);
          const { data, errors, statements, sent } = await app().send(query);
          expect(errors).to.equal(undefined);
          expect(data.articles[1].related[1].related[0].author).to.deep.equal({ name: "Ada" });
          expect(statements, sent).to.equal(1);
        });

        it("two aliases of one connection with different filters take one statement", async () => {
          const query = `{ ${beside} article(documentId: "${ids["one"]}") {
        seas: categories_connection(filters: { name: { eq: "Seas" } }) { nodes { name } }
        some: categories_connection(sort: "name", pagination: { limit: 1 }) { nodes { name } all: nodes { slug } }
        categories { name }
      } }`;
          const { data, errors, statements, sent } = await app().send(query);
          expect(errors).to.equal(undefined);
          expect(data.article).to.deep.equal({
            seas: { nodes: [{ name: "Seas" }] },
            some: { nodes: [{ name: "Lakes" }], all: [{ slug: null }] },
            categories: [{ name: "Seas" }, { name: "Lakes" }],
          });
          expect(statements, sent).to.equal(1);
        });

        it("a dynamic zone with relations in its components takes one statement", async () => {
          const query = `query ($id: ID!) { ${beside} article(documentId: $id) { sections {
        __typename
        ... on ComponentSectionsHero { title cta { label category { name } } }
        ...Quote
      } } }
      fragment Quote on ComponentSectionsQuote { text by: author { name } }`;
          const { data, errors, statements, sent } = await app().send(query, { variables: { id: ids["one"] } });
          expect(errors).to.equal(undefined);
          expect(data.article.sections).to.deep.equal([
            { __typename: "ComponentSectionsHero", title: "H", cta: { label: "C", category: { name: "Seas" } } },
            { __typename: "ComponentSectionsQuote", text: "Q", by: { name: "Bob" } },
          ]);
          expect(statements, sent).to.equal(1);
        });
      });
    }

    it("each root field takes one statement", async () => {
      const { data, statements, sent } = await app().send(
        '{ articles { title } categories_connection { nodes { name } pageInfo { page } } missing: article(documentId: "x") { title } }',
      );
      expect(data.missing).to.equal(null);
      expect(statements, sent).to.equal(3);
    });

    it("what an actor may not find is an error at its path, and everything else comes by the same statement", async () => {
      const { data, errors, statements, sent } = await app().send(
        `{ article: articles(filters: { title: { eq: "One" } }) {
          title author { name } categories(sort: "name") { name }
          sections { ... on ComponentSectionsQuote { text author { name } } }
        } }`,
        { token: "limited" },
      );
      expect(data.article).to.deep.equal([
        {
          title: "One",
          author: null,
          categories: [{ name: "Lakes" }, { name: "Seas" }],
          sections: [{}, { text: "Q", author: null }],
        },
      ]);
      expect(errors?.map(({ message, path }) => [message, path?.join(".")])).to.have.deep.members([
        ["Forbidden access", "article.0.author"],
        ["Forbidden access", "article.0.sections.1.author"],
      ]);
      expect(statements, sent).to.equal(1);
    });

    it("wrong arguments of a field are an error at its path, and the rest of the answer stays", async () => {
      const query = `{ articles(filters: { title: { eq: "One" } }) {
        title
        related_connection(filters: { author: { name: { eq: "Ada" } } }) { nodes { title } }
        first: seo { metaTitle meta(sort: "nope") { property } }
        seo { metaTitle meta(sort: "property") { property } }
      } }`;
      const { data, errors } = await app().send(query, { token: "" });
      expect(errors?.map(({ message, path }) => [message, path?.join(".")])).to.have.deep.members([
        ["Invalid key author", "articles.0.related_connection"],
        ["Invalid key nope", "articles.0.first.meta"],
      ]);
      expect(data.articles).to.deep.equal([
        {
          title: "One",
          related_connection: null,
          first: { metaTitle: "M", meta: null },
          seo: { metaTitle: "M", meta: [{ property: "p" }, { property: "q" }] },
        },
      ]);
      const wrong = await app().send('{ articles(sort: "nope") { title } }', { token: "" });
      expect(wrong.errors?.map(({ path }) => path?.join("."))).to.deep.equal(["articles"]);
    });

    it("wrong arguments in the answer of a mutation are refused before it writes", async () => {
      const count = async () => (await app().send("{ articles_connection { pageInfo { total } } }")).data;
      const before = await count();
      const { data, errors } = await app().send(
        'mutation { createArticle(data: { title: "Unwritten" }) { related_connection(sort: "nope") { nodes { title } } } }',
      );
      expect([data, errors?.length]).to.deep.equal([{ createArticle: null }, 1]);
      expect(await count()).to.deep.equal(before);
    });

    it("an attribute outside of the actor's rule is an error, and cannot be filtered or sorted by", async () => {
      const { data, errors } = await app().send("{ articles { title views } }", { token: "limited" });
      expect(data.articles[0]).to.include({ views: null });
      expect(errors?.[0]).to.deep.include({ message: "Forbidden access", path: ["articles", 0, "views"] });
      for (const args of [
        "filters: { views: { gt: 1 } }",
        'sort: "views"',
        'filters: { author: { name: { eq: "Ada" } } }',
      ]) {
        const refused = await app().send(`{ articles(${args}) { title } }`, { token: "limited" });
        expect(refused.errors?.[0]?.extensions.code, args).to.equal("BAD_USER_INPUT");
        expect(refused.data, args).to.equal(null);
      }
    });

    it("relations hold what the rule of their target reaches, also inside of components", async () => {
      const query = `{ articles(sort: "title") { title author { name } sections { ... on ComponentSectionsQuote { author { name } } } } }`;
      const { data, errors } = await app().send(query, { token: "ruled" });
      expect(errors).to.equal(undefined);
      expect(data.articles.map((entry: { author: unknown }) => entry.author)).to.deep.equal([
        { name: "Ada" },
        null,
        null,
      ]);
      expect(data.articles[0].sections[1]).to.deep.equal({ author: null });
    });

    it("directives and variables decide what is read", async () => {
      const query = `query ($with: Boolean!, $names: [String]) {
        articles(filters: { title: { in: $names } }) { title author @include(if: $with) { name } slug @skip(if: $with) }
      }`;
      const send = (isWith: boolean) => app().send(query, { variables: { with: isWith, names: ["One"] } });
      expect((await send(true)).data.articles).to.deep.equal([{ title: "One", author: { name: "Ada" } }]);
      expect((await send(false)).data.articles).to.deep.equal([{ title: "One", slug: null }]);
    });

    it("an answer has the keys of the document in their order, whoever writes it", async () => {
      const fields = `b: title categories_connection { nodes { __typename name } __typename } a: seo { meta { id property } } title startsAt bigviews createdAt`;
      const read = `articles(filters: { title: { eq: "One" } }) { ${fields} }`;
      const written = await app().send(`{ ${read} }`);
      // Introspection beside it is answered by the engine, and so is everything else then.
      const resolved = await app().send(`{ ${read} __type(name: "Long") { name } }`);
      expect(JSON.stringify(written.data.articles)).to.equal(JSON.stringify(resolved.data.articles));
      expect(written.data.articles[0]).to.include({ startsAt: "08:09:10.000", bigviews: "9007199254740993" });
    });

    it("a null where the schema has none is an error at its path", async () => {
      const text = "insert into categories (document_id, locale, published_at) values ('nameless', '', now())";
      await app().plinth.app.db.query({ text, values: [] });
      const { data, errors } = await app().send(
        "{ categories(filters: { name: { null: true } }) { documentId name } }",
      );
      expect(data.categories).to.deep.equal([null]);
      expect(errors?.[0]?.path).to.deep.equal(["categories", 0, "name"]);
      await app().plinth.app.documents("api::category.category").delete({ documentId: "nameless" });
    });

    it("rows are counted only where their number is asked for", async () => {
      const page = (selection: string) =>
        app().send(`{ categories_connection(sort: "name", pagination: { start: 1, limit: 1 }) { ${selection} } }`);
      expect((await page("pageInfo { page pageSize }")).data.categories_connection.pageInfo).to.deep.equal({
        page: 2,
        pageSize: 1,
      });
      expect((await page("nodes { name } pageInfo { total pageCount }")).data.categories_connection).to.deep.equal({
        nodes: [{ name: "Seas" }],
        pageInfo: { total: 2, pageCount: 2 },
      });
    });

    it("lists keep the limits, root and nested", async () => {
      const { data } = await app().send(
        `{ articles(pagination: { limit: -1 }) { title } none: articles(pagination: null, sort: "title") { title categories(pagination: { limit: 0 }) { name } } }`,
      );
      expect(data.articles).to.have.length(3);
      expect(data.none[0].categories).to.have.length(1);
    });
  });
});
