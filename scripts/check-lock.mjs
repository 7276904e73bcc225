// Proves that package-lock.json has the address and the checksum of every package. `node scripts/check-lock.mjs`
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Without an address npm asks the registry for the whole history of a package; without a checksum any file will do. */
const WANTED = ["resolved", "integrity"];

/**
 * Lists the packages that lack either, one line each: `path: what is missing`.
 *
 * @param {{ packages: Record<string, { link?: boolean, resolved?: string, integrity?: string }> }} lock - as read from the file
 * @returns {string[]}
 */
export function checkLock({ packages }) {
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes("node_modules/") && !link)
    .flatMap(([path, entry]) => WANTED.filter((field) => !entry[field]).map((field) => `${path}: has no ${field}`));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = checkLock(JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")));
  for (const problem of problems) console.error(`package-lock.json: ${problem}`);
  const remedy = "delete their entries, and run `npm install --omit-lockfile-registry-resolved=false`";
  console.error(problems.length === 0 ? "lock: all complete" : `lock: ${problems.length} problems; ${remedy}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
