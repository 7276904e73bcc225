// Runs the tests that need other programs: `npm run test:fleet [-- file or folder ... --grep text]`. They are test/fleet/*.fleet.ts.
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ROOT } from "./ensure-ready.mjs";
import { keepTemporaryFilesInMemory } from "./memory-folder.mjs";

const FLEET = join("test", "fleet");
/** By its command: what Debian, and macOS, call the package that has it. */
const PROGRAMS = { pgbouncer: "pgbouncer", nginx: "nginx" };
/** Debian has servers in a folder that is on root's path only. */
const FOLDERS = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"];

const isThere = (command) => FOLDERS.some((folder) => existsSync(join(folder, command)));

/** What to do for the programs that are missing; undefined where none is. */
function describeMissing() {
  const missing = Object.keys(PROGRAMS).filter((command) => !isThere(command));
  if (missing.length === 0) return undefined;
  const packages = missing.map((command) => PROGRAMS[command]).join(" ");
  return `${missing.join(", ")} is not installed. Debian and Ubuntu: apt-get install ${packages}; macOS: brew install ${packages}.`;
}

/** All are in one folder. */
function allFleetTests() {
  const names = readdirSync(join(ROOT, FLEET));
  return names.filter((name) => name.endsWith(".fleet.ts")).map((name) => join(FLEET, name));
}

const missing = describeMissing();
if (missing) {
  console.error(`[plinth] ${missing}`);
  process.exitCode = 1;
} else {
  process.env.PATH = FOLDERS.join(delimiter);
  const isOption = (arg) => arg.startsWith("-");
  const given = process.argv.slice(2);
  const options = given.findIndex(isOption);
  const files = options === -1 ? given : given.slice(0, options);
  if (files.length === 0) {
    // They wait for faults to be noticed more than they compute.
    process.env.PLINTH_TEST_PROCESSES ??= "2";
    process.argv.splice(2, 0, ...allFleetTests());
  }
  keepTemporaryFilesInMemory();
  await import("./test.mjs");
}
