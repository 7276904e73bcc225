import { defineApp } from "@plinth/core";
import { expect } from "chai";
import { graphqlExtension, type ResolverMiddleware } from "@plinth/plugin-graphql";
import { eitherDatabase } from "../../../databases.js";
import { serveGraphql } from "../serve-graphql.js";

/** Whoever asks for the categories gets those that are called Seas. */
const onlySeas: ResolverMiddleware = (next, parent, args, ...rest) =>
  next(parent, { ...args, filters: { name: { eq: "Seas" } } }, ...rest);

const own = defineApp({
  register({ extension }) {
    extension(graphqlExtension).use({
      typeDefs: `
        type Article { shout: String, byline: String, noted: Boolean, parentKeys: [String] }
        type Query { shortest: Article, newest: [Article] }
      `,
      resolvers: {
        Article: {
          shout: (parent) => parent.title.toUpperCase(),
          byline: (parent) => `${parent.title} by ${parent.author.name}`,
          noted: (parent) => parent.privateNote !== null,
          parentKeys: (parent) => Object.keys(parent),
        },
        Query: {
          shortest: async (_parent, _args, { app }) =>
            app.documents("api::article.article").findFirst({ sort: "title", status: "published" }),
          newest: async (_parent, _args, { app }) =>
            (
              await app
                .documents("api::article.article")
                .findMany({ status: "published", sort: "title", fields: ["documentId"] })
            ).map(({ documentId }) => ({ documentId })),
        },
      },
      resolversConfig: {
        "Article.byline": { needs: ["title", "author"] },
        "Article.noted": { needs: ["privateNote"] },
        "Article.parentKeys": { needs: ["slug"] },
        "Article.related": { middlewares: [(next, ...call) => next(...call)] },
        "Article.categories": { middlewares: [onlySeas] },
        "Query.shortest": { auth: false },
        "Query.newest": { auth: false },
        "Article.author": { policies: [() => true] },
      },
    });
  },
});

describe("Resolvers of the app's own among generated ones", () => {
  eitherDatabase(import.meta.url, (database) => {
    const app = serveGraphql(database, { app: own });
    before("write the content", async () => {
      const { data } = await app().send(
        `mutation { ada: createAuthor(data: { name: "Ada" }) { documentId } seas: createCategory(data: { name: "Seas" }) { documentId } lakes: createCategory(data: { name: "Lakes" }) { documentId } }`,
      );
      const categories = [data.seas.documentId, data.lakes.documentId];
      const create = "mutation ($data: ArticleInput!) { createArticle(data: $data) { documentId } }";
      const one = await app().send(create, {
        variables: { data: { title: "One", slug: "one", author: data.ada.documentId, categories } },
      });
      await app().send(create, {
        variables: {
          data: {
            title: "Two",
            slug: "two",
            author: data.ada.documentId,
            categories,
            related: [one.data.createArticle.documentId],
          },
        },
      });
    });

    it("a field gets its parent with all values, whatever the client asked for, by the same statement", async () => {
      const { data, statements, sent } = await app().send('{ articles(sort: "title") { shout x: slug } }');
      expect(data.articles).to.deep.equal([
        { shout: "ONE", x: "one" },
        { shout: "TWO", x: "two" },
      ]);
      expect(statements, sent).to.equal(1);
    });

    it("a field that says what it needs gets that, relations included, and nothing more is read", async () => {
      const { data, errors, statements, sent } = await app().send(
        '{ articles(sort: "title") { byline author { email } } }',
      );
      expect(errors).to.equal(undefined);
      expect(data.articles[0]).to.deep.equal({ byline: "One by Ada", author: { email: null } });
      expect(statements, sent).to.equal(1);
      const keys = await app().send('{ articles(sort: "title", pagination: { limit: 1 }) { parentKeys } }');
      expect(keys.data.articles[0].parentKeys).to.have.members(["documentId", "locale", "slug"]);
    });

    it("a field may need a private attribute, which clients still do not see", async () => {
      await app().send('mutation { createArticle(data: { title: "Noted", privateNote: "x" }) { documentId } }');
      const { data } = await app().send('{ articles(sort: "title") { title noted } }');
      expect(data.articles.map(({ noted }: { noted: boolean }) => noted)).to.deep.equal([true, false, false]);
      expect((await app().send("{ articles { privateNote } }")).status).to.equal(400);
      await app().send(
        `mutation { deleteArticle(documentId: "${(await app().send('{ articles(filters: { title: { eq: "Noted" } }) { documentId } }')).data.articles[0].documentId}") { documentId } }`,
      );
    });

    it("a policy, and a middleware that changes nothing, leave the one statement as it is", async () => {
      const { data, statements, sent } = await app().send(
        '{ articles(sort: "title") { related { title author { name } } } }',
      );
      expect(data.articles[1].related).to.deep.equal([{ title: "One", author: { name: "Ada" } }]);
      expect(statements, sent).to.equal(1);
    });

    it("a middleware that changes arguments gets what it asks for, by one statement for all parents", async () => {
      const { data, statements, sent } = await app().send('{ articles(sort: "title") { categories { name } } }');
      expect(data.articles).to.deep.equal([{ categories: [{ name: "Seas" }] }, { categories: [{ name: "Seas" }] }]);
      expect(statements, sent).to.equal(2);
    });

    it("fields of documents that a resolver returns are read where the documents lack them", async () => {
      const { data, errors } = await app().send(
        "{ shortest { title author { name } related_connection { nodes { title } } } }",
      );
      expect(errors).to.equal(undefined);
      expect(data.shortest).to.deep.equal({ title: "One", author: { name: "Ada" }, related_connection: { nodes: [] } });
      const newest = await app().send("{ newest { title slug author { name } } }");
      expect(newest.data.newest[1]).to.deep.equal({ title: "Two", slug: "two", author: { name: "Ada" } });
      // The app's own, and one for each field, whatever the number of documents.
      expect(newest.statements, newest.sent).to.equal(4);
    });

    it("what the actor may not find stays forbidden below them", async () => {
      const { data, errors } = await app().send("{ shortest { title author { name } } }", { token: "" });
      expect(data.shortest).to.deep.equal({ title: "One", author: null });
      expect(errors?.map(({ path }) => path)).to.deep.equal([["shortest", "author"]]);
    });
  });
});
