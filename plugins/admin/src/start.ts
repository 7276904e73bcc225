import type { App } from "@plinth/core";
import { promoteAdministrators } from "./access/register-access.js";
import { sessions } from "./access/sessions.js";
import { endAccounts } from "./accounts/end-accounts.js";
import { admin } from "./contract.js";
import { liveStreams } from "./live/live-streams.js";
import { modelViews } from "./model/model-views.js";
import { addOwnModules } from "./page/own-modules.js";
import { page } from "./page/page.js";
import type { PageExtensions } from "./page/page-extensions.js";
import { servedFiles } from "./builder/served-files.js";

/** What is done before the first request: everything that can be wrong is found now, and messages of other processes arrive from here on. */
export async function startPage(app: App): Promise<void> {
  await app.service(servedFiles).note();
  await promoteAdministrators(app);
  await addOwnModules(app, app.extension(admin) as PageExtensions);
  app.service(page);
  app.service(modelViews);
  app.service(sessions).listen();
  app.service(liveStreams).listen();
}

/** Ends what would outlive the app. */
export async function stopPage(app: App): Promise<void> {
  app.service(liveStreams).close();
  await endAccounts(app);
}
