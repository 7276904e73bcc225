// Tells whether files have changed, for builds that are asked at every start.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Every file below a folder, in an order that does not change. @returns {string[]} absolute where the folder is */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

/**
 * One text for the names and the contents of files.
 *
 * @param {readonly string[]} paths
 * @param {string} from - the folder that the names count from
 */
export function hashFiles(paths, from) {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(relative(from, path)).update("\0").update(readFileSync(path)).update("\0");
  return hash.digest("hex");
}
