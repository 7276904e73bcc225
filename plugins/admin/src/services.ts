import { type App, implement } from "@plinth/core";
import { Roles, roles } from "./access/roles.js";
import { Sessions, sessions } from "./access/sessions.js";
import { AccountMails, accountMails } from "./accounts/account-mails.js";
import { Accounts, accounts } from "./accounts/accounts.js";
import { Invitations, invitations } from "./accounts/invitations.js";
import { PasswordResets, passwordResets } from "./accounts/password-resets.js";
import { ServedFiles, servedFiles } from "./builder/served-files.js";
import type { AdminConfig } from "./config.js";
import { fileViews, libraryFileOf } from "./content/file-view.js";
import { seenUses } from "./content/uses.js";
import { createNames, names } from "./content/names.js";
import { admin } from "./contract.js";
import { LiveStreams, liveStreams } from "./live/live-streams.js";
import { ModelViews, modelViews } from "./model/model-views.js";
import { createPage, page } from "./page/page.js";
import { Previews, previews } from "./preview/previews.js";
import { RoleStore, roleStore } from "./roles/role-store.js";
import { SecondFactors, secondFactors } from "./second-factor/second-factors.js";

interface Context {
  readonly app: App;
  readonly config: AdminConfig;
}

/** The services of the plugin. */
export const services = [
  implement(fileViews, {
    create: (_deps, { app }) => ({
      viewOf: libraryFileOf,
      usesOf: (uses, ability, most) => seenUses(app, uses, { ability, most }),
    }),
  }),
  implement(names, { create: (_deps, { app }) => createNames(app) }),
  implement(page, { create: (_deps, { app, config }: Context) => createPage(app, config, app.extension(admin)) }),
  implement(roles, { create: (_deps, { app, config }: Context) => new Roles(app, config) }),
  implement(secondFactors, {
    deps: { roles, sessions },
    create: (deps, { app }: Context) => new SecondFactors(app, deps),
  }),
  implement(accounts, {
    deps: { roles, secondFactors },
    create: (deps, { app }: Context) => new Accounts(app, deps),
  }),
  implement(roleStore, { deps: { roles }, create: (deps, { app }: Context) => new RoleStore(app, deps) }),
  implement(accountMails, { create: (_deps, { app, config }: Context) => new AccountMails(app, config.brand) }),
  implement(invitations, { create: (_deps, { app, config }: Context) => new Invitations(app, config) }),
  implement(passwordResets, {
    deps: { accountMails },
    create: (deps, { app, config }: Context) => new PasswordResets(app, config, deps.accountMails),
  }),
  implement(liveStreams, { create: (_deps, { app, config }: Context) => new LiveStreams(app, config.live) }),
  implement(modelViews, { create: (_deps, { app, config }: Context) => new ModelViews(app, config.preview.origins) }),
  implement(previews, { create: (_deps, { app, config }: Context) => new Previews(app, config.preview) }),
  implement(servedFiles, { create: (_deps, { app }) => new ServedFiles(app) }),
  implement(sessions, {
    deps: { roles },
    create: (deps, { app, config }: Context) =>
      new Sessions(app, config.sessions, (role, user) => deps.roles.powersOf(role, user)),
  }),
];
