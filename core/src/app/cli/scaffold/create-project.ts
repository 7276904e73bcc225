import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { FolderNotEmptyError } from "../errors.js";
import { print, withProgress } from "../terminal.js";
import { buildEnvFile } from "./env-file.js";
import { installPackages } from "./install-packages.js";
import { buildManifest, buildTsconfig } from "./manifest.js";
import { findTemplate, type Template } from "./template.js";

/** What of the template's folder does not belong to a new app, or is written anew. */
const NOT_COPIED = new Set([
  "node_modules",
  "dist",
  ".plinth",
  ".env",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "README.md",
]);

/**
 * Makes a new app in an empty or missing folder, ready to run.
 *
 * @param directory - absolute
 * @throws PLINTH_CLI_FOLDER_NOT_EMPTY, PLINTH_CLI_INSTALL_FAILED
 */
export async function createProject(
  directory: string,
  { shouldInstall }: { readonly shouldInstall: boolean },
): Promise<void> {
  await assertEmpty(directory);
  const template = findTemplate();
  const name = packageNameOf(directory);
  await mkdir(directory, { recursive: true });
  await cp(template.folder, directory, {
    recursive: true,
    filter: (source) => !NOT_COPIED.has(relative(template.folder, source)),
  });
  await writeOwnFiles(directory, name, template);
  print(`made ${name} in ${directory}`);
  if (shouldInstall) await withProgress("installing packages", () => installPackages(directory));
  print(describeNext(directory, shouldInstall));
}

function packageNameOf(directory: string): string {
  const allowed = basename(directory)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-");
  return allowed.replace(/^[._-]+|-+$/g, "") || "plinth-app";
}

async function assertEmpty(directory: string): Promise<void> {
  const found = existsSync(directory) ? (await readdir(directory)).filter((name) => name !== ".git") : [];
  if (found.length > 0) throw new FolderNotEmptyError({ directory, found });
}

/** What differs from app to app; and .gitignore, which npm leaves out of packages. */
async function writeOwnFiles(directory: string, name: string, { folder, checkout }: Template): Promise<void> {
  const readJson = async (file: string) => JSON.parse(await readFile(join(folder, file), "utf8"));
  const readme = await readFile(join(folder, "README.md"), "utf8");
  const files = {
    "package.json": formatJson(buildManifest(await readJson("package.json"), name, checkout)),
    "tsconfig.json": formatJson(buildTsconfig(await readJson("tsconfig.json"))),
    "README.md": readme.replace(/^# .*/, `# ${name}`),
    ".gitignore": "node_modules/\ndist/\n.plinth/\n.env\n*.log\n",
    ".env": buildEnvFile(),
  };
  for (const [file, text] of Object.entries(files)) await writeFile(join(directory, file), text);
}

const formatJson = (content: unknown): string => `${JSON.stringify(content, undefined, 2)}\n`;

function describeNext(directory: string, isInstalled: boolean): string {
  const folder = relative(process.cwd(), directory);
  const enter = folder === "" ? [] : [`cd ${/[^\w./\\-]/.test(folder) ? `"${folder}"` : folder}`];
  const steps = [...enter, ...(isInstalled ? [] : ["npm install"]), "npm run develop"];
  return ["", "Next:", ...steps.map((step) => `  ${step}`), "", "README.md says what to try then."].join("\n");
}
