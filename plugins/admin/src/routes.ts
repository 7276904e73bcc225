import type { App, Route } from "@plinth/core";
import { createAccountRoutes } from "./accounts/account-routes.js";
import { createLinkRoutes } from "./accounts/link-routes.js";
import { createOwnAccountRoutes } from "./accounts/own-account-routes.js";
import { createSessionRoutes } from "./accounts/session-routes.js";
import { createWelcomeRoute } from "./accounts/welcome-route.js";
import type { AdminConfig } from "./config.js";
import { createBuilderRoutes } from "./builder/builder-routes.js";
import { createContentRoutes } from "./content/content-routes.js";
import { createListRoutes } from "./list-routes.js";
import { createLiveRoutes } from "./live/live-routes.js";
import { createModelRoutes } from "./model/model-routes.js";
import { createPreviewRoutes } from "./preview/preview-routes.js";
import { createRoleRoutes } from "./roles/role-routes.js";
import { createOwnFactorRoutes } from "./second-factor/own-routes.js";
import { createFactorSignInRoutes } from "./second-factor/sign-in-routes.js";

/** The page's own REST, below /admin/api. */
export function createAdminRoutes(app: App, config: AdminConfig): readonly Route[] {
  return [
    ...createSessionRoutes(app, config),
    ...createFactorSignInRoutes(app),
    createWelcomeRoute(app),
    ...createLinkRoutes(app, config),
    ...createOwnAccountRoutes(app, config),
    ...createOwnFactorRoutes(app, config),
    ...createAccountRoutes(app),
    ...createRoleRoutes(app),
    ...createModelRoutes(app),
    ...createContentRoutes(app),
    ...createListRoutes(app, config),
    ...createPreviewRoutes(app),
    ...createBuilderRoutes(app),
    ...createLiveRoutes(app),
  ];
}
