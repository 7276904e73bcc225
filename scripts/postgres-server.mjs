// Starts a private, throw-away PostgreSQL server: `node scripts/postgres-server.mjs` prints its URL and runs until a signal.
import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findPostgres, serverUser } from "./postgres-binaries.mjs";
import { whenEnded } from "./when-ended.mjs";

/** Folders of servers; the id of the process that they belong to follows. */
export const PREFIX = "plinth-postgres-";
const LOCALES = ["C.UTF-8", "C"];
const START_TIMEOUT = 60_000;
const STOP_TIMEOUT = 10_000;
const ATTEMPTS = 3;

// A power cut may lose everything in here, so nothing waits for the disk.
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "200",
  max_prepared_transactions: "10",
  timezone: "UTC",
};

/**
 * The database that tests and benchmarks use: the one that TEST_DATABASE_URL names, else a server of our own.
 *
 * @returns {Promise<{ url: string, version: string, stop: () => Promise<void> }>}
 */
export async function obtainPostgres() {
  const url = process.env.TEST_DATABASE_URL;
  return url ? { url, version: "the server of TEST_DATABASE_URL", stop: async () => undefined } : startPostgres();
}

/**
 * Starts a server in a folder of its own below the temporary folder, on a free port of 127.0.0.1, with an empty
 * database in UTF-8. It ends, and its folder goes, with `stop()`, or at the latest when this process exits.
 * Servers that an earlier process left behind, because it was killed, are ended first.
 *
 * @returns {Promise<{ url: string, version: string, stop: () => Promise<void> }>}
 */
export async function startPostgres() {
  removeStale(tmpdir());
  const home = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const removeHome = () => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  try {
    const user = serverUser();
    give(home, user);
    const { bin, version } = findPostgres(user, join(home, "native"));
    createCluster(home, bin, user);
    const server = await startOnFreePort(home, bin, user);
    return { url: server.url, version, stop: stopper(server.child, removeHome) };
  } catch (error) {
    removeHome();
    throw error;
  }
}

/**
 * Hands a file or folder to the user that the server runs as.
 *
 * @param {string} path
 * @param {{ uid?: number, gid?: number }} user
 */
export function give(path, { uid, gid }) {
  if (uid !== undefined) chownSync(path, uid, gid);
}

/** Makes an empty cluster in `data` of a folder. */
export function createCluster(home, bin, user) {
  const data = join(home, "data");
  mkdirSync(data, { mode: 0o700 });
  give(data, user);
  const fixed = ["-D", data, "-U", "plinth", "-E", "UTF8", "--auth=trust", "--no-sync"];
  let said = "";
  for (const locale of LOCALES) {
    const result = spawnSync(join(bin, "initdb"), [...fixed, `--locale=${locale}`], serverOptions(home, user));
    if (result.status === 0) return;
    said = String(result.error ?? result.stderr);
  }
  throw new Error(`initdb failed: ${said}`);
}

const serverOptions = (home, user) => ({
  encoding: "utf8",
  cwd: home,
  env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
  ...user,
});

async function startOnFreePort(home, bin, user) {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const child = spawnServer(home, bin, { port, user });
    const failure = await untilReady(child);
    if (!failure) return { child, url: `postgres://plinth@127.0.0.1:${port}/postgres` };
    child.kill("SIGKILL");
    const isPortTaken = /could not bind/.test(failure);
    if (!isPortTaken || attempt === ATTEMPTS) throw new Error(`PostgreSQL did not start: ${failure}`);
  }
}

/** A free port of 127.0.0.1. */
export function freePort() {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** Starts a server on the cluster of a folder. @param options - `settings`: by name, over those of every test. */
export function spawnServer(home, bin, { port, user, settings: own = {} }) {
  const settings = Object.entries({ ...SETTINGS, port, ...own }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  // A process group of its own: Ctrl-C in a terminal is for us, we end the server after its clients.
  const options = { ...serverOptions(home, user), stdio: ["ignore", "ignore", "pipe"], detached: true };
  return spawn(join(bin, "postgres"), ["-D", join(home, "data"), ...settings], options);
}

/** Resolves when the server takes connections; with what it said, when it does not. */
export function untilReady(child) {
  return new Promise((done) => {
    let said = "";
    const giveUp = setTimeout(() => done(`not ready after ${START_TIMEOUT / 1000} s: ${said}`), START_TIMEOUT);
    const finish = (failure) => {
      clearTimeout(giveUp);
      done(failure);
    };
    child.once("error", (error) => finish(error.message));
    child.once("exit", (code) => finish(`exit code ${code}: ${said}`));
    child.stderr.setEncoding("utf8").on("data", (text) => {
      said = (said + text).slice(-4000);
      if (/database system is ready to accept (?:read-only |read only )?connections/.test(said)) finish(undefined);
    });
  });
}

/** Ends the server once, however often it is called, and at the exit of this process otherwise. */
function stopper(child, removeHome) {
  let stopping;
  const atExit = () => {
    child.kill("SIGQUIT");
    removeHome();
  };
  process.once("exit", atExit);
  // Neither the server nor its log keeps this process alive.
  child.unref();
  child.stderr.unref();
  return () => {
    stopping ??= stopServer(child).then(() => {
      process.off("exit", atExit);
      removeHome();
    });
    return stopping;
  };
}

function stopServer(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((done) => {
    child.ref();
    const kill = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT);
    child.once("exit", () => {
      clearTimeout(kill);
      done();
    });
    child.kill("SIGINT");
  });
}

/** Ends the servers in a folder that processes left behind which are no more. */
export function removeStale(folder) {
  for (const home of staleFolders(folder, PREFIX)) {
    const server = serverPid(home);
    if (server && commandOf(server).includes(home)) process.kill(server, "SIGQUIT");
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

/** Those with a prefix, and the pid of a process that is no more, in their names. */
export function staleFolders(folder, prefix) {
  const isStale = (name) => {
    const owner = name.startsWith(prefix) && Number(name.slice(prefix.length).split("-")[0]);
    return owner && !isRunning(owner) && isOurs(join(folder, name));
  };
  return readdirSync(folder)
    .filter(isStale)
    .map((name) => join(folder, name));
}

/** Root's servers belong to another user, and root may remove any; other users only their own. */
function isOurs(home) {
  const uid = process.getuid?.() ?? 0;
  return uid === 0 || statSync(home, { throwIfNoEntry: false })?.uid === uid;
}

function serverPid(home) {
  const file = join(home, "data", "postmaster.pid");
  return existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) : undefined;
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** The command line of a process, so that a number that was given to another process since is left alone. */
function commandOf(pid) {
  const file = `/proc/${pid}/cmdline`;
  if (existsSync(file)) return readFileSync(file, "utf8");
  return String(spawnSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout ?? "");
}

async function main() {
  const ended = new Promise((done) => whenEnded(done));
  // A promise alone does not keep a process alive.
  const alive = setInterval(() => undefined, 60_000);
  const server = await startPostgres();
  console.log(server.url);
  await ended;
  await server.stop();
  clearInterval(alive);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
