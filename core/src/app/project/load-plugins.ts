import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import * as v from "@plinth/core/valibot";
import { parseOptions } from "../../base/options/parse-options.js";
import { noList, option, options, secret, text } from "../../base/options/values.js";
import { definePlugin, type Plugin } from "../../kernel/plugin.js";
import { AppConfigError, PluginListedNameError, PluginUnresolvedError } from "../errors.js";
import { addParts, loadParts } from "./load-parts.js";
import { loadComponents } from "./load-schemas.js";
import type { ProjectPlace } from "./load-config.js";
import { importFile, listFolders, listModules } from "./read-module.js";

/** One plugin in config/plugins: `graphql: { enabled, resolve, config }`, or true for the defaults. */
export const pluginEntry = options({
  enabled: option(v.boolean(), "False: as if it were not there.", true),
  resolve: option(
    text("./src/plugins/bookmarks"),
    "Package, or folder of the project that starts with a dot; default `@plinth/plugin-<name>`, and `./src/plugins/<name>` where that exists.",
  ),
  config: option(
    v.pipe(noList(v.looseObject({})), secret()),
    "The plugin's own configuration, which the plugin checks.",
  ),
});

const listedPlugins = v.record(v.string(), v.union([v.boolean(), pluginEntry]));

/** One plugin in config/plugins. */
export type PluginEntry = Readonly<v.InferInput<typeof pluginEntry>>;

/** The enabled plugins of a project, and what config/plugins says to each. */
export interface LoadedPlugins {
  readonly plugins: readonly Plugin[];
  readonly configs: Readonly<Record<string, unknown>>;
  /** The packages that plugins come from; not those of the project's own folders. */
  readonly packages: readonly string[];
}

/**
 * Loads what config/plugins lists and the folders of src/plugins.
 *
 * @throws PLINTH_CONFIG_WRONG, PLINTH_PROJECT_PLUGIN_UNRESOLVED, PLINTH_PROJECT_PLUGIN_NAME, PLINTH_PROJECT_MODULE_FAILED
 */
export async function loadPlugins(
  place: ProjectPlace,
  listed: Readonly<Record<string, PluginEntry | boolean>>,
): Promise<LoadedPlugins> {
  assertEntries(listed);
  const local = await listFolders(join(place.root, "src", "plugins"));
  const entries = new Map<string, PluginEntry>(local.map((name) => [name, {}]));
  for (const [name, entry] of Object.entries(listed))
    entries.set(name, typeof entry === "boolean" ? { enabled: entry } : entry);
  const enabled = [...entries].filter(([, { enabled = true }]) => enabled);
  const plugins = await Promise.all(
    enabled.map(async ([name, entry]) => named(name, await loadPlugin(place, name, sourceOf(name, entry, local)))),
  );
  const packages = enabled.map(([name, entry]) => sourceOf(name, entry, local)).filter((from) => !isFolder(from));
  const configs = enabled.flatMap(([name, { config }]) => (config === undefined ? [] : [[name, config] as const]));
  return { plugins, configs: Object.fromEntries(configs), packages };
}

/** @throws PLINTH_CONFIG_WRONG */
function assertEntries(listed: Readonly<Record<string, unknown>>): void {
  const { problems } = parseOptions(listedPlugins, listed, "plugins");
  if (problems) throw new AppConfigError({ problems });
}

/** A plugin under another name than its own would miss its configuration. @throws PLINTH_PROJECT_PLUGIN_NAME */
function named(listed: string, plugin: Plugin): Plugin {
  if (plugin.name === listed) return plugin;
  throw new PluginListedNameError({ listed, name: plugin.name });
}

/** A package, or a folder of the project. */
function sourceOf(name: string, { resolve: from }: PluginEntry, local: readonly string[]): string {
  return from ?? (local.includes(name) ? `./src/plugins/${name}` : `@plinth/plugin-${name}`);
}

const isFolder = (from: string): boolean => from.startsWith(".");

function loadPlugin(place: ProjectPlace, name: string, from: string): Promise<Plugin> {
  return isFolder(from) ? loadLocal(place, name, from) : loadPackage(place, name, from);
}

async function loadPackage({ root }: ProjectPlace, plugin: string, from: string): Promise<Plugin> {
  const file = resolvePackage(root, plugin, from);
  const exports = await importFile(file);
  const found = findPlugin(exports);
  if (!found)
    throw new PluginUnresolvedError({
      plugin,
      resolve: from,
      reason: "the package exports no plugin; export the value of definePlugin.",
    });
  return found;
}

/** Packages are looked for from the project, not from here: they are the project's dependencies. */
function resolvePackage(root: string, plugin: string, from: string): string {
  try {
    return createRequire(pathToFileURL(join(root, "package.json"))).resolve(from);
  } catch (cause) {
    const isThere = (cause as NodeJS.ErrnoException).code === "ERR_PACKAGE_PATH_NOT_EXPORTED";
    const reason = isThere
      ? 'its package.json says of no file that it is the "default" of its exports.'
      : "no such package is installed.";
    throw new PluginUnresolvedError({ plugin, resolve: from, reason }, { cause });
  }
}

/**
 * A folder of the project. One with a package.json is a package that may move out some day: its src/index says everything,
 * as it will have to then. Of another, the index module counts, if there is one, and the folders of parts.
 */
async function loadLocal({ root, code }: ProjectPlace, name: string, from: string): Promise<Plugin> {
  const directory = resolve(root, from);
  if (!existsSync(directory))
    throw new PluginUnresolvedError({ plugin: name, resolve: from, reason: "there is no such folder." });
  const codeDirectory = resolve(code, from);
  if (isPackage(directory)) return loadIndex(join(codeDirectory, "src"), name, from);
  const own = await loadIndex(codeDirectory, name, from, definePlugin({ name }));
  const parts = await loadParts({ sources: directory, code: codeDirectory, owner: `plugin::${own.name}` });
  const components = await loadComponents(join(directory, "components"));
  return {
    name: own.name,
    definition: addParts(own.definition, {
      ...parts,
      components: Object.fromEntries(components.map((component) => [component.uid, component])),
    }),
  };
}

/** Whether a plugin's folder is laid out as a package, with its code in src/. */
export function isPackage(directory: string): boolean {
  return existsSync(join(directory, "package.json"));
}

/** The plugin of the index module in a folder; without one, `fallback`. */
async function loadIndex(directory: string, plugin: string, from: string, fallback?: Plugin): Promise<Plugin> {
  const index = (await listModules(directory)).find((module) => module.name === "index");
  const found = index ? findPlugin(await importFile(index.file)) : fallback;
  if (found) return found;
  const reason = index
    ? "its index exports no plugin; export the value of definePlugin."
    : `there is no index module in ${directory}.`;
  throw new PluginUnresolvedError({ plugin, resolve: from, reason });
}

function findPlugin(exports: Readonly<Record<string, unknown>>): Plugin | undefined {
  return [exports["default"], ...Object.values(exports)].find(isPlugin);
}

function isPlugin(value: unknown): value is Plugin {
  return typeof value === "object" && value !== null && "definition" in value && "name" in value;
}
