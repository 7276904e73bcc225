// A process of its own, on the packages as they are built: starts the corpus app on the database of its first argument, without
// and with the plugins of its second, and prints as JSON what each start took once there was nothing to change in the database.
import { join } from "node:path";
import { createPlinth, loadProject } from "@plinth/core";
import { loadedScripts } from "./loaded-packages.mjs";

const ROOT = join(import.meta.dirname, "..", "apps", "corpus");
const OURS = /\/(?:core|plugins\/[\w-]+)\/dist\/.+\.js$/;

const database = JSON.parse(process.argv[2] ?? "");
const names = JSON.parse(process.argv[3] ?? "");
const setup = await loadProject({ root: ROOT, code: ROOT }, { variables: {}, environment: "test" });
const without = await count([]);
const all = await count(await Promise.all(names.map(async (name) => (await import(name)).default)));
process.stdout.write(JSON.stringify({ without, all }));

/** The second start of two. */
async function count(others) {
  let statements = 0;
  for (let turn = 0; turn < 2; turn += 1) {
    const plinth = createPlinth({
      ...setup,
      plugins: [...setup.plugins, ...others],
      config: { ...setup.config, database, server: { host: "127.0.0.1", port: 0 }, log: { level: "error" } },
    });
    await plinth.start();
    statements = plinth.app.db.statementCount;
    await plinth.stop();
  }
  return { files: loadedScripts().filter((url) => OURS.test(url)).length, statements };
}
