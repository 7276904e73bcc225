import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import { databaseConfigOf } from "../../app-database.js";
import type { AppSetup } from "../../app-setup.js";
import { createLog } from "../../create-log.js";
import { createPlinth, type PlinthApp } from "../../create-app.js";
import { KeptDatabase } from "./kept-database.js";

/** A version of a project that serves. */
export interface LiveVersion {
  readonly setup: AppSetup;
  readonly plinth: PlinthApp;
  readonly url: string;
}

/**
 * An app whose versions follow each other in one process. The next one is made while the last serves, on the same
 * database, and takes its place only when everything of it has started.
 */
export class LiveApp {
  readonly #database = new KeptDatabase();
  #version: LiveVersion | undefined;
  #log: { readonly config: unknown; readonly log: Logger } | undefined;

  /** What serves now; undefined before the first. */
  get version(): LiveVersion | undefined {
    return this.#version;
  }

  /** Whether it can take over a version of this setup; only another process opens another database. */
  canServe(setup: AppSetup): boolean {
    return this.#database.fits(databaseConfigOf(setup));
  }

  /** Serves a version from now on. @throws what a start throws; the version before serves on then */
  async serve(setup: AppSetup): Promise<LiveVersion> {
    const plinth = createPlinth({ ...setup, connect: this.#database.connect, log: this.#logOf(setup) });
    const last = this.#version;
    if (!last) {
      const url = (await plinth.start()) ?? "";
      this.#version = { setup, plinth, url };
      return this.#version;
    }
    await plinth.start({ listen: false });
    this.#version = { setup, plinth, url: await takeOver(last, plinth) };
    await last.plinth.stop();
    return this.#version;
  }

  /** Stops the version that serves, and closes the database. */
  async stop(): Promise<void> {
    await this.#version?.plinth.stop();
    await this.#database.close();
  }

  /** A log may have a thread of its own, which is not to be had anew with every change. */
  #logOf({ config }: AppSetup): Logger {
    const given = config?.["log"];
    if (!this.#log || !isDeepStrictEqual(given, this.#log.config)) this.#log = { config: given, log: createLog(given) };
    return this.#log.log;
  }
}

/** Both want the same port, as a rule. @throws PLINTH_HTTP_CANNOT_LISTEN; the last one listens again then */
async function takeOver(last: LiveVersion, next: PlinthApp): Promise<string> {
  const closing = last.plinth.app.http.close({ handsOver: true });
  try {
    return await next.app.http.listen();
  } catch (error) {
    await closing;
    await Promise.all([next.stop({ hasFailed: true }), last.plinth.app.http.listen()]);
    throw error;
  }
}
