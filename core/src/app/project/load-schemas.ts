import { existsSync } from "node:fs";
import { join } from "node:path";
import { lifecyclesIn } from "../../base/strapi-code.js";
import type { RawComponent, RawContentType } from "../../schema/raw.js";
import { listFolders, listModules, readJson } from "./read-module.js";

/**
 * Reads `content-types/<name>/schema.json` of an api or plugin folder.
 *
 * @param owner - `api::article` or `plugin::bookmarks`; the uid is `<owner>.<name>`.
 * @throws PLINTH_STRAPI_CODE for a file `lifecycles` beside a schema, which is not run
 */
export async function loadContentTypes(directory: string, owner: string): Promise<readonly RawContentType[]> {
  const names = await listFolders(join(directory, "content-types"));
  for (const name of names) await refuseLifecycles(join(directory, "content-types", name));
  const files = names.map((name) => ({
    uid: `${owner}.${name}`,
    file: join(directory, "content-types", name, "schema.json"),
  }));
  return Promise.all(
    files
      .filter(({ file }) => existsSync(file))
      .map(async ({ uid, file }) => ({ ...((await readJson(file)) as object), uid, file })),
  );
}

async function refuseLifecycles(directory: string): Promise<void> {
  const found = (await listModules(directory)).find(({ name }) => name === "lifecycles");
  if (found) throw lifecyclesIn(found.file);
}

/** Reads `<category>/<name>.json` of a components folder; the uid is `<category>.<name>`. */
export async function loadComponents(directory: string): Promise<readonly RawComponent[]> {
  const categories = await listFolders(directory);
  const lists = await Promise.all(categories.map((category) => loadCategory(directory, category)));
  return lists.flat();
}

async function loadCategory(directory: string, category: string): Promise<readonly RawComponent[]> {
  const files = await listModules(join(directory, category));
  const schemas = files.filter(({ file }) => file.endsWith(".json"));
  return Promise.all(
    schemas.map(async ({ name, file }) => ({
      ...((await readJson(file)) as object),
      uid: `${category}.${name}`,
      file,
    })),
  );
}
