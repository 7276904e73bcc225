// Puts valibot into core and its converter into the openapi plugin, as vendor/: npm keeps the compiler, an optional peer of
// valibot, in production installs of apps that have both (33 MB).
import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = resolve(fileURLToPath(import.meta.url), "..", "..");
const COPIES = [
  { name: "valibot", folder: "core" },
  { name: "@valibot/to-json-schema", folder: "plugins/openapi" },
];

/** Copies what is installed; each is one file of code, one of types, and a licence. */
export function copyValibot() {
  for (const { name, folder } of COPIES) {
    const require = createRequire(join(ROOT, folder, "package.json"));
    const from = dirname(dirname(require.resolve(name)));
    const to = join(ROOT, folder, "vendor");
    const file = name.split("/").at(-1);
    mkdirSync(to, { recursive: true });
    copyFileSync(join(from, "dist", "index.mjs"), join(to, `${file}.mjs`));
    copyFileSync(join(from, "dist", "index.d.mts"), join(to, `${file}.d.mts`));
    copyFileSync(join(from, "LICENSE.md"), join(to, `LICENSE.${file}.md`));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) copyValibot();
