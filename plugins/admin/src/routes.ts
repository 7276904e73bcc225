import type { App, Route } from "@plinth/core";
import { createSessionRoutes } from "./accounts/session-routes.js";
import { createWelcomeRoute } from "./accounts/welcome-route.js";
import { createContentRoutes } from "./content/content-routes.js";
import { createModelRoutes } from "./model/model-routes.js";
import { createPreviewRoutes } from "./preview/preview-routes.js";

/** The page's own REST, below /admin/api. */
export function createAdminRoutes(app: App): readonly Route[] {
  return [
    ...createSessionRoutes(app),
    createWelcomeRoute(app),
    ...createModelRoutes(app),
    ...createContentRoutes(app),
    ...createPreviewRoutes(app),
  ];
}
