// Bundles the code of every package into its dist, beside the types that the compiler writes there: opening and linking a file
// for each source would be most of what a start takes.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { publishedFolders, readManifest } from "./check-packages.mjs";
import { filesBelow, hashFiles } from "./hash-files.mjs";

const ROOT = resolve(fileURLToPath(import.meta.url), "..", "..");
/** Modules that no entry exports, and that are loaded by their path: what processes and threads begin with, and what scripts use. */
const LOADED_BY_PATH = {
  core: [
    "src/cli/main.ts",
    "src/cli/develop/source-version-hook.ts",
    "src/cli/develop/worker.ts",
    "src/cli/scaffold/own-files.ts",
    "src/cli/workers/worker-process.ts",
  ],
};
const BUILT_WITH = [fileURLToPath(import.meta.url), createRequire(import.meta.url).resolve("esbuild/package.json")];
const IS_CODE = /\.js(?:\.map)?$/;
/** What other scripts put into a dist. */
const OF_OTHERS = /^(?:client|extend|graphiql|template|types)\//;

/**
 * Bundles every package whose sources have changed since it was bundled.
 *
 * @returns {Promise<boolean>} whether there was one
 */
export async function bundlePackages() {
  const built = await Promise.all(
    publishedFolders(ROOT).map((folder) => bundlePackage(join(ROOT, folder), LOADED_BY_PATH[folder])),
  );
  return built.includes(true);
}

/**
 * Bundles one package: a file for each entry, and files of what several of them, or an `import()`, need. Packages are left to
 * node. Where the sources are those of the last time, nothing is done.
 *
 * @param {string} folder - of the package, absolute
 * @param {readonly string[]} others - entries that its package.json does not export, such as `src/cli/main.ts`
 * @returns {Promise<boolean>} whether it was bundled
 */
export async function bundlePackage(folder, others = []) {
  const entries = [...exportedSources(folder), ...others];
  const sources = filesBelow(join(folder, "src")).filter((path) => path.endsWith(".ts"));
  const mark = `// ${hashFiles([...sources, join(folder, "package.json"), ...BUILT_WITH], folder)}`;
  if (entries.every((entry) => startsWith(join(folder, builtFile(entry)), mark))) return false;
  // Imported here: most starts build nothing.
  const { build } = await import("esbuild");
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: entries,
    outbase: "src",
    outdir: "dist",
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20.19",
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    banner: { js: mark },
    logLevel: "warning",
  });
  removeOthers(folder, new Set(Object.keys(metafile.outputs)));
  return true;
}

/** The sources of what a package exports. @returns {string[]} such as `src/index.ts` */
function exportedSources(folder) {
  return Object.values(readManifest(folder).exports)
    .map((target) => target["plinth-source"])
    .filter((source) => source !== undefined)
    .map((source) => source.replace(/^\.\//, ""));
}

const builtFile = (source) => source.replace(/^src\//, "dist/").replace(/\.ts$/, ".js");

const startsWith = (path, line) => existsSync(path) && readFileSync(path, "utf8").startsWith(`${line}\n`);

/** Code of the last time would be packed with that of this time. */
function removeOthers(folder, outputs) {
  const dist = join(folder, "dist");
  for (const path of filesBelow(dist)) {
    const name = relative(dist, path).split(sep).join("/");
    if (IS_CODE.test(name) && !OF_OTHERS.test(name) && !outputs.has(`dist/${name}`)) rmSync(path);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await bundlePackages();
