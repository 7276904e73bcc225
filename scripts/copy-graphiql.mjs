// Puts the page that browsers get at /graphql, with all it loads, into plugins/graphql/dist/graphiql: apps then need none of its packages.
import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = resolve(fileURLToPath(import.meta.url), "..", "..");
const FILES = {
  graphiql: ["graphiql.min.js", "graphiql.min.css", "LICENSE"],
  react: ["umd/react.production.min.js", "LICENSE"],
  "react-dom": ["umd/react-dom.production.min.js"],
};

/** Copies the files of the installed packages; licences by the name of their package. */
export function copyGraphiql() {
  const require = createRequire(join(ROOT, "package.json"));
  const to = join(ROOT, "plugins", "graphql", "dist", "graphiql");
  mkdirSync(to, { recursive: true });
  for (const [name, files] of Object.entries(FILES)) {
    const from = dirname(require.resolve(`${name}/package.json`));
    for (const file of files)
      copyFileSync(join(from, file), join(to, file === "LICENSE" ? `LICENSE.${name}` : file.replace(/^umd\//, "")));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) copyGraphiql();
