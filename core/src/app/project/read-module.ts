import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { commonJsIn, explainStrapiCode } from "../../base/strapi-code.js";
import { JsonFileError, ModuleExportError, ModuleFailedError } from "../errors.js";

const CODE = new Set([".ts", ".mts", ".js", ".mjs"]);

/** A file that may hold code or JSON, by its name without the ending. */
export interface ProjectFile {
  readonly name: string;
  readonly file: string;
}

/** Code and JSON files directly in a folder, by name; none when the folder is missing. Type declarations and tests do not count. */
export async function listModules(directory: string): Promise<readonly ProjectFile[]> {
  const entries = await listEntries(directory);
  return entries
    .filter((entry) => entry.isFile() && isModule(entry.name))
    .map((entry) => ({ name: basename(entry.name, extname(entry.name)), file: join(directory, entry.name) }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** The code file of a path given without its ending; the path itself when there is none, so that importing it fails by name. */
export async function findModule(path: string): Promise<string> {
  const name = basename(path, extname(path));
  const found = (await listModules(dirname(path))).find((module) => module.name === name);
  return found?.file ?? path;
}

/** Names of the folders directly in a folder, in order; none when it is missing. */
export async function listFolders(directory: string): Promise<readonly string[]> {
  const entries = await listEntries(directory);
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

async function listEntries(directory: string) {
  return existsSync(directory) ? await readdir(directory, { withFileTypes: true }) : [];
}

function isModule(name: string): boolean {
  if (/\.d\.m?ts$/.test(name) || /\.test\.m?[jt]s$/.test(name)) return false;
  return CODE.has(extname(name)) || extname(name) === ".json";
}

/** The default export of a code file, or the content of a JSON file. @throws PLINTH_PROJECT_MODULE_FAILED, PLINTH_PROJECT_MODULE_EXPORT, PLINTH_PROJECT_JSON_INVALID, PLINTH_STRAPI_CODE */
export async function readModule(file: string, expected: string): Promise<unknown> {
  if (extname(file) === ".json") return readJson(file);
  const loaded = await importFile(file);
  if (loaded.default !== undefined) return loaded.default;
  // Loaders that accept CommonJS as well leave nothing behind of it.
  if (/^\s*(?:module\.)?exports\b/m.test(await readFile(file, "utf8"))) throw commonJsIn(file);
  throw new ModuleExportError({ file, expected });
}

/** Imports a code file with all its exports. @throws PLINTH_PROJECT_MODULE_FAILED, PLINTH_STRAPI_CODE */
export async function importFile(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    const explained = explainStrapiCode(cause, file);
    if (explained) throw explained;
    throw new ModuleFailedError({ file, reason: cause instanceof Error ? cause.message : String(cause) }, { cause });
  }
}

/** Reads a JSON file. @throws PLINTH_PROJECT_JSON_INVALID */
export async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8");
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { message } = cause as Error;
    throw new JsonFileError({ file, reason: `${message}${placeIn(text, message)}` }, { cause });
  }
}

/** Line and column where a message names a position or the end, as ` (line 2, column 11)`; others quote the place themselves. */
function placeIn(text: string, message: string): string {
  const [, position] = /at position (\d+)$/.exec(message) ?? [];
  if (position === undefined && !message.startsWith("Unexpected end")) return "";
  const before = text.slice(0, position === undefined ? text.length : Number(position)).split("\n");
  return ` (line ${before.length}, column ${(before.at(-1) ?? "").length + 1})`;
}
