import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Folder of this package: it holds package.json, and src/ or dist/ with this file, which is bundled with others there. */
export const CORE_FOLDER = dirname(createRequire(import.meta.url).resolve("@plinth/core/package.json"));

/**
 * The file of a module of this package that a process or a thread begins with. What is built has files of these only.
 *
 * @param module - below the sources, such as `cli/develop/worker`
 * @source scripts/bundle-packages.mjs
 */
export function ownFile(module: string): string {
  const path = import.meta.url.endsWith(".ts") ? `src/${module}.ts` : `dist/${module}.js`;
  return join(CORE_FOLDER, path);
}

/** The version of this package, such as `0.1.0`. */
export function coreVersion(): string {
  const { version } = JSON.parse(readFileSync(join(CORE_FOLDER, "package.json"), "utf8")) as { version: string };
  return version;
}
