/** The public entry of the openapi plugin: the plugin itself, and its contract. */
import { type Command, definePlugin, implement } from "@plinth/core";
import { type OpenApiConfig, parseConfig } from "./config.js";
import { openApi } from "./contract.js";
import { createOpenApi } from "./document/openapi-service.js";
import { createPageRoutes } from "./page/page.js";
import { createDocumentRoute, serveDocument } from "./routes.js";

export type { OpenApiConfig } from "./config.js";
export type {
  OpenApi,
  OpenApiContent,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from "./contract.js";
export { openApi } from "./contract.js";

/** `plinth openapi`: the document, for what makes clients of it. */
const openApiCommand: Command = {
  description: "print the OpenAPI document of everything that REST serves",
  options: { "--role <type>": "only what this role may do: public, authenticated, ..." },
  async run({ app, options, print }) {
    const { role } = options;
    const service = app.service(openApi);
    const ability = typeof role === "string" ? await service.abilityOfRole(role) : undefined;
    print(JSON.stringify(service.document(ability), undefined, 2));
  },
};

/** `GET /api/openapi.json`, and while developing a page at `/api/openapi`. */
export const openApiPlugin = definePlugin<OpenApiConfig>({
  name: "openapi",
  config: parseConfig,
  services: [implement(openApi, { create: (_deps, { app, config }) => createOpenApi(app, config as OpenApiConfig) })],
  controllers: {
    document: ({ app }) => ({ find: (ctx) => serveDocument(app, app.environment === "development", ctx) }),
  },
  commands: { openapi: openApiCommand },
  register({ app, route }) {
    const isDeveloping = app.environment === "development";
    route("document", createDocumentRoute(isDeveloping));
    if (!isDeveloping) return;
    for (const [name, page] of Object.entries(createPageRoutes(app))) route(name, page);
  },
});

export default openApiPlugin;
