import { type App, type ServiceRef, serviceRef } from "@plinth/core";
import type { AdminConfig } from "../config.js";
import type { AdminExtensions } from "../contract.js";
import { type ClientFiles, readClientFiles } from "./client-files.js";
import type { PageExtensions } from "./page-extensions.js";
import { createShell, type Shell } from "./shell.js";

/** What browsers load below `/admin`. */
export interface Page {
  readonly shell: Shell;
  readonly client: ClientFiles;
  readonly extensions: PageExtensions;
  /** Value of `Content-Security-Policy`. */
  policy(): Promise<string>;
}

/** The plugin's own: what its routes answer with. */
export const page: ServiceRef<Page> = serviceRef<Page>("plugin::admin.page");

/** Made when everything has been added, before the first request. @throws PLINTH_ADMIN_PAGE_NOT_BUILT (500) */
export function createPage(app: App, config: AdminConfig, added: AdminExtensions): Page {
  const extensions = added as PageExtensions;
  const client = readClientFiles();
  const shell = createShell(client, extensions.list(), config);
  let known: Promise<string> | undefined;
  const policy = () => {
    known ??= extensions.listOrigins().then(shell.policyFor, (error: unknown) => {
      app.log.warn({ err: error }, "The origin of files is not known: the admin page cannot show those of a storage");
      known = undefined;
      return shell.policyFor([]);
    });
    return known;
  };
  return { client, extensions, shell, policy };
}
