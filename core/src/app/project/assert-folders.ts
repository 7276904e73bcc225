import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { OptionProblem } from "../../base/options/parse-options.js";
import { typoOf } from "../../base/suggest.js";
import { UnreadFileError } from "../errors.js";
import { listFolders, listModules } from "./read-module.js";

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
export async function assertFolders(root: string): Promise<void> {
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
