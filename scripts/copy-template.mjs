// Puts the sample app into core/dist/template before core is packed, so that `plinth new` has it where core is installed.
import { cpSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = resolve(fileURLToPath(import.meta.url), "..", "..");
const NOT_COPIED = new Set(["node_modules", "dist", ".plinth", ".env"]);

const from = join(ROOT, "app-template");
const to = join(ROOT, "core", "dist", "template");
rmSync(to, { recursive: true, force: true });
cpSync(from, to, { recursive: true, filter: (source) => !NOT_COPIED.has(relative(from, source)) });
