import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseEnv } from "node:util";
import type { AppSetup } from "../app/app-setup.js";
import { loadProject } from "../app/project/load-project.js";
import { readJson } from "../app/project/read-module.js";
import { NotBuiltError, ToolMissingError } from "./errors.js";
import type { Variables } from "./host.js";

/** Which code of a project runs: its TypeScript, or what `plinth build` made of it. */
export type CodeForm = "sources" | "build";

/**
 * Reads the project in a folder, with the variables of its `.env` below those of the process. Built code runs as
 * `production` and sources as `development`, unless NODE_ENV says something else.
 *
 * @param variables - of the environment; those of `.env` and NODE_ENV are added. Default: those of this process.
 * @throws PLINTH_CLI_NOT_BUILT, PLINTH_CLI_TOOL_MISSING, PLINTH_PROJECT_* with the file that is at fault
 */
export async function loadSetup(root: string, form: CodeForm, variables: Variables = process.env): Promise<AppSetup> {
  const code = form === "build" ? builtCode(root) : root;
  readEnvVariables(root, variables);
  const environment = variables["NODE_ENV"] ?? (form === "build" ? "production" : "development");
  variables["NODE_ENV"] = environment;
  if (form === "sources") await understandTypeScript(root);
  return loadProject({ root, code }, { variables, environment });
}

/** The code that a command reads which does not start a server: a production machine may lack the sources. */
export function codeFormOf(root: string, variables: Variables = process.env): CodeForm {
  return variables["NODE_ENV"] === "production" && isBuilt(root) ? "build" : "sources";
}

const isBuilt = (root: string): boolean => ["config", "src"].some((folder) => existsSync(join(root, "dist", folder)));

function builtCode(root: string): string {
  const isProject = ["config", "src"].some((folder) => existsSync(join(root, folder)));
  if (isProject && !isBuilt(root)) throw new NotBuiltError({ directory: root });
  return join(root, "dist");
}

let isTypeScriptUnderstood = false;

/**
 * From here on, `import` takes TypeScript files. The project brings what does that: once built, it does without.
 *
 * @throws PLINTH_CLI_TOOL_MISSING, PLINTH_PROJECT_JSON_INVALID
 */
export async function understandTypeScript(root: string): Promise<void> {
  if (isTypeScriptUnderstood) return;
  const { register } = await loadTsx(root);
  await preloadPlugins(root);
  register();
  isTypeScriptUnderstood = true;
}

/** Not a peer of this package: npm would install it on servers too. */
async function loadTsx(root: string): Promise<typeof import("tsx/esm/api")> {
  try {
    return await import("tsx/esm/api");
  } catch (cause) {
    throw new ToolMissingError({ tool: "tsx", directory: root }, { cause });
  }
}

/** The names that the last reading of a `.env` added to variables. */
const added = new WeakMap<Variables, readonly string[]>();

/**
 * Adds the variables of a project's `.env` to those of the environment, which win. On a second read, variables that the
 * file no longer has are removed.
 */
function readEnvVariables(root: string, variables: Variables): void {
  for (const name of added.get(variables) ?? []) delete variables[name];
  added.delete(variables);
  const file = join(root, ".env");
  if (!existsSync(file)) return;
  const missing = Object.entries(parseEnv(readFileSync(file, "utf8"))).filter(
    ([name]) => variables[name] === undefined,
  );
  Object.assign(variables, Object.fromEntries(missing));
  added.set(
    variables,
    missing.map(([name]) => name),
  );
}

/** What is read of a package.json. */
interface PackageFile {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/**
 * Imports the plugins that a project depends on. To be done before its TypeScript is understood: from then on, node asks a
 * loader in another thread for every file, which doubles the processor time that the packages of the template take.
 *
 * A package that cannot be imported is no failure here: it fails again where config/plugins names it, and is reported
 * there.
 *
 * @throws PLINTH_PROJECT_JSON_INVALID when the package.json of the project is not JSON
 */
export async function preloadPlugins(root: string): Promise<void> {
  const own = join(root, "package.json");
  if (!existsSync(own)) return;
  const { resolve } = createRequire(own);
  const { dependencies = {} } = await readPackage(own);
  const load = async (name: string) => {
    if (await isPlugin(name, resolve)) await import(pathToFileURL(resolve(name)).href);
  };
  await Promise.allSettled(Object.keys(dependencies).map(load));
}

/** Plugins run with the core of the app: it is their peer. */
async function isPlugin(name: string, resolve: NodeJS.RequireResolve): Promise<boolean> {
  const { peerDependencies = {} } = await readPackage(resolve(`${name}/package.json`));
  return "@plinth/core" in peerDependencies;
}

const readPackage = async (file: string): Promise<PackageFile> => (await readJson(file)) as PackageFile;
