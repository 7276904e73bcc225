// Puts the sample app into core/dist/template before core is packed, so that `plinth new` has it wherever core is installed.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = resolve(fileURLToPath(import.meta.url), "..", "..");
const TEMPLATE = "app-template";
const NOT_COPIED = new Set(["node_modules", "dist", ".plinth", ".env"]);

const to = join(ROOT, "core", "dist", "template");
rmSync(to, { recursive: true, force: true });
if (existsSync(join(ROOT, ".git"))) copyFromGit();
else copyFolder(join(ROOT, TEMPLATE));

/** As staged or committed: readers who follow the README have written a content-type of their own into the folder. */
function copyFromGit() {
  const git = (args, input) => execFileSync("git", args, { cwd: ROOT, input, maxBuffer: 2 ** 24 });
  const files = git(["ls-files", "-z", "--", TEMPLATE]);
  const checkedOut = mkdtempSync(join(ROOT, "core", "dist", ".template-"));
  git(["checkout-index", `--prefix=${checkedOut}/`, "-z", "--stdin"], files);
  copyFolder(join(checkedOut, TEMPLATE));
  rmSync(checkedOut, { recursive: true });
}

function copyFolder(from) {
  cpSync(from, to, { recursive: true, filter: (source) => !NOT_COPIED.has(relative(from, source)) });
}
