/** The public entry of the admin plugin: the plugin itself, and its contract. */
import { afterBuild, definePlugin, implement, transformStartLines } from "@plinth/core";
import { type AdminConfig, parseAdminConfig } from "./config.js";
import { admin } from "./contract.js";
import { PAGE_ACTIONS } from "./access/actions.js";
import { promoteAdministrators, registerAccess } from "./access/register-access.js";
import { sessions } from "./access/sessions.js";
import { addWelcome, inviteCommand } from "./accounts/welcome-link.js";
import { invitationType } from "./content-types/invitation.js";
import { roleType } from "./content-types/role.js";
import { sessionType } from "./content-types/session.js";
import { workingCopyType } from "./content-types/working-copy.js";
import { extendSchema, graphql } from "./graphql.js";
import { modelViews } from "./model/model-views.js";
import { addOwnModules, buildOwnModules } from "./page/own-modules.js";
import { page } from "./page/page.js";
import { PageExtensions } from "./page/page-extensions.js";
import { createPageRoutes } from "./page/page-routes.js";
import { createAdminRoutes } from "./routes.js";
import { defineJobs, jobs } from "./jobs.js";
import { services } from "./services.js";

export type { AdminConfig } from "./config.js";
export type { FileViews } from "./content/file-view.js";
export type { AdminExtensions, PageActions, PageExtension } from "./contract.js";
export { admin, administratorsOnly } from "./contract.js";
export type { FileChanges, FileList, FileView, UploadedFiles } from "./wire/files.js";

/** The page below `/admin`, for people who write content. */
export const adminPlugin = definePlugin<AdminConfig>({
  name: "admin",
  dependsOn: ["api-tokens"],
  after: ["jobs"],
  config: parseAdminConfig,
  commands: { "admin invite": inviteCommand },
  contentTypes: { invitation: invitationType, role: roleType, session: sessionType, "working-copy": workingCopyType },
  extensions: [implement(admin, { create: () => new PageExtensions() })],
  services,
  register(context) {
    const { app, extension, has, on, route } = context;
    if (has("graphql")) extendSchema(extension(graphql));
    if (has("jobs")) defineJobs(extension(jobs));
    extension(admin).actions(PAGE_ACTIONS);
    registerAccess(context);
    on(afterBuild, ({ root, directory }) => buildOwnModules(root, directory));
    on(transformStartLines, (lines, { url }) => addWelcome(app, lines, url));
    route("page", { createRoutes: () => createPageRoutes(() => app.service(page)) });
    route("api", { createRoutes: () => createAdminRoutes(app) });
  },
  async bootstrap({ app, service, extension }) {
    await promoteAdministrators(app);
    await addOwnModules(app, extension(admin) as PageExtensions);
    service(page);
    service(modelViews);
    service(sessions).listen();
  },
  destroy: ({ service }) => service(sessions).close(),
});

export default adminPlugin;
