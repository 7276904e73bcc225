// Makes a clone ready to run: installs what is missing, builds what has changed. Node built-ins only: nothing may be installed yet.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The folder of the repository. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");

const MIN_NODE = [20, 19];

/** Installs and builds, and says so on stderr; does next to nothing when all is in place. Rejects with what went wrong. */
export async function ensureReady() {
  checkNode();
  const missing = missingPackages();
  if (missing.length > 0) await install(missing);
  await build();
}

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const isEnough = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  if (!isEnough)
    throw new Error(`Node ${process.versions.node} is too old: install Node ${MIN_NODE.join(".")} or newer.`);
}

/** Compares the lock file with what npm says it installed; packages for other platforms may be absent. */
function missingPackages() {
  const wanted = readPackages(join(ROOT, "package-lock.json"));
  const installed = readPackages(join(ROOT, "node_modules", ".package-lock.json"));
  return Object.keys(wanted).filter((path) => {
    const { version, link, optional, peer } = wanted[path];
    const isInstalled = installed[path] !== undefined && installed[path].version === version;
    return path.includes("node_modules/") && !isInstalled && (link === true || !(optional || peer));
  });
}

const readPackages = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : {});

async function install(missing) {
  say(`installing ${missing.length} packages (npm ci) ...`);
  const since = Date.now();
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = process.env.npm_execpath;
  if (npm?.endsWith(".js")) await run(process.execPath, [npm, ...args]);
  else await run("npm", args, { shell: process.platform === "win32" });
  say(`installed in ${seconds(since)}`);
}

/** The compiler keeps its own account of what has changed, so that it can be asked at every start. */
async function build() {
  const since = Date.now();
  const { references } = JSON.parse(readFileSync(join(ROOT, "tsconfig.json"), "utf8"));
  // The client's types are for those who check them; what browsers load is built below.
  const projects = references
    .map(({ path }) => path)
    .filter((path) => !path.startsWith("test") && !path.endsWith("/client"));
  const isFirst = projects.some((path) => !existsSync(join(ROOT, path, "dist")));
  if (isFirst) say("building ...");
  // Imported here: it needs nothing but Node either, but its packages have to be installed. The compiler needs their types.
  (await import("./copy-valibot.mjs")).copyValibot();
  await run(process.execPath, [join("node_modules", "typescript", "bin", "tsc"), "-b", ...projects]);
  await (await import("./bundle-packages.mjs")).bundlePackages();
  (await import("./copy-graphiql.mjs")).copyGraphiql();
  (await import("./copy-template.mjs")).copyTemplate();
  await (await import("./build-admin.mjs")).buildAdmin();
  if (isFirst || Date.now() - since > 1500) say(`built in ${seconds(since)}`);
}

function run(command, args, options = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: ["ignore", 2, 2], ...options });
    child.once("error", fail);
    child.once("exit", (code, signal) => {
      if (code === 0) done();
      else fail(new Error(`"${[command, ...args].join(" ")}" ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}

const say = (line) => console.error(`[plinth] ${line}`);
const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await ensureReady().catch((error) => {
    console.error(`[plinth] ${error.message}`);
    process.exitCode = 1;
  });
}
