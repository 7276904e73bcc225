// Releases every package at one version: `npm run release -- <patch|minor|major|1.2.3> | --dry-run | --registry http://127.0.0.1:<port>`. README.md, "Releasing".
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { isPlaceholder, publishedFolders } from "./check-packages.mjs";
import { ensureReady, ROOT } from "./ensure-ready.mjs";
import { startRegistry, npmConfigFor } from "./local-registry.mjs";

const BUMP = /^(?:patch|minor|major|\d+\.\d+\.\d+)$/;
const IS_LOCAL = /^http:\/\/(?:127\.0\.0\.1|localhost):\d+$/;

/**
 * Builds and publishes the packages as they are to a registry of this machine.
 *
 * @param {string} url - such as http://127.0.0.1:4873
 * @returns what npm printed
 * @throws when npm fails: a version is there already, or a package does not pack
 */
export async function publishLocally(url) {
  if (!IS_LOCAL.test(url)) throw new Error(`${url} is not on this machine; without --registry, npm's own is used`);
  await ensureReady();
  const folder = mkdtempSync(join(tmpdir(), "plinth-release-"));
  try {
    return await publish([], npmConfigFor(url, folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Publishes to a registry that ends with this process, and lists what users would have got. */
async function dryRun() {
  const registry = await startRegistry();
  try {
    await publishLocally(registry.url);
    for (const [path, tarball] of registry.tarballs)
      console.log(`${path.split("/-/")[1]}: ${Math.ceil(tarball.length / 1000)} kB`);
  } finally {
    registry.close();
  }
}

/** lerna changes the versions, stamps the changelog by the script "version" of package.json, commits and tags. */
async function release(bump) {
  if (isPlaceholder(ROOT))
    throw new Error("package.json names no real repository yet: set repository.url, and run `npm run docs`");
  await ensureReady();
  const yes = process.env.CI ? ["--yes"] : [];
  await run("npx", ["--no-install", "lerna", "version", bump, "--no-push", ...yes], { stdout: "inherit" });
  await ensureReady();
  await publish(["--provenance"]);
  await run("git", ["push", "--follow-tags"]);
}

/**
 * By one npm, whose start takes longer than a package. It takes workspaces in their order in package.json: core goes first, and the
 * others are of no use without it.
 */
function publish(flags, variables = {}) {
  const workspaces = publishedFolders(ROOT).map((folder) => `--workspace=${folder}`);
  return run("npm", ["publish", "--access=public", "--loglevel=error", ...flags, ...workspaces], { variables });
}

/** @returns what a command prints, unless it is shown at once @throws with all that it printed */
function run(command, args, { folder = ".", variables = {}, stdout = "pipe" } = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, {
      cwd: join(ROOT, folder),
      env: { ...process.env, ...variables },
      stdio: ["inherit", stdout, "pipe"],
      shell: process.platform === "win32",
    });
    let [output, errors] = ["", ""];
    child.stdout?.on("data", (data) => (output += data));
    child.stderr.on("data", (data) => (errors += data));
    child.once("error", fail);
    child.once("close", (code) => {
      if (code === 0) done(output);
      else fail(new Error(`"${[command, ...args].join(" ")}" in ${folder} ended with ${code}:\n${output}${errors}`));
    });
  });
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { "dry-run": { type: "boolean", default: false }, registry: { type: "string" } },
  });
  if (values["dry-run"]) return await dryRun();
  if (values.registry !== undefined) return console.log(await publishLocally(values.registry));
  const [bump = ""] = positionals;
  if (!BUMP.test(bump)) throw new Error("say what to release: patch, minor, major or a version; or --dry-run");
  await release(bump);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main().catch((error) => {
    console.error(`not released: ${error.message}`);
    process.exitCode = 1;
  });
}
