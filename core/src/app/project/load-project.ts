import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { OptionProblem } from "../../base/options/parse-options.js";
import { typoOf } from "../../base/suggest.js";
import type { AppDefinition } from "../../kernel/plugin.js";
import type { RawAttribute } from "../../schema/raw.js";
import type { AppSetup } from "../app-setup.js";
import { ModuleExportError, NoProjectError, UnreadFileError } from "../errors.js";
import { createEnv } from "./env.js";
import { assertNoStrapiCode } from "./find-strapi-code.js";
import { loadConfig, type ProjectPlace } from "./load-config.js";
import { addParts, joinParts, loadParts } from "./load-parts.js";
import { loadPlugins, type PluginEntry } from "./load-plugins.js";
import { loadComponents } from "./load-schemas.js";
import { findModule, listFolders, listModules, readJson, readModule } from "./read-module.js";

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
 * @throws PLINTH_PROJECT_* with the file that is at fault, PLINTH_STRAPI_CODE with every place
 */
export async function loadProject(place: ProjectPlace, { variables, environment }: LoadOptions): Promise<AppSetup> {
  if (!existsSync(join(place.root, "src")) && !existsSync(join(place.root, "config")))
    throw new NoProjectError({ directory: place.root });
  await assertFolders(place.root);
  await assertNoStrapiCode(place);
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

const PART_FOLDERS = ["content-types", "controllers", "services", "policies", "middlewares", "routes", "components"];
const SOURCE_FOLDERS = [
  "api",
  "components",
  "extensions",
  "plugins",
  "policies",
  "middlewares",
  "controllers",
  "services",
  "routes",
];

/**
 * Finds files that a loader would skip silently: folders with nearly the name of one that is read, content-types
 * without a schema, components outside of a category. Folders with names of their own are not checked.
 *
 * @param root - folder of the project.
 * @throws PLINTH_PROJECT_UNREAD (500) details `{ problems: [{ path, message }] }`
 */
async function assertFolders(root: string): Promise<void> {
  const source = join(root, "src");
  const owners = await Promise.all(
    ["api", "extensions", "plugins"].map(async (kind) =>
      (await listFolders(join(source, kind))).map((name) => join(source, kind, name)),
    ),
  );
  const problems = await Promise.all([
    misspelt(source, SOURCE_FOLDERS),
    looseComponents(join(source, "components")),
    ...owners.flat().flatMap((folder) => [misspelt(folder, PART_FOLDERS), withoutSchema(folder)]),
  ]);
  const found = problems.flat().map(({ path, message }) => ({ path: relative(root, path), message }));
  if (found.length > 0) throw new UnreadFileError({ problems: found });
}

async function misspelt(folder: string, known: readonly string[]): Promise<readonly OptionProblem[]> {
  return (await listFolders(folder)).flatMap((name) => {
    const meant = typoOf(name, known);
    return meant === undefined ? [] : [{ path: join(folder, name), message: `is not read. Did you mean "${meant}"?` }];
  });
}

async function withoutSchema(owner: string): Promise<readonly OptionProblem[]> {
  const folder = join(owner, "content-types");
  const names = await listFolders(folder);
  const missing = names.filter((name) => !existsSync(join(folder, name, "schema.json")));
  const loose = (await listModules(folder)).filter(({ file }) => file.endsWith(".json"));
  return [
    ...missing.map((name) => ({ path: join(folder, name), message: "has no schema.json." })),
    ...loose.map(({ name, file }) => ({ path: file, message: `is not read. Move it to ${name}/schema.json.` })),
  ];
}

async function looseComponents(folder: string): Promise<readonly OptionProblem[]> {
  const files = (await listModules(folder)).filter(({ file }) => file.endsWith(".json"));
  return files.map(({ file }) => ({ path: file, message: "is not read. Move it into the folder of its category." }));
}

/** What an app adds to a content-type of a plugin. */
interface TypeExtension {
  /** Uid of the content-type: `plugin::users-permissions.user`. */
  readonly uid: string;
  readonly attributes: Readonly<Record<string, RawAttribute>>;
}

const EXPECTED =
  'an object with nothing but `attributes`, such as { "attributes": { "phone": { "type": "string" } } },';

/**
 * Reads `src/extensions/<plugin>/content-types/<name>/schema.json`: attributes that the app adds to a content-type of a
 * plugin.
 *
 * @param directory - the folder `src/extensions`; a missing one means that there are none.
 * @throws PLINTH_PROJECT_JSON_INVALID, PLINTH_PROJECT_MODULE_EXPORT for a file of another form
 */
async function loadExtensions(directory: string): Promise<readonly TypeExtension[]> {
  const plugins = await listFolders(directory);
  const places = await Promise.all(
    plugins.map(async (plugin) => {
      const folder = join(directory, plugin, "content-types");
      return (await listFolders(folder)).map((name) => ({
        uid: `plugin::${plugin}.${name}`,
        file: join(folder, name, "schema.json"),
      }));
    }),
  );
  const found = places.flat().filter(({ file }) => existsSync(file));
  return Promise.all(
    found.map(async ({ uid, file }) => ({ uid, attributes: attributesOf(file, await readJson(file)) })),
  );
}

function attributesOf(file: string, content: unknown): TypeExtension["attributes"] {
  const { attributes, ...others } = (content ?? {}) as { readonly attributes?: unknown };
  const isFit = typeof attributes === "object" && attributes !== null && !Array.isArray(attributes);
  if (!isFit || Object.keys(others).length > 0) throw new ModuleExportError({ file, expected: EXPECTED });
  return attributes as TypeExtension["attributes"];
}

/** An app that adds to the content-types of plugins what its extensions say, before it registers what is its own. */
function withExtensions(app: AppDefinition, extensions: readonly TypeExtension[]): AppDefinition {
  if (extensions.length === 0) return app;
  return {
    ...app,
    register(context) {
      for (const { uid, attributes } of extensions)
        context
          .registry("content-type")
          .extend(uid, (type) => ({ ...type, attributes: { ...type.attributes, ...attributes } }));
      app.register?.(context);
    },
  };
}
