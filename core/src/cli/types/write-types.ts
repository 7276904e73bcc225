import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import type { AppSetup } from "../../app/app-setup.js";
import { listFolders, listModules } from "../../app/project/read-module.js";
import { reasonOf } from "../../base/error.js";
import type { App } from "../../kernel/app.js";
import { TypesOutdatedError } from "../errors.js";
import type { CommandHost } from "../host.js";
import { inspect } from "../inspect.js";
import { say } from "../terminal.js";
import { declareApp } from "./declare-app.js";

/** Where generated types are, from the project's folder. */
export const TYPES_FILE = join("types", "generated.d.ts");

/** An app that has started, and what it was made of. */
export interface StartedProject {
  readonly setup: AppSetup;
  readonly app: App;
}

/** What the generated types of a project are, and what its file says. */
export interface TypesState {
  readonly text: string;
  readonly isCurrent: boolean;
}

/** Compares the file of generated types with the app. */
async function compareTypes({ setup, app }: StartedProject): Promise<TypesState> {
  const text = declareApp({
    model: app.model,
    actions: app.permissions.actions(),
    configFiles: await listConfigFiles(setup.root),
    serviceFiles: await listServiceFiles(setup.root),
    packages: setup.pluginPackages ?? [],
  });
  const file = join(setup.root, TYPES_FILE);
  return { text, isCurrent: existsSync(file) && (await readFile(file, "utf8")) === text };
}

/**
 * Writes the generated types of a project, where they differ: watchers of the file are not triggered without a change,
 * and never read half of it.
 *
 * @returns whether the file was written.
 */
export async function writeTypes(project: StartedProject): Promise<boolean> {
  const { text, isCurrent } = await compareTypes(project);
  if (isCurrent) return false;
  const file = join(project.setup.root, TYPES_FILE);
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, file);
  return true;
}

/** Of the apis, the app itself, and the plugins in its own folder. */
async function listServiceFiles(root: string): Promise<Readonly<Record<string, string>>> {
  const apis = await listFolders(join(root, "src", "api"));
  const plugins = await listFolders(join(root, "src", "plugins"));
  const places = [
    ["global::", "src/services"],
    ...apis.map((name) => [`api::${name}.`, `src/api/${name}/services`] as const),
    ...plugins.map((name) => [`plugin::${name}.`, `src/plugins/${name}/services`] as const),
  ] as const;
  const listed = await Promise.all(
    places.map(async ([owner, folder]) => {
      const modules = await listModules(join(root, folder));
      const typed = modules.filter(({ file }) => extname(file) === ".ts");
      return typed.map(({ name }) => [`${owner}${name}`, `${folder}/${name}`] as const);
    }),
  );
  return Object.fromEntries(listed.flat());
}

/** JSON files are left out: the compiler of a project need not read them. `plugins` is no part of the configuration. */
async function listConfigFiles(root: string): Promise<readonly string[]> {
  const modules = await listModules(join(root, "config"));
  return modules.filter(({ name, file }) => extname(file) === ".ts" && name !== "plugins").map(({ name }) => name);
}

/** What to do with the generated types of a project. */
export interface TypesOptions {
  /** Whether they are only compared. */
  readonly check: boolean;
}

/** Writes the generated types of the project in a folder, or only compares them. @throws as updateTypes does */
export async function generateTypes(host: CommandHost, options: TypesOptions): Promise<void> {
  const isWritten = await inspect(host, ({ app }, setup) => updateTypes({ setup, app }, options));
  host.terminal.print(isWritten ? `wrote ${TYPES_FILE}` : `${TYPES_FILE} is up to date`);
}

/**
 * Writes the generated types of a project that has started, or only compares them.
 *
 * @returns whether they were written
 * @throws PLINTH_CLI_TYPES_OUTDATED with `check`, when the file is missing or says something else
 */
export async function updateTypes(project: StartedProject, { check }: TypesOptions): Promise<boolean> {
  if (!check) return await writeTypes(project);
  const { isCurrent } = await compareTypes(project);
  if (!isCurrent) throw new TypesOutdatedError({ file: TYPES_FILE });
  return false;
}

/** Updates the generated types of a running project; the app serves even if the file cannot be written. */
export async function writeTypesForCompiler(project: StartedProject): Promise<void> {
  try {
    if (await writeTypes(project)) say(`wrote ${TYPES_FILE}`);
  } catch (error) {
    say(`${TYPES_FILE} cannot be written: ${reasonOf(error)}`);
  }
}
