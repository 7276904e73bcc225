import { type App, definePlugin, implement, type Route } from "@plinth/core";
import { handlerOf } from "@plinth/core/http";
import { buildSchema } from "./build-schema.js";
import { parseGraphqlConfig } from "./config.js";
import type { GraphqlConfig } from "./config.js";
import { SchemaChanges, schemaChanges } from "./extension/schema-changes.js";
import { GraphqlServer, graphqlServer } from "./server/graphql-server.js";

/** GraphQL for every content-type of the app, at `/graphql`. */
export const graphqlPlugin = definePlugin<GraphqlConfig>({
  name: "graphql",
  config: parseGraphqlConfig,
  extensions: [implement(schemaChanges, { create: () => new SchemaChanges() })],
  services: [
    implement(graphqlServer, {
      create: (_deps, { app, config }: { app: App; config: GraphqlConfig }) => new GraphqlServer(app, config),
    }),
  ],
  register({ app, config, route }) {
    const handler = handlerOf((request) => app.service(graphqlServer).answer(request));
    const serveFile: Route["handler"] = (ctx, next) => app.service(graphqlServer).serveFile(ctx, next);
    // GraphQL describes itself.
    const own = { type: "root", api: "graphql", config: { auth: false, prefix: "" }, description: false } as const;
    // The endpoint identifies the caller itself: which actions are needed is known only when the document is.
    for (const method of ["GET", "POST"] as const)
      route(method.toLowerCase(), {
        method,
        path: config.endpoint,
        handler,
        ...(method === "GET" ? { page: "GraphQL" } : {}),
        ...own,
      });
    route("graphiql", { method: "GET", path: `${config.endpoint}/graphiql/:file`, handler: serveFile, ...own });
  },
  async bootstrap({ app, config, extension, service }) {
    await service(graphqlServer).start(buildSchema(app, config, extension(schemaChanges)));
  },
  destroy: ({ service }) => service(graphqlServer).stop(),
});
