import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { App } from "@plinth/core";
import { ExtensionBuildError, ExtensionNotBuiltError } from "../errors.js";
import type { PageExtensions } from "./page-extensions.js";

/** A module for the page in the sources of an app: `src/admin/index.tsx` of it, or of one of its own plugins. */
interface OwnModule {
  /** Of the plugin; `app` for the app. */
  readonly name: string;
  readonly file: string;
}

/** Where a build puts them, in its folder. */
const FOLDER = "admin";
const ENTRIES = ["index.tsx", "index.ts", "index.jsx", "index.js"];

/** What the page has already; see the import map of its HTML. */
const SHARED = ["react", "react-dom", "react/jsx-runtime", "@plinth/plugin-admin/extend"];

/**
 * Adds the modules of the app's own sources: bundled now where the sources run, and as `plinth build` made them in
 * production.
 *
 * @throws PLINTH_ADMIN_EXTENSION_BUILD, PLINTH_ADMIN_EXTENSION_NOT_BUILT, PLINTH_ADMIN_EXTENSION_EXISTS
 */
export async function addOwnModules({ root, environment }: App, extensions: PageExtensions): Promise<void> {
  const sources = await findOwnModules(root);
  if (environment !== "production") {
    for (const module of sources) extensions.addText(module.name, await bundle(root, module));
    return;
  }
  const folder = join(root, "dist", FOLDER);
  const built = existsSync(folder) ? (await readdir(folder)).filter((file) => file.endsWith(".js")) : [];
  const missing = sources.find(({ name }) => !built.includes(`${name}.js`));
  if (missing) throw new ExtensionNotBuiltError({ file: missing.file });
  for (const file of built) extensions.add(file.slice(0, -".js".length), { module: pathToFileURL(join(folder, file)) });
}

/**
 * Bundles them into a build.
 *
 * @param directory - of the build: `dist/`
 * @throws PLINTH_ADMIN_EXTENSION_BUILD
 */
export async function buildOwnModules(root: string, directory: string): Promise<void> {
  for (const module of await findOwnModules(root)) {
    const text = await bundle(root, module);
    await mkdir(join(directory, FOLDER), { recursive: true });
    await writeFile(join(directory, FOLDER, `${module.name}.js`), text);
  }
}

async function findOwnModules(root: string): Promise<readonly OwnModule[]> {
  const plugins = join(root, "src", "plugins");
  const names = existsSync(plugins) ? (await readdir(plugins)).toSorted() : [];
  const places = [
    { name: "app", folder: join(root, "src", "admin") },
    ...names.map((name) => ({ name, folder: join(plugins, name, "admin") })),
  ];
  return places.flatMap(({ name, folder }) => {
    const file = ENTRIES.map((entry) => join(folder, entry)).find((path) => existsSync(path));
    return file === undefined ? [] : [{ name, file }];
  });
}

/** One file of them, with what they import but for what the page has. */
async function bundle(root: string, { name, file }: OwnModule): Promise<Uint8Array> {
  const { build } = await loadBundler(root, file);
  try {
    const { outputFiles } = await build({
      ...{ entryPoints: [file], absWorkingDir: root, outfile: `${name}.js`, write: false, bundle: true },
      ...{
        format: "esm",
        platform: "browser",
        target: "es2022",
        jsx: "automatic",
        external: SHARED,
        loader: { ".css": "text" },
      },
      ...{ charset: "utf8", legalComments: "inline", logLevel: "silent", tsconfigRaw: {} },
    });
    return outputFiles[0]?.contents ?? new Uint8Array();
  } catch (error) {
    throw new ExtensionBuildError({ name, file, problems: problemsOf(error) }, { cause: error });
  }
}

/** What is used of esbuild. @source https://esbuild.github.io/api/#build */
interface Bundler {
  build(options: object): Promise<{ readonly outputFiles: readonly { readonly contents: Uint8Array }[] }>;
}

/** The esbuild that tsx brings: an app needs tsx for its own TypeScript, and no bundler of its own. */
async function loadBundler(root: string, file: string): Promise<Bundler> {
  try {
    const tsx = createRequire(join(root, "package.json")).resolve("tsx/package.json");
    const { default: bundler } = (await import(pathToFileURL(createRequire(tsx).resolve("esbuild")).href)) as {
      readonly default: Bundler;
    };
    return bundler;
  } catch (cause) {
    const problems = ["tsx is not installed, which brings the bundler: run `npm install --save-dev tsx`"];
    throw new ExtensionBuildError({ name: "app", file, problems }, { cause });
  }
}

/** A message of esbuild. @source https://esbuild.github.io/api/#build-failures */
interface BuildMessage {
  readonly text: string;
  readonly location?: { readonly file: string; readonly line: number; readonly column: number } | null;
}

function problemsOf(error: unknown): readonly string[] {
  const { errors, message } = error as { readonly errors?: readonly BuildMessage[]; readonly message: string };
  if (!errors) return [message];
  return errors.map(({ text, location }) =>
    location ? `${location.file}:${location.line}:${location.column + 1} ${text}` : text,
  );
}
