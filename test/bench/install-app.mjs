// A new app as it is installed on a server: of packed packages, built, without what only development needs.
import { spawn } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const NPM = ["--no-audit", "--no-fund", "--loglevel=error"];
const BLOCK = 512;

/**
 * Makes the app that `plinth new` makes, with every first-party plugin, in a temporary folder.
 *
 * @param {object} options
 * @param {(line: string) => void} options.say
 * @param {AbortSignal} options.signal
 * @returns {Promise<{ root: string, remove: () => void }>}
 */
export async function installApp(options) {
  const folder = mkdtempSync(join(tmpdir(), "plinth-installed-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const root = join(folder, "app");
    const packages = await pack(join(folder, "packages"), options);
    await run(process.execPath, [join(ROOT, "core/bin/plinth.mjs"), "new", root, "--no-install"], ROOT, options);
    writeManifest(root, packages);
    options.say("installing an app from packed packages, and building it");
    await run("npm", ["install", ...NPM], root, options);
    await run("npm", ["run", "build", ...NPM], root, options);
    // As a server does that gets the files of the app: what only development needs never comes.
    rmSync(join(root, "node_modules"), { recursive: true });
    await run("npm", ["ci", "--omit=dev", ...NPM], root, options);
    return { root, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** @returns {Promise<Record<string, string>>} for each package of this repository that apps install, its packed file. */
async function pack(folder, options) {
  mkdirSync(folder);
  const places = ["core", ...readdirSync(join(ROOT, "plugins")).map((name) => `plugins/${name}`)];
  const manifests = places.map((place) => JSON.parse(readFileSync(join(ROOT, place, "package.json"), "utf8")));
  const workspaces = places.flatMap((place) => ["-w", place]);
  await run("npm", ["pack", ...workspaces, "--pack-destination", folder, ...NPM], ROOT, options);
  return Object.fromEntries(
    manifests.map(({ name, version }) => [
      name,
      `file:${join(folder, `${name.slice(1).replace("/", "-")}-${version}.tgz`)}`,
    ]),
  );
}

/** What the app develops with stays there; all others it runs with. */
function writeManifest(root, packages) {
  const file = join(root, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  const dependencies = { ...manifest.dependencies };
  const devDependencies = { ...manifest.devDependencies };
  for (const [name, place] of Object.entries(packages)) {
    if (devDependencies[name] === undefined) dependencies[name] = place;
    else devDependencies[name] = place;
  }
  writeFileSync(file, JSON.stringify({ ...manifest, dependencies, devDependencies }, null, 2));
}

/** What it prints is shown only when it fails. */
async function run(command, args, cwd, { signal }) {
  const isShell = process.platform === "win32" && command === "npm";
  const child = spawn(command, args, { cwd, signal, stdio: ["ignore", "pipe", "pipe"], shell: isShell });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => printed.push(chunk));
  const code = await new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", done);
  });
  if (code === 0) return;
  throw new Error(`"${[command, ...args].join(" ")}" ended with ${code}:\n${Buffer.concat(printed)}`);
}

/**
 * What is installed in an app.
 *
 * @returns {Map<string, number>} for each folder of node_modules with a package, the bytes that it takes of the disk.
 */
export function sizesOf(root) {
  const sizes = new Map();
  const visit = (folder, owner) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      const isPackages = folder.endsWith("node_modules") || /node_modules[/\\]@[^/\\]+$/.test(folder);
      const next = isPackages && !entry.name.startsWith("@") ? path.slice(root.length + 1) : owner;
      if (entry.isDirectory()) visit(path, next);
      else sizes.set(next, (sizes.get(next) ?? 0) + (lstatSync(path).blocks ?? 0) * BLOCK);
    }
  };
  visit(join(root, "node_modules"), "node_modules");
  return sizes;
}
