/** The public entry of the content-api plugin: the plugin itself, its contract, and what apps extend. */
import { definePlugin } from "@plinth/core";
import { parseRestConfig } from "./config.js";
import { createCoreController } from "./controllers/create-core-controller.js";
import { openIdempotency } from "./controllers/idempotency.js";
import { modelRoutes } from "./model-routes.js";
import { generatedRoutes } from "./routes.js";

export { checkQuery } from "./controllers/create-core-controller.js";
export type { RestConfig } from "./config.js";
export { parseRestConfig } from "./config.js";
export type {
  Answer,
  AskedCaller,
  Caller,
  CollectionService,
  CoreAction,
  CoreController,
  CoreRouteConfig,
  CoreRouter,
  CoreRouterOptions,
  DraftAction,
  FoundList,
  FoundOne,
  FoundPage,
  FoundVersions,
  PaginationMeta,
  Params,
  SingleService,
  WriteParams,
} from "./contract.js";
export type { DescribedType } from "./describe-route.js";
export { describeRoute, listQuery, PAGINATION_QUERY, PAGINATION_SCHEMA, shownQuery } from "./describe-route.js";
export { createCoreController } from "./controllers/create-core-controller.js";
export { MissingDataError } from "./errors.js";
export { foundOne, foundPage, pageOfResult } from "./services/entries.js";
export { createCoreRouter } from "./routes.js";
export type { ExtendedService } from "./services/create-core-service.js";
export { createCoreService } from "./services/create-core-service.js";

/** REST endpoints for every content-type of the app, below `/api`. */
export const contentApiPlugin = definePlugin({
  name: "content-api",
  register({ app, controller, route }) {
    parseRestConfig(app.config.get("api.rest"));
    route("generated", generatedRoutes);
    route("model", modelRoutes);
    const declared = app.registry("controller");
    for (const uid of app.registry("content-type").keys()) {
      if (uid.startsWith("api::") && !declared.has(uid)) controller(uid, createCoreController(uid));
    }
  },
  async bootstrap({ app }) {
    if (parseRestConfig(app.config.get("api.rest")).idempotency) await openIdempotency(app);
  },
});

export default contentApiPlugin;
