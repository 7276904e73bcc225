import type { Readable, Writable } from "node:stream";
import type { App } from "../kernel/app.js";
import type { ContentModel } from "../schema/model.js";

/**
 * The arguments of a command, and its terminal. That need not be the one of the process which runs it: while a process has
 * the embedded database open, it runs the commands that are typed beside it. So a command uses what is here, and neither
 * `console` nor the streams and the exit code of `process`.
 */
export interface CommandCall {
  /** The values of `arguments` by name; an optional one that was not given is absent. */
  readonly arguments: Readonly<Record<string, string>>;
  /** The values of `options` in camelCase: `--dry-run` is `dryRun: true`; a repeated one is a list. */
  readonly options: Readonly<Record<string, unknown>>;
  /** What is piped into the command, or typed; `isTTY` is true where somebody types. */
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** For results that are no lines, such as an archive. */
  readonly stdout: Writable;
  /** Aborted when the caller has gone or wants an end. In a process of its own the command ends with the process. */
  readonly signal: AbortSignal;
  /** Writes a line of result to stdout. */
  print(line?: string): void;
  /** Writes a line about what is going on to stderr. */
  say(line: string): void;
  /** Makes the command end with exit code 1 although it does not throw: what it printed says why. */
  fail(): void;
  /** Lines of a table with aligned columns. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): string;
}

/** What a command of a plugin or of the app works with. */
export interface CommandContext extends CommandCall {
  /** The app of the project, started on its configured database, without a port. */
  readonly app: App;
}

/** A project whose app has not started: its plugins have declared what they are, and no database was touched. */
export interface Project {
  /** Its folder. */
  readonly root: string;
  /** Answers for its configuration, its registries and which plugins are enabled; services are not there yet. */
  readonly app: App;
  readonly model: ContentModel;
  /**
   * Writes files by their paths from the folder: all, or none when one exists.
   *
   * @throws PLINTH_CLI_FILE_EXISTS (500); PLINTH_CLI_DATABASE_IN_USE (500) where the running process does the work
   */
  writeFiles(files: readonly { readonly path: string; readonly text: string }[]): Promise<void>;
  /**
   * Reads the project again, with the files that were written, starts its app without a port, and stops it after
   * `work`. The app's own `bootstrap` stays out: it often writes the initial content of an empty database. Beside a process
   * that has the embedded database open, it is the app of that.
   *
   * @param config - takes the place of files of the configuration: `{ database: { client: "pglite", ... } }`.
   */
  withApp<T>(work: (app: App) => Promise<T>, config?: Readonly<Record<string, unknown>>): Promise<T>;
}

/** What a command works with that is called before the app has started. */
export interface ProjectCommandContext extends CommandCall {
  readonly project: Project;
}

interface CommandDescription {
  /** For the help: starts small, without a full stop. */
  readonly description: string;
  /** The arguments after the command's name, in order: `["<name>", "[note]"]`; brackets mark an optional one. */
  readonly arguments?: readonly string[];
  /** Description by option: `{ "--name <text>": "how it is called", "--grant <action...>": "...", "--json": "..." }`. */
  readonly options?: Readonly<Record<string, string>>;
  /** Options that have to be given, as written in `options`. */
  readonly required?: readonly string[];
}

/** One command of `plinth`, contributed by a plugin or the app: `commands: { "token list": { ... } }`. */
export interface Command extends CommandDescription {
  run(context: CommandContext): void | Promise<void>;
}

/** A command that changes the project before its app starts, such as its content-types, or that may do without the app. */
export interface ProjectCommand extends CommandDescription {
  runOnProject(context: ProjectCommandContext): void | Promise<void>;
}

declare module "../kernel/registries.js" {
  interface Registries {
    command: Command | ProjectCommand;
  }
}
