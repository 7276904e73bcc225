// Bundles the code of every package into its dist, beside the types that the compiler writes there: opening and linking a file
// for each source would be most of what a start takes.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { BUNDLED } from "./bundled-packages.mjs";
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
    publishedFolders(ROOT).map((folder) =>
      bundlePackage(join(ROOT, folder), { others: LOADED_BY_PATH[folder], bundled: BUNDLED[folder] }),
    ),
  );
  return built.includes(true);
}

/**
 * Bundles one package: a file for each entry, and files of what several of them, or an `import()`, need. Packages are left to
 * node. Where the sources are those of the last time, nothing is done.
 *
 * @param {string} folder - of the package, absolute
 * @param {object} [options]
 * @param {readonly string[]} [options.others] - entries that its package.json does not export, such as `src/cli/main.ts`
 * @param {readonly string[]} [options.bundled] - names of packages that are not left to node; their notices stand in a file beside the bundle
 * @returns {Promise<boolean>} whether it was bundled
 */
export async function bundlePackage(folder, { others = [], bundled = [] } = {}) {
  const entries = [...exportedSources(folder), ...others];
  const sources = filesBelow(join(folder, "src")).filter((path) => path.endsWith(".ts"));
  const mark = `// ${hashFiles([...sources, ...inputsOf(folder, bundled)], folder)}`;
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
    plugins: [leaveToNode(bundled)],
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
  if (bundled.length > 0) {
    await minifyOthers(folder, metafile.outputs);
    writeNotices(folder, Object.keys(metafile.inputs));
  }
  return true;
}

/** Makes files smaller that hold code of packages alone: a stack needs no names of theirs. Notices are written apart. */
async function minifyOthers(folder, outputs) {
  const { transform } = await import("esbuild");
  for (const [path, { inputs = {} }] of Object.entries(outputs)) {
    const sources = Object.keys(inputs);
    if (!path.endsWith(".js") || sources.length === 0 || !sources.every((each) => each.includes("node_modules")))
      continue;
    const file = join(folder, path);
    const { code } = await transform(readFileSync(file, "utf8"), {
      minify: true,
      format: "esm",
      legalComments: "none",
    });
    writeFileSync(file, code);
    rmSync(`${file}.map`, { force: true });
  }
}

/** What a bundle is made of beside its sources. */
const inputsOf = (folder, bundled) => [
  join(folder, "package.json"),
  ...BUILT_WITH,
  // Another version of a bundled package is another bundle.
  ...(bundled.length > 0 ? [join(ROOT, "package-lock.json")] : []),
];

/** What our sources import by the name of a package is left to node; what bundled packages import is bundled with them. */
function leaveToNode(bundled) {
  const isBundled = (path) => bundled.some((name) => path === name || path.startsWith(`${name}/`));
  return {
    name: "leave-to-node",
    setup: ({ onResolve }) => {
      onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
        if (kind === "entry-point" || importer.includes("node_modules") || isBundled(path)) return undefined;
        return { path, external: true };
      });
    },
  };
}

/** Writes the licences of the packages that are in a bundle. @param {readonly string[]} inputs - relative to the folder */
function writeNotices(folder, inputs) {
  const packages = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  const notices = [...new Set(packages)].sort().map((path) => {
    const place = join(folder, path);
    const { name, version, license } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
    const file = readdirSync(place).find((each) => /^licen[cs]e/i.test(each));
    const text = file === undefined ? "" : `\n${readFileSync(join(place, file), "utf8").trim()}\n`;
    return `## ${name} ${version} (${license})\n${text}`;
  });
  const head = "# Licences\n\nThe code of this package has parts of these packages.\n\n";
  writeFileSync(join(folder, "dist", "licenses.md"), head + notices.join("\n"));
}

/** The sources of what a package exports; patterns are for tests. @returns {string[]} such as `src/index.ts` */
function exportedSources(folder) {
  return Object.values(readManifest(folder).exports)
    .map((target) => target["plinth-source"])
    .filter((source) => source !== undefined && !source.includes("*"))
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
