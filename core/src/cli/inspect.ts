import { pino } from "pino";
import type { AppSetup } from "../app/app-setup.js";
import { databaseConfigOf } from "../app/app-database.js";
import type { Project, ProjectCommandContext } from "../app/command.js";
import { createPlinth, type PlinthApp } from "../app/create-app.js";
import { connectDatabase } from "../database/driver/connect.js";
import type { Database } from "../database/driver/database.js";
import type { KernelReport } from "../kernel/report.js";
import { coreCommands } from "./core-commands.js";
import { writeNewFiles } from "./generate/new-file.js";
import type { CommandHost } from "./host.js";
import { codeFormOf, loadSetup } from "./load-setup.js";
import { type Terminal, withProgress } from "./terminal.js";

/**
 * Runs a project far enough to look at it, on an empty database in memory and without a port, so that neither its
 * content nor a server that runs is touched; then stops it.
 *
 * @returns what `look` returns
 */
export async function inspect<T>(
  host: CommandHost,
  look: (plinth: PlinthApp, setup: AppSetup) => T | Promise<T>,
): Promise<T> {
  const { migrations: _, ...setup } = await readSetup(host);
  const config = { ...setup.config, database: { client: "pglite", directory: ":memory:" } };
  const plinth = createPlinth({ ...setup, config, log: pino({ level: "silent" }) });
  await withProgress("reading the project", () => plinth.start({ listen: false }), host.terminal);
  try {
    return await look(plinth, setup);
  } finally {
    await plinth.stop();
    host.hasEnded();
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
export async function declare(host: CommandHost): Promise<DeclaredProject> {
  const project = await readProject(host);
  host.hasEnded();
  return project;
}

/** The project of a host, as its files are now, with its plugins declared. @throws what loading and declaring throws */
export async function readProject(host: CommandHost): Promise<DeclaredProject> {
  return declareProject(await readSetup(host), { reload: () => readSetup(host), terminal: host.terminal });
}

const readSetup = ({ cwd, variables }: CommandHost): Promise<AppSetup> =>
  loadSetup(cwd, codeFormOf(cwd, variables), variables);

/** What a declared project works with beside its setup. */
export interface DeclareOptions {
  /** Reads the project once more, with files that were written meanwhile. Default: with the variables of this process. */
  readonly reload?: () => Promise<AppSetup>;
  /** Where it says what takes long. Default: the terminal of this process. */
  readonly terminal?: Pick<Terminal, "say">;
}

/**
 * Declares the plugins of a project, with the commands of core, and its content model; starts nothing.
 *
 * @throws what declaring throws, PLINTH_SCHEMA_INVALID
 */
export function declareProject(setup: AppSetup, options: DeclareOptions = {}): DeclaredProject {
  const { root } = setup;
  const { reload = () => loadSetup(root, codeFormOf(root)), terminal } = options;
  const plugins = [coreCommands, ...setup.plugins];
  const declared = createPlinth({ ...setup, plugins, log: pino({ level: "silent" }) });
  const model = declared.declareModel();
  return {
    ...{ root, setup, app: declared.app, model },
    report: () => declared.report(),
    writeFiles: (files) => writeNewFiles(root, files),
    withApp: async (work, over = {}) => {
      const { app: { bootstrap: _, ...app } = {}, ...setup } = await reload();
      const plinth = createPlinth({ ...setup, app, config: { ...setup.config, ...over } });
      await plinth.start({ listen: false });
      try {
        return await work(plinth.app);
      } finally {
        await plinth.stop();
      }
    },
    withDatabase: async (work) => {
      const db = await withProgress("connecting", () => connectDatabase(databaseConfigOf(setup)), terminal);
      return await work(db).finally(() => db.close());
    },
  };
}
