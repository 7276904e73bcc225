/** The public entry of the admin plugin: the plugin itself, and its contract. */
import { afterBuild, definePlugin, implement, transformStartLines } from "@plinth/core";
import { type AdminConfig, parseAdminConfig } from "./config.js";
import { admin } from "./contract.js";
import { PAGE_ACTIONS } from "./access/actions.js";
import { registerAccess } from "./access/register-access.js";
import { addWelcome, inviteCommand } from "./accounts/welcome-link.js";
import { ownTypes } from "./content-types/own-types.js";
import { extendSchema, graphql } from "./graphql.js";
import { listenToWrites } from "./live/listen-to-writes.js";
import { buildOwnModules } from "./page/own-modules.js";
import { page } from "./page/page.js";
import { PageExtensions } from "./page/page-extensions.js";
import { createPageRoutes } from "./page/page-routes.js";
import { createAdminRoutes } from "./routes.js";
import { defineJobs } from "./jobs.js";
import { jobs } from "./known-jobs.js";
import { resetCommand } from "./second-factor/reset-command.js";
import { services } from "./services.js";
import { startPage, stopPage } from "./start.js";

export type { AdminConfig } from "./config.js";
export type { AdminExtensions, PageActions, PageExtension } from "./contract.js";
export { admin, administratorsOnly } from "./contract.js";
export type * from "./for-plugins.js";

/** The page below `/admin`, for people who write content. */
export const adminPlugin = definePlugin<AdminConfig>({
  name: "admin",
  dependsOn: ["api-tokens"],
  after: ["jobs"],
  config: parseAdminConfig,
  commands: { "admin invite": inviteCommand, "admin second-factor": resetCommand },
  contentTypes: ownTypes,
  extensions: [implement(admin, { create: () => new PageExtensions() })],
  services,
  register(context) {
    const { app, config, extension, has, on, route } = context;
    if (has("graphql")) extendSchema(extension(graphql));
    if (has("jobs")) defineJobs(extension(jobs));
    extension(admin).actions(PAGE_ACTIONS);
    registerAccess(context);
    listenToWrites(context);
    on(afterBuild, ({ root, directory }) => buildOwnModules(root, directory));
    on(transformStartLines, (lines, { url }) => addWelcome(app, lines, url));
    route("page", { createRoutes: () => createPageRoutes(() => app.service(page)) });
    route("api", { createRoutes: () => createAdminRoutes(app, config) });
  },
  bootstrap: ({ app }) => startPage(app),
  destroy: ({ app }) => stopPage(app),
});

export default adminPlugin;
