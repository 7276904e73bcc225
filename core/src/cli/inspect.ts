import { pino } from "pino";
import type { AppSetup } from "../app/app-setup.js";
import { databaseConfigOf } from "../app/app-database.js";
import type { Project, ProjectCommandContext } from "../app/command.js";
import { createPlinth, type PlinthApp } from "../app/create-app.js";
import { connectDatabase } from "../database/driver/connect.js";
import type { Database } from "../database/driver/database.js";
import type { KernelReport } from "../kernel/report.js";
import { coreCommands } from "./core-commands.js";
import { exitWhenIdle } from "./stop-on-signal.js";
import { writeNewFiles } from "./generate/new-file.js";
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

/** A project whose plugins are declared. */
export interface DeclaredProject extends Project {
  readonly setup: AppSetup;
  /** What the plugins declared, hooks and their listeners among it. */
  report(): KernelReport;
  /**
   * Opens the configured database as it is, for the time of `work`.
   *
   * @param options - `isAlone`: no app may use the embedded database meanwhile.
   * @throws PLINTH_CLI_DATABASE_IN_USE (500) when one does
   */
  withDatabase<T>(work: (db: Database) => Promise<T>, options?: { readonly isAlone?: boolean }): Promise<T>;
}

/** What a command of core works with that runs before the app has started. */
export interface DeclaredContext extends ProjectCommandContext {
  readonly project: DeclaredProject;
}

/** Declares and registers a project's plugins and goes no further: no database is made, and nothing bootstraps. */
export async function declare(root: string): Promise<DeclaredProject> {
  const project = declareProject(await loadSetup(root, codeFormOf(root)));
  exitWhenIdle();
  return project;
}

/**
 * Declares the plugins of a project, with the commands of core, and its content model; starts nothing.
 *
 * @throws what declaring throws, PLINTH_SCHEMA_INVALID
 */
export function declareProject(setup: AppSetup): DeclaredProject {
  const { root } = setup;
  const plugins = [coreCommands, ...setup.plugins];
  const declared = createPlinth({ ...setup, plugins, log: pino({ level: "silent" }) });
  const model = declared.declareModel();
  return {
    ...{ root, setup, app: declared.app, model },
    report: () => declared.report(),
    writeFiles: (files) => writeNewFiles(root, files),
    withApp: async (work, over = {}) => {
      const { app: { bootstrap: _, ...app } = {}, ...setup } = await loadSetup(root, codeFormOf(root));
      const plinth = createPlinth({ ...setup, app, config: { ...setup.config, ...over } });
      await plinth.start({ listen: false });
      try {
        return await work(plinth.app);
      } finally {
        await plinth.stop();
      }
    },
    withDatabase: async (work) => {
      const db = await withProgress("connecting", () => connectDatabase(databaseConfigOf(setup)));
      return await work(db).finally(() => db.close());
    },
  };
}
