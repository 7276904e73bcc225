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
  if (plugin !== undefined)
    return { name, folder: `src/plugins/${assertName(plugin, "a plugin")}`, uid: `plugin::${plugin}.${name}` };
  return { name, folder: "src", uid: `global::${name}` };
}
