import { pino } from "pino";
import type { KernelReport } from "../kernel/report.js";
import type { ContentModel } from "../schema/model.js";
import type { AppSetup } from "../app/app-setup.js";
import { createPlinth, type PlinthApp } from "../app/create-app.js";
import { exitWhenIdle } from "./exit-when-idle.js";
import { codeFormOf, loadSetup } from "./load-setup.js";
import { withProgress } from "./terminal.js";

/**
 * Runs a project far enough to look at it, on an empty database in memory and without a port, so that neither its
 * content nor a server that runs is touched; then stops it.
 *
 * @returns what `look` returns
 */
export async function inspect<T>(
  root: string,
  look: (plinth: PlinthApp, setup: AppSetup) => T | Promise<T>,
): Promise<T> {
  const { migrations: _, ...setup } = await loadSetup(root, codeFormOf(root));
  const config = { ...setup.config, database: { client: "pglite", directory: ":memory:" } };
  const plinth = createPlinth({ ...setup, config, log: pino({ level: "silent" }) });
  await withProgress("reading the project", () => plinth.start({ listen: false }));
  try {
    return await look(plinth, setup);
  } finally {
    await plinth.stop();
    exitWhenIdle();
  }
}

/** What is known of a project before anything of it runs. */
export interface Declared {
  readonly model: ContentModel;
  readonly report: KernelReport;
}

/** Declares and registers a project's plugins and goes no further: no database is made, and nothing bootstraps. */
export async function declare(root: string): Promise<Declared> {
  const setup = await loadSetup(root, codeFormOf(root));
  const plinth = createPlinth({ ...setup, log: pino({ level: "silent" }) });
  const model = plinth.declareModel();
  exitWhenIdle();
  return { model, report: plinth.report() };
}
