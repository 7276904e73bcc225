// Bundles a file of the tests for processes that run it on the packages as they are built: a loader of TypeScript takes each 0.5 s.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { FOR_SECONDS, writeProject } from "./projects.js";

/** Options of node for a process that runs such a bundle. */
export const ON_BUNDLE = [...FOR_SECONDS, "--no-experimental-require-module"];

/** By the file: made once for all processes of it. */
const bundles = new Map<string, Promise<string>>();

/** The bundle of a file and of what it imports but packages; removed when the tests end. */
export function bundledFile(file: string): Promise<string> {
  const bundle = bundles.get(file) ?? bundleFile(file);
  bundles.set(file, bundle);
  return bundle;
}

async function bundleFile(file: string): Promise<string> {
  const outfile = join(writeProject({}), "bundle.js");
  const form = { bundle: true, packages: "external", platform: "node", format: "esm", target: "node20" } as const;
  await build({ entryPoints: [file], outfile, ...form, plugins: [ownAddresses] });
  return outfile;
}

/** What finds other files by its own address finds them from the bundle too. */
const ownAddresses: Plugin = {
  name: "own-addresses",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      loader: "ts",
      contents: (await readFile(path, "utf8"))
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(path))),
    })),
};
