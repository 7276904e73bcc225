import { definePlugin } from "@plinth/core";
import { graphqlExtension } from "@plinth/plugin-graphql";

/** A query, and a field of a type that is made from a content-type. */
export default definePlugin({
  name: "adds-graphql",
  dependsOn: ["graphql"],
  register({ extension }) {
    extension(graphqlExtension).use(({ app }) => ({
      typeDefs: "type Query { noteCount: Int! } type Note { shout: String! }",
      resolvers: {
        Query: { noteCount: () => app.documents("api::note.note").count() },
        Note: { shout: ({ text }) => String(text).toUpperCase() },
      },
      resolversConfig: { "Query.noteCount": { auth: false }, "Note.shout": { needs: ["text"] } },
    }));
  },
});
