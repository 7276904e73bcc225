// Puts the sample app into core/dist/template when core is built or packed, so that `plinth new` has it wherever core is installed.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = resolve(fileURLToPath(import.meta.url), "..", "..");
const TEMPLATE = "app-template";
const NOT_COPIED = new Set(["node_modules", "dist", ".plinth", ".env"]);

const TO = join(ROOT, "core", "dist", "template");

/** Copies the sample app, where it has changed: another process may be reading what is there. */
export function copyTemplate() {
  const made = mkdtempSync(join(tmpdir(), "plinth-template-"));
  const template = join(made, "template");
  if (isClone()) copyFromGit(made, template);
  else copyFolder(join(ROOT, TEMPLATE), template);
  if (!isSame(template, TO)) {
    rmSync(TO, { recursive: true, force: true });
    cpSync(template, TO, { recursive: true });
  }
  rmSync(made, { recursive: true });
}

/** Whether git says what is in it: there may be no git on the machine, or it may refuse the folder of another user. */
function isClone() {
  return existsSync(join(ROOT, ".git")) && spawnSync("git", ["ls-files", "--", TEMPLATE], { cwd: ROOT }).status === 0;
}

/** As staged or committed: readers who follow the README have written a content-type of their own into the folder. */
function copyFromGit(made, template) {
  const git = (args, input) => execFileSync("git", args, { cwd: ROOT, input, maxBuffer: 2 ** 24 });
  const files = git(["ls-files", "-z", "--", TEMPLATE]);
  git(["checkout-index", `--prefix=${made}/`, "-z", "--stdin"], files);
  copyFolder(join(made, TEMPLATE), template);
}

function copyFolder(from, template) {
  const isWanted = (source) => !NOT_COPIED.has(relative(from, source));
  cpSync(from, template, { recursive: true, filter: isWanted });
}

function isSame(one, other) {
  const names = filesOf(one);
  if (names.join() !== filesOf(other).join()) return false;
  return names.every((name) => readFileSync(join(one, name)).equals(readFileSync(join(other, name))));
}

/** Paths of the files below a folder, in order; none where there is no folder. */
function filesOf(folder) {
  if (!existsSync(folder)) return [];
  const paths = readdirSync(folder, { recursive: true });
  return paths.filter((path) => statSync(join(folder, path)).isFile()).sort();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) copyTemplate();
