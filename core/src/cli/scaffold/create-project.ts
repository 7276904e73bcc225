import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { CORE_FOLDER } from "../core-package.js";
import { FolderNotEmptyError } from "../errors.js";
import type { CommandHost } from "../host.js";
import { withProgress } from "../terminal.js";
import { buildEnvExample, buildEnvFile, buildManifest, buildReadme, buildTsconfig } from "./own-files.js";
import { findPackageSource, type PackageSource, VENDOR, vendorPackages } from "./package-source.js";
import { installPackages } from "./run-npm.js";

/** The sample app as it was packed with this package: what a new app is copied from. */
const TEMPLATE_FOLDER = join(CORE_FOLDER, "dist", "template");

/** Files of a new app that a workspace cannot have: `every` for all of them, `empty` for those without sample content. */
const SCAFFOLD_FOLDER = join(CORE_FOLDER, "scaffold");

/** What of the template does not belong to a new app, or is written again. */
const NOT_COPIED: readonly string[] = ["package.json", "package-lock.json", "tsconfig.json", "README.md"];

/** What of the template is sample content. */
const SAMPLE: readonly string[] = [
  "sample",
  "src/api",
  "src/components",
  "src/index.ts",
  "src/sample-content.ts",
  "src/articles.test.ts",
  "types/generated.d.ts",
];

/** How a new app is made. */
export interface ProjectOptions {
  /** Whether its packages are installed. */
  readonly shouldInstall: boolean;
  /** Whether it starts without sample content and content-types. */
  readonly isEmpty?: boolean;
  /** Where Plinth's packages come from. Default: where this one came from. */
  readonly source?: PackageSource;
}

/**
 * Makes a new app in an empty or missing folder, ready to run.
 *
 * @param directory - absolute
 * @param host - its terminal shows the progress
 * @throws PLINTH_CLI_FOLDER_NOT_EMPTY, PLINTH_CLI_PACK_FAILED, PLINTH_CLI_INSTALL_FAILED
 */
export async function createProject(directory: string, options: ProjectOptions, host: CommandHost): Promise<void> {
  const { shouldInstall, isEmpty = false } = options;
  const { terminal, cwd } = host;
  await assertEmpty(directory);
  const name = packageNameOf(directory);
  const { source = await findPackageSource() } = options;
  const vendoring = () => vendorPackages(source, directory);
  const tarballs = await (source.kind === "checkout"
    ? withProgress("packing Plinth's packages", vendoring, terminal)
    : vendoring());
  await mkdir(directory, { recursive: true });
  await copyTemplate(directory, isEmpty);
  await writeOwnFiles(directory, { name, isEmpty, tarballs });
  const isRepository = await initRepository(directory);
  terminal.print(`made ${name} in ${directory}${isRepository ? ", a git repository" : ""}`);
  if (tarballs.length > 0) terminal.print(describeVendor());
  if (shouldInstall) await withProgress("installing packages", () => installPackages(directory), terminal);
  terminal.print(describeNext(relative(cwd, directory), shouldInstall));
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

async function copyTemplate(directory: string, isEmpty: boolean): Promise<void> {
  const left = new Set([...NOT_COPIED, ...(isEmpty ? SAMPLE : [])]);
  await cp(TEMPLATE_FOLDER, directory, {
    recursive: true,
    filter: (from) => !left.has(relative(TEMPLATE_FOLDER, from).split(sep).join("/")),
  });
  for (const folder of isEmpty ? ["every", "empty"] : ["every"])
    await copyScaffold(join(SCAFFOLD_FOLDER, folder), directory);
}

/** `dot-x` becomes `.x`: npm and tools of this repository would take the files for their own. */
async function copyScaffold(from: string, directory: string): Promise<void> {
  const paths = await readdir(from, { recursive: true, withFileTypes: true });
  for (const entry of paths.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const target = join(directory, relative(from, path).replace(/(^|[\\/])dot-/g, "$1."));
    await mkdir(dirname(target), { recursive: true });
    await cp(path, target);
  }
}

interface OwnFiles {
  readonly name: string;
  readonly isEmpty: boolean;
  readonly tarballs: readonly string[];
}

/** What differs from app to app. */
async function writeOwnFiles(directory: string, { name, isEmpty, tarballs }: OwnFiles): Promise<void> {
  const read = (file: string) => readFile(join(TEMPLATE_FOLDER, file), "utf8");
  const isVendored = tarballs.length > 0;
  const dockerfile = await readFile(join(directory, "Dockerfile"), "utf8");
  const files = {
    "package.json": printJson(buildManifest(JSON.parse(await read("package.json")), name, tarballs)),
    "tsconfig.json": printShortLists(buildTsconfig(JSON.parse(await read("tsconfig.json")))),
    "README.md": buildReadme(await read("README.md"), { name, isEmpty, isVendored }),
    Dockerfile: isVendored ? dockerfile : dockerfile.replace(/^COPY vendor .*\n/m, ""),
    ".env": buildEnvFile(),
    ".env.example": buildEnvExample(),
  };
  for (const [file, text] of Object.entries(files)) await writeFile(join(directory, file), text);
}

const printJson = (content: unknown): string => `${JSON.stringify(content, undefined, 2)}\n`;

/** As the formatter of the app wants all JSON but package.json: lists in one line. */
function printShortLists(content: unknown): string {
  return printJson(content).replace(
    /\[\s+([^[\]{}]*?)\s+\]/g,
    (_, items: string) => `[${items.replace(/\s*\n\s*/g, " ")}]`,
  );
}

/** Makes a git repository of a folder that is in none. @returns false where there is one already, or git is not installed */
async function initRepository(directory: string): Promise<boolean> {
  if (await succeeds(["rev-parse", "--is-inside-work-tree"], directory)) return false;
  return await succeeds(["init", "--quiet", "--initial-branch=main"], directory);
}

async function succeeds(args: readonly string[], cwd: string): Promise<boolean> {
  const child = spawn("git", args, { cwd, stdio: "ignore" });
  try {
    const [code] = (await once(child, "close")) as [number | null];
    return code === 0;
  } catch {
    // There is no git, which is the user's choice.
    return false;
  }
}

function describeVendor(): string {
  return [
    "",
    `Plinth's packages are not published on npm yet, so they were packed into ${VENDOR}/.`,
    "Commit that folder: the app then installs on any machine. README.md says how to update it.",
  ].join("\n");
}

/** @param folder - of the app, from where the caller is */
function describeNext(folder: string, isInstalled: boolean): string {
  const enter = folder === "" ? [] : [`cd ${/[^\w./\\-]/.test(folder) ? `"${folder}"` : folder}`];
  const steps = [...enter, ...(isInstalled ? [] : ["npm install"]), "npm run develop"];
  return ["", "Next:", ...steps.map((step) => `  ${step}`), "", "README.md says what to try then."].join("\n");
}
