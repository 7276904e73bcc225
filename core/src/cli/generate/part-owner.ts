import { join } from "node:path";
import { camelCase, pascalCase } from "../../base/case.js";
import { isPackage } from "../../app/project/load-plugins.js";
import { listFolders } from "../../app/project/read-module.js";
import { OwnerUnknownError } from "../errors.js";
import { assertName } from "./new-file.js";

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

/** The kinds of parts that are generated one by one. */
export type PartKind = "controller" | "service" | "policy" | "middleware";

const FIELDS = {
  controller: "controllers",
  service: "services",
  policy: "policies",
  middleware: "middlewares",
} as const;

/** The place of a part of a plugin that is a package: its code is in src/. Other places stay. */
export function placeInPackage(root: string, place: PartPlace): PartPlace {
  return isPackage(join(root, place.folder)) ? { ...place, folder: `${place.folder}/src` } : place;
}

/** What to write into the index of a package, which names all its parts itself. */
export function describeUse(kind: PartKind, { name, folder, uid }: PartPlace): string {
  const part = camelCase(name);
  const entry =
    kind === "service"
      ? `[implement(serviceRef<${pascalCase(name)}>("${uid}"), { create: (_deps, context) => ${part}(context) })]`
      : `{ "${name}": ${part} }`;
  return [
    `name it in ${folder}/index.ts:`,
    `  import ${part} from "./${FIELDS[kind]}/${name}.js";`,
    `  ${FIELDS[kind]}: ${entry},`,
  ].join("\n");
}
