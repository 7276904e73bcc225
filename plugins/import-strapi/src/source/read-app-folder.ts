import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { reasonOf } from "@plinth/core";
import { SourceBrokenError, SourceUnknownError } from "../errors.js";
import type { ExportedSchema } from "./export-format.js";

/** Whether a folder is that of an app, and not an export that was unpacked. */
export function isAppFolder(source: string): boolean {
  return existsSync(join(source, "src", "api")) && !existsSync(join(source, "metadata.json"));
}

/**
 * Reads the schemas of an app's `src/`: `api/<api>/content-types/<name>/schema.json` `components/<category>/<name>.json`, and
 * the content-types of plugins that it extends, in `extensions/<plugin>/content-types/<name>/schema.json`.
 *
 * @throws PLINTH_IMPORT_SOURCE_UNKNOWN when there is none, PLINTH_IMPORT_SOURCE_BROKEN for a file that is not JSON
 */
export async function readAppFolder(source: string): Promise<readonly ExportedSchema[]> {
  const src = join(source, "src");
  const files = (await readdir(src, { recursive: true })).map((path) => path.replaceAll("\\", "/")).sort();
  const schemas: ExportedSchema[] = [];
  for (const path of files) {
    const head = headOf(path);
    if (head) schemas.push({ attributes: {}, ...(await readJson(src, path)), ...head });
  }
  if (schemas.length === 0) throw new SourceUnknownError({ source, reason: "its src folder holds no schema" });
  return schemas;
}

function headOf(path: string): Pick<ExportedSchema, "uid" | "modelType"> | undefined {
  const [, api, name] = /^api\/([^/]+)\/content-types\/([^/]+)\/schema\.json$/.exec(path) ?? [];
  if (api !== undefined) return { uid: `api::${api}.${name}`, modelType: "contentType" };
  const [, plugin, extended] = /^extensions\/([^/]+)\/content-types\/([^/]+)\/schema\.json$/.exec(path) ?? [];
  if (plugin !== undefined) return { uid: `plugin::${plugin}.${extended}`, modelType: "contentType" };
  const [, category, component] = /^components\/([^/]+)\/([^/]+)\.json$/.exec(path) ?? [];
  return category === undefined ? undefined : { uid: `${category}.${component}`, modelType: "component" };
}

async function readJson(source: string, file: string): Promise<Partial<ExportedSchema>> {
  try {
    return JSON.parse(await readFile(join(source, file), "utf8")) as Partial<ExportedSchema>;
  } catch (error) {
    throw new SourceBrokenError({ source, file, reason: `is not JSON (${reasonOf(error)})` });
  }
}
