import { join } from "node:path";
import { ModuleExportError } from "../errors.js";
import type { Env } from "./env.js";
import { listModules, type ProjectFile, readModule } from "./read-module.js";

/** What a configuration file may export: the configuration, or a function that makes it, at once or awaited. */
export type ConfigFile<C> = C | ((tools: { readonly env: Env }) => C | Promise<C>);

/** Marks a configuration; it only helps the editor. */
export function defineConfig<const C>(config: ConfigFile<C>): ConfigFile<C> {
  return config;
}

/**
 * Reads every file of a project's config folder: `config/server.ts` becomes `{ server: ... }`. Folders named after an
 * environment lie over it: `config/env/production/server.ts`, merged key by key. JSON files are read from the sources,
 * because a build does not copy them.
 *
 * @throws PLINTH_PROJECT_MODULE_FAILED, PLINTH_PROJECT_MODULE_EXPORT
 */
export async function loadConfig(place: ProjectPlace, env: Env, environment: string): Promise<Record<string, unknown>> {
  const base = await loadFolder(place, ["config"], env);
  const over = await loadFolder(place, ["config", "env", environment], env);
  for (const [name, value] of Object.entries(over)) base[name] = merge(base[name], value);
  return base;
}

async function loadFolder(
  { root, code }: ProjectPlace,
  path: readonly string[],
  env: Env,
): Promise<Record<string, unknown>> {
  const isJson = ({ file }: ProjectFile) => file.endsWith(".json");
  const json = (await listModules(join(root, ...path))).filter(isJson);
  const modules = (await listModules(join(code, ...path))).filter((module) => !isJson(module));
  const config: Record<string, unknown> = {};
  for (const { name, file } of [...json, ...modules]) {
    const exported = await readModule(file, "a configuration or a function that returns one");
    const value =
      typeof exported === "function" ? await (exported as (tools: { env: Env }) => unknown)({ env }) : exported;
    if (value === null || typeof value !== "object")
      throw new ModuleExportError({ file, expected: "an object or a list" });
    config[name] = value;
  }
  return config;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

function merge(base: unknown, over: unknown): unknown {
  if (!isPlain(base) || !isPlain(over)) return over;
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) merged[key] = merge(base[key], value);
  return merged;
}

/** A project on disk: where its files are, and whether its code is read as TypeScript or from the build. */
export interface ProjectPlace {
  /** Absolute folder that holds package.json, config/ and src/. */
  readonly root: string;
  /** Absolute folder that code is imported from: the root itself (TypeScript, by a loader) or its dist/ (built). */
  readonly code: string;
}
