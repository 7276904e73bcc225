import { definePlugin } from "@plinth/core";
import { type GraphqlConfig, parseGraphqlConfig } from "./config.js";

/** GraphQL for every content-type of the app, at `/graphql`. */
export const graphqlPlugin = definePlugin<GraphqlConfig>({
  name: "graphql",
  config: parseGraphqlConfig,
});
