import { join } from "node:path";
import { listFolders } from "../../project/read-module.js";
import { OwnerUnknownError } from "../errors.js";
import { assertName } from "./names.js";

/** Whose a new part is: an api's, a local plugin's, or the app's own. */
export interface OwnerOptions {
  readonly api?: string;
  readonly plugin?: string;
}

/** Where a part's file goes, and its uid. */
export interface PartPlace {
  readonly name: string;
  /** `src/api/article`, `src/plugins/bookmarks`, `src`. */
  readonly folder: string;
  /** `api::article.is-owner`, `plugin::bookmarks.is-owner`, `global::is-owner`. */
  readonly uid: string;
}

/** The place of a new part. @throws PLINTH_CLI_INVALID_NAME */
export function placePart(name: string, what: string, { api, plugin }: OwnerOptions): PartPlace {
  assertName(name, what);
  if (api !== undefined) return { name, folder: `src/api/${assertName(api, "an api")}`, uid: `api::${api}.${name}` };
  if (plugin === undefined) return { name, folder: "src", uid: `global::${name}` };
  return { name, folder: `src/plugins/${assertName(plugin, "a plugin")}`, uid: `plugin::${plugin}.${name}` };
}

/** Checks that the api or plugin that a part is for is there. @throws PLINTH_CLI_OWNER_UNKNOWN, suggesting one that is */
export async function assertOwner(root: string, { api, plugin }: OwnerOptions): Promise<void> {
  const name = api ?? plugin;
  if (name === undefined) return;
  const kind = api === undefined ? "plugin" : "api";
  const known = await listFolders(join(root, "src", kind === "api" ? "api" : "plugins"));
  if (!known.includes(name)) throw new OwnerUnknownError({ kind, name, known });
}
