import { type App, implement } from "@plinth/core";
import { Roles, roles } from "./access/roles.js";
import { Sessions, sessions } from "./access/sessions.js";
import { Invitations, invitations } from "./accounts/invitations.js";
import type { AdminConfig } from "./config.js";
import { fileViews, viewOfFile } from "./content/file-view.js";
import { admin } from "./contract.js";
import { ModelViews, modelViews } from "./model/model-views.js";
import { createPage, page } from "./page/page.js";
import { Previews, previews } from "./preview/previews.js";

interface Context {
  readonly app: App;
  readonly config: AdminConfig;
}

/** The services of the plugin. */
export const services = [
  implement(fileViews, { create: () => ({ viewOf: viewOfFile }) }),
  implement(page, { create: (_deps, { app, config }: Context) => createPage(app, config, app.extension(admin)) }),
  implement(roles, { create: (_deps, { app, config }: Context) => new Roles(app, config.roles) }),
  implement(invitations, { create: (_deps, { app }) => new Invitations(app) }),
  implement(modelViews, { create: (_deps, { app, config }: Context) => new ModelViews(app, config.preview.origins) }),
  implement(previews, { create: (_deps, { app, config }: Context) => new Previews(app, config.preview) }),
  implement(sessions, {
    deps: { roles },
    create: (deps, { app, config }: Context) =>
      new Sessions(app, config.sessions, (role, user) => deps.roles.abilityOf(role, user)),
  }),
];
