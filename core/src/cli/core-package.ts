import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder of this package: it holds package.json, and src/ or dist/ with this file. */
export const CORE_FOLDER = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** The version of this package, such as `0.1.0`. */
export function coreVersion(): string {
  const { version } = JSON.parse(readFileSync(join(CORE_FOLDER, "package.json"), "utf8")) as { version: string };
  return version;
}
