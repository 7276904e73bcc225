import type { ExtensionTools, SchemaExtension } from "@plinth/plugin-graphql";

/** New types, in SDL and by nexus, and new fields on those that exist. */
export function articleExtension({ nexus, app }: ExtensionTools): SchemaExtension {
  const statistics = nexus.objectType({
    name: "ArticleStatistics",
    definition(t) {
      t.nonNull.int("count");
      t.string("longestTitle");
    },
  });
  const query = nexus.extendType({
    type: "Query",
    definition(t) {
      t.nonNull.field("articleStatistics", {
        type: statistics,
        resolve: async () => {
          const titles = (await app.documents("api::article.article").findMany({ fields: ["title"] })).map((article) =>
            String(article["title"]),
          );
          return { count: titles.length, longestTitle: titles.toSorted((a, b) => b.length - a.length)[0] };
        },
      });
    },
  });
  return {
    types: [statistics, query],
    typeDefs: `
      type Shout { text: String!, length: Int! }
      union Found = Article | Author
      type Query { shout(text: String!): Shout!, everything: [Found!]!, fault: String, refusal: String }
      type Article { words: Int!, twin: Article }
      extend type Mutation { renameAll(title: String!): Int! }
    `,
    resolvers: {
      Query: {
        shout: (_parent, { text }: { text: string }) => ({ text: `${text.toUpperCase()}!` }),
        everything: async () => [
          ...(await app.documents("api::author.author").findMany()),
          ...(await app.documents("api::article.article").findMany({ sort: "title" })),
        ],
        fault: () => {
          throw new TypeError("secret");
        },
        refusal: (_parent, _args, context) => context.http.throw(409, "Not now"),
      },
      Found: { __resolveType: (found: object) => ("name" in found ? "Author" : "Article") },
      Shout: { length: (shout: { text: string }) => shout.text.length },
      Article: {
        words: { resolve: ({ text }: { text: string | null }) => (text ?? "").split(/\s+/).filter(Boolean).length },
        twin: async ({ documentId }: { documentId: string }) =>
          app
            .documents("api::article.article")
            .findFirst({ filters: { documentId: { $ne: documentId } }, sort: "title" }),
      },
      Mutation: {
        renameAll: async (_parent, { title }: { title: string }) => {
          const articles = await app.documents("api::article.article").findMany();
          for (const { documentId } of articles)
            await app.documents("api::article.article").update({ documentId, data: { title } });
          return articles.length;
        },
      },
    },
    resolversConfig: {
      "Query.shout": { auth: false },
      "Query.everything": { auth: false },
      "Query.fault": { auth: false },
      "Query.refusal": { auth: false },
      "Query.articleStatistics": { auth: { scope: ["api::article.article.find"] } },
      "Article.words": { needs: ["text"] },
    },
  };
}
