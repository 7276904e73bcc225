import { defineApp } from "@plinth/core";
import { graphqlExtension } from "@plinth/plugin-graphql";
import { articleExtension } from "./article-extension.js";
import { guardExtension } from "./guard-extension.js";

export default defineApp({
  register({ app, extension }) {
    const graphql = extension(graphqlExtension);
    graphql.shadowCRUD("api::audit.audit").disable();
    graphql.shadowCRUD("api::tag.tag").disableQueries();
    graphql.shadowCRUD("api::author.author").disableMutations();
    graphql.shadowCRUD("api::draft.draft").disableAction("findOne").disableActions(["update", "delete"]);
    const article = app.plugin("graphql").service("extension").shadowCRUD("api::article.article");
    article.field("note").disable();
    article.field("text").disableOutput();
    article.field("slug").disableInput();
    article.field("rating").disableFilters();
    graphql.use(articleExtension).use(guardExtension);
  },
});
