import { existsSync } from "node:fs";
import { databaseConfigOf } from "../app/app-database.js";
import type { AppSetup } from "../app/app-setup.js";
import { createPlinth } from "../app/create-app.js";
import { describeDatabase, describeStart } from "./describe-start.js";
import { type CodeForm, loadSetup } from "./load-setup.js";
import { stopOnSignal } from "./stop-on-signal.js";
import { print, withProgress } from "./terminal.js";

/**
 * Starts the project in a folder, prints where it is, and stops it when the process is asked to end. While its sources
 * are developed, the compiler is told of its content-types as well.
 *
 * @throws what loading or starting throws
 */
export async function serve(root: string, form: CodeForm): Promise<void> {
  // Before the project is loaded: the lines of a stack are then those of its sources.
  process.setSourceMapsEnabled(true);
  const since = performance.now();
  const setup = await loadSetup(root, form);
  const plinth = createPlinth(setup);
  const ending = stopOnSignal(() => plinth.stop());
  try {
    const url = await withProgress(describeWork(setup), () => plinth.start());
    if (form === "sources" && setup.environment === "development") {
      const { writeTypesForCompiler } = await import("./types/generate-types.js");
      await writeTypesForCompiler({ setup, app: plinth.app });
    }
    print(describeStart({ setup, app: plinth.app, routes: plinth.routes(), url: url ?? "", since }));
  } catch (error) {
    // A start that was given up on request has not failed.
    if (ending.isWanted) return;
    ending.release();
    throw error;
  }
}

/** What takes the time of a start. Making the embedded database takes some seconds; a server may not answer. */
export function describeWork(setup: AppSetup): string {
  const config = databaseConfigOf(setup);
  if (config.client !== "pglite") return `starting on ${describeDatabase(setup)}`;
  return existsSync(config.directory)
    ? "starting"
    : "starting, and making the embedded database, which takes some seconds";
}
