import { existsSync } from "node:fs";
import { reasonOf } from "../../base/error.js";
import { databaseConfigOf } from "../app-database.js";
import type { AppSetup } from "../app-setup.js";
import { createPlinth } from "../create-app.js";
import { type StartedProject, TYPES_FILE, writeTypes } from "../types/write-types.js";
import { describeStart } from "./describe-start.js";
import { type CodeForm, loadSetup } from "./load-setup.js";
import { READY } from "./process-messages.js";
import { stopOnSignal } from "./stop-on-signal.js";
import { print, say, withProgress } from "./terminal.js";

/**
 * Starts the project in a folder, prints where it is, and stops it when the process is asked to end. While its sources
 * are developed, the compiler is told of its content-types as well.
 *
 * @throws what loading or starting throws
 */
export async function serve(root: string, form: CodeForm): Promise<void> {
  const since = performance.now();
  const setup = await loadSetup(root, form);
  const plinth = createPlinth(setup);
  const ending = stopOnSignal(() => plinth.stop());
  try {
    const url = await withProgress(describeWork(setup), () => plinth.start());
    if (form === "sources" && setup.environment === "development") await tellCompiler({ setup, app: plinth.app });
    print(describeStart({ setup, app: plinth.app, url: url ?? "", since }));
    process.send?.(READY);
  } catch (error) {
    // A start that was given up on request has not failed.
    if (ending.isWanted) return;
    ending.release();
    throw error;
  }
}

/** An app serves as well where nothing can be written. */
async function tellCompiler(project: StartedProject): Promise<void> {
  try {
    if (await writeTypes(project)) say(`wrote ${TYPES_FILE}`);
  } catch (error) {
    say(`${TYPES_FILE} cannot be written: ${reasonOf(error)}`);
  }
}

/** Making the embedded database takes some seconds, in which nothing can be printed. */
function describeWork(setup: AppSetup): string {
  const config = databaseConfigOf(setup);
  const isMade = config.client !== "pglite" || existsSync(config.directory);
  return isMade ? "starting" : "starting, and making the embedded database, which takes some seconds";
}
