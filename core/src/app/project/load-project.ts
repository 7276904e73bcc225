import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { AppDefinition } from "../../kernel/plugin.js";
import type { AppSetup } from "../app-setup.js";
import { NoProjectError } from "../errors.js";
import { assertFolders } from "./assert-folders.js";
import { createEnv } from "./env.js";
import { loadConfig } from "./load-config.js";
import { loadExtensions, withExtensions } from "./load-extensions.js";
import { addParts, joinParts, loadParts } from "./load-parts.js";
import { loadPlugins, type PluginEntry } from "./load-plugins.js";
import { loadComponents } from "./load-schemas.js";
import type { ProjectPlace } from "./project.js";
import { findModule, listFolders, listModules, readModule } from "./read-module.js";

/** What loading a project depends on beside its files. */
export interface LoadOptions {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** `development` or `production`: which folder of config/env lies over config. */
  readonly environment: string;
}

/**
 * Reads a project folder into what an app is created from: configuration, content-types, components, extensions of
 * content-types, code of every api, local and installed plugins, and the app's own register, bootstrap and destroy of src/index.
 *
 * @throws PLINTH_PROJECT_* with the file that is at fault
 */
export async function loadProject(place: ProjectPlace, { variables, environment }: LoadOptions): Promise<AppSetup> {
  if (!existsSync(join(place.root, "src")) && !existsSync(join(place.root, "config")))
    throw new NoProjectError({ directory: place.root });
  await assertFolders(place.root);
  const { plugins: listed, ...config } = await loadConfig(place, createEnv(variables), environment);
  const { plugins, configs, packages } = await loadPlugins(
    place,
    (listed ?? {}) as Readonly<Record<string, PluginEntry | boolean>>,
  );
  const app = await loadApp(place);
  return {
    root: place.root,
    environment,
    plugins,
    app,
    config: { ...config, ...(await loadMiddlewares(place, config["middlewares"])) },
    pluginConfigs: configs,
    pluginPackages: packages,
    migrations: join(place.code, "database", "migrations"),
  };
}

/** In config/middlewares, `{ resolve: "./src/timing", config }` stands for the factory that the module exports. */
async function loadMiddlewares({ code }: ProjectPlace, listed: unknown): Promise<{ readonly middlewares?: unknown }> {
  if (!Array.isArray(listed)) return {};
  const loaded = listed.map(async (entry: { readonly resolve?: unknown } & Record<string, unknown>) => {
    if (typeof entry?.resolve !== "string") return entry;
    const file = await findModule(resolve(code, entry.resolve));
    return { ...entry, factory: await readModule(file, "a function (config, { app }) => middleware") };
  });
  return { middlewares: await Promise.all(loaded) };
}

async function loadApp(place: ProjectPlace): Promise<AppDefinition> {
  const apis = await listFolders(join(place.root, "src", "api"));
  const places = apis.map((api) => ({
    sources: join(place.root, "src", "api", api),
    code: join(place.code, "src", "api", api),
    owner: `api::${api}`,
  }));
  const own = { sources: join(place.root, "src"), code: join(place.code, "src"), owner: "global" };
  const parts = joinParts(await Promise.all([...places, own].map(loadParts)));
  const components = await loadComponents(join(place.root, "src", "components"));
  const index = (await listModules(join(place.code, "src"))).find(({ name }) => name === "index");
  const definition = index ? ((await readModule(index.file, "the value of defineApp")) as AppDefinition) : {};
  const app = addParts<AppDefinition>(definition, {
    ...parts,
    components: Object.fromEntries(components.map((component) => [component.uid, component])),
  });
  return withExtensions(app, await loadExtensions(join(place.root, "src", "extensions")));
}
