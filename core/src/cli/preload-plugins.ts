import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readJson } from "../app/project/read-module.js";

/** What is read of a package.json. */
interface PackageFile {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/**
 * Imports the plugins that a project depends on. To be done before its TypeScript is understood: from then on, node asks a
 * loader in another thread for every file, which doubles the processor time that the packages of the template take.
 *
 * A package that cannot be imported is no failure here: it fails again where config/plugins names it, and is reported
 * there.
 *
 * @throws PLINTH_PROJECT_JSON_INVALID when the package.json of the project is not JSON
 */
export async function preloadPlugins(root: string): Promise<void> {
  const own = join(root, "package.json");
  if (!existsSync(own)) return;
  const { resolve } = createRequire(own);
  const { dependencies = {} } = await readPackage(own);
  const load = async (name: string) => {
    if (await isPlugin(name, resolve)) await import(pathToFileURL(resolve(name)).href);
  };
  await Promise.allSettled(Object.keys(dependencies).map(load));
}

/** Plugins run with the core of the app: it is their peer. */
async function isPlugin(name: string, resolve: NodeJS.RequireResolve): Promise<boolean> {
  const { peerDependencies = {} } = await readPackage(resolve(`${name}/package.json`));
  return "@plinth/core" in peerDependencies;
}

const readPackage = async (file: string): Promise<PackageFile> => (await readJson(file)) as PackageFile;
