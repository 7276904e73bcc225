// Builds the page of the admin plugin into plugins/admin/dist/client, when something of it has changed. Apps build none of it.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { filesBelow, hashFiles } from "./hash-files.mjs";

const ROOT = resolve(fileURLToPath(import.meta.url), "..", "..");
const PACKAGE = join(ROOT, "plugins", "admin");
const SOURCES = join(PACKAGE, "client");
const OUTPUT = join(PACKAGE, "dist", "client");
/** Types of the client, and those of them that are in the package. */
const TYPES = join(PACKAGE, "dist", "types");
const EXTEND_TYPES = join(PACKAGE, "dist", "extend");
const STAMP = join(OUTPUT, ".source-hash");

/**
 * Builds the page; does nothing where the last build was of the same sources and packages.
 *
 * @returns {Promise<boolean>} whether it was built
 */
export async function buildAdmin() {
  const hash = hashSources();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === hash) return false;
  const { build } = await import(createRequire(join(PACKAGE, "package.json")).resolve("vite"));
  await build({ configFile: join(SOURCES, "vite.config.ts") });
  emitTypes();
  writeFileSync(STAMP, hash);
  return true;
}

/** Writes the types of `@plinth/plugin-admin/extend`: of the entry, and of what it imports. */
function emitTypes() {
  execFileSync(process.execPath, [join(ROOT, "node_modules", "typescript", "bin", "tsc"), "-b", SOURCES], {
    stdio: ["ignore", 2, 2],
  });
  rmSync(EXTEND_TYPES, { recursive: true, force: true });
  const copied = new Set();
  const copy = (path) => {
    if (copied.has(path) || !path.endsWith(".d.ts")) return;
    copied.add(path);
    // The client's types lie one folder deeper than the server's, which they import from its sources.
    const text = readFileSync(join(TYPES, path), "utf8")
      .replaceAll("/src/wire/", "/wire/")
      .replace(/^import type (\w+) from ".*\.json";$/gm, "declare const $1: Readonly<Record<string, string>>;");
    mkdirSync(join(EXTEND_TYPES, dirname(path)), { recursive: true });
    writeFileSync(join(EXTEND_TYPES, path), text);
    for (const [, target] of text.matchAll(/(?:from |import\()"(\.[^"]+)"/g))
      if (!target.includes("/wire/")) copy(join(dirname(path), target.replace(/\.js$/, ".d.ts")));
  };
  copy(join("extend", "index.d.ts"));
}

/** Of every source, and of the lock file: a package that changes is another build. */
function hashSources() {
  const wire = join(PACKAGE, "src", "wire");
  return hashFiles([...filesBelow(SOURCES), ...filesBelow(wire), join(ROOT, "package-lock.json")], ROOT);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await buildAdmin();
