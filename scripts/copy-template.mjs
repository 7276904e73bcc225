// Puts the sample app into core/dist/template before core is packed, so that `plinth new` has it wherever core is installed.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = resolve(fileURLToPath(import.meta.url), "..", "..");
const TEMPLATE = "app-template";
const NOT_COPIED = new Set(["node_modules", "dist", ".plinth", ".env"]);

const to = join(ROOT, "core", "dist", "template");
const made = mkdtempSync(join(tmpdir(), "plinth-template-"));
if (existsSync(join(ROOT, ".git"))) copyFromGit();
else copyFolder(join(ROOT, TEMPLATE));
// Another pack may be reading it: what is right is left alone.
if (!isSame(join(made, "template"), to)) {
  rmSync(to, { recursive: true, force: true });
  cpSync(join(made, "template"), to, { recursive: true });
}
rmSync(made, { recursive: true });

/** As staged or committed: readers who follow the README have written a content-type of their own into the folder. */
function copyFromGit() {
  const git = (args, input) => execFileSync("git", args, { cwd: ROOT, input, maxBuffer: 2 ** 24 });
  const files = git(["ls-files", "-z", "--", TEMPLATE]);
  git(["checkout-index", `--prefix=${made}/`, "-z", "--stdin"], files);
  copyFolder(join(made, TEMPLATE));
}

function copyFolder(from) {
  const isWanted = (source) => !NOT_COPIED.has(relative(from, source));
  cpSync(from, join(made, "template"), { recursive: true, filter: isWanted });
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
