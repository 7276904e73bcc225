import type { Logger } from "pino";
import type { DatabaseConfig } from "../database/driver/connect.js";
import type { Clock } from "../database/clock.js";
import type { Database, DatabaseLog } from "../database/driver/database.js";
import type { OpenSocket } from "../http/address.js";
import type { AskAll } from "../http/management-endpoints.js";
import type { AppDefinition, Plugin } from "../kernel/plugin.js";
import type { Sources } from "./sources.js";

/** The place of a process among the workers of one parent, which has the management port of all. */
export interface WorkerPlace {
  /** 1 is the first. */
  readonly number: number;
  readonly askAll: AskAll;
  /** Called in a stop when the last request is answered, while the app still knows everything. */
  readonly leave: () => Promise<void>;
}

/** What an app is made of: read from a project's folder, or put together by a test. */
export interface AppSetup {
  /** Folder that relative paths of the configuration start from. */
  readonly root: string;
  /** `production` refuses to start without its secrets. Default: development. */
  readonly environment?: string;
  readonly plugins: readonly Plugin[];
  readonly app?: AppDefinition;
  /** `config/*` by file: `{ server: { port: 1337 }, database: { client: "pglite", directory: ":memory:" } }`. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** What config/plugins says to each plugin. */
  readonly pluginConfigs?: Readonly<Record<string, unknown>>;
  /** Packages that plugins come from; generated types import what these declare. */
  readonly pluginPackages?: readonly string[];
  /** Folder of the app's own migrations. */
  readonly migrations?: string;
  /** Where this process is one of several workers. Default: it is alone. */
  readonly worker?: WorkerPlace;
  /**
   * A socket, by its descriptor or handle, that is used instead of `host` and `port` of config/server: one that outlives the process, so that
   * connections wait while it is replaced. It serves one start.
   */
  readonly socket?: OpenSocket | undefined;
  /** Default: pino, by `config.log`. */
  readonly log?: Logger;
  /** Cost of the hashes of passwords, 4 to 31 rounds of bcrypt. Default: 10; fewer are for tests, which hash often. */
  readonly passwordRounds?: number;
  /** The app's time. Default: that of the database. */
  readonly clock?: Clock;
  /** Where the files of the project may be changed while it is served. Default: they may not. */
  readonly sources?: Sources;
  /**
   * What the start does about content that the content model has no place for any more: it stays in the tables for a later
   * start, or it is taken away. Default: as config/schema says, and a loss stops the start.
   */
  readonly losses?: "wait" | "allowed";
  /** Opens the database of `config.database`, which is closed when the app stops. Default: connectDatabase. */
  readonly connect?: (config: DatabaseConfig, log: DatabaseLog) => Promise<Database>;
}
