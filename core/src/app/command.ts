import type { App } from "../kernel/app.js";

/** What a command of a plugin or of the app works with. */
export interface CommandContext {
  /** The app of the project, started on its configured database, without a port. */
  readonly app: App;
  /** The values of `arguments` by name; an optional one that was not given is absent. */
  readonly arguments: Readonly<Record<string, string>>;
  /** The values of `options` in camelCase: `--dry-run` is `dryRun: true`; a repeated one is a list. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Writes a line of result to stdout. */
  print(line?: string): void;
  /** Lines of a table with aligned columns. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): string;
}

/** One command of `plinth`, contributed by a plugin or the app: `commands: { "token list": { ... } }`. */
export interface Command {
  /** For the help: starts small, without a full stop. */
  readonly description: string;
  /** What follows the command's name, in order: `["<name>", "[note]"]`; brackets mark an optional one. */
  readonly arguments?: readonly string[];
  /** Description by option: `{ "--name <text>": "how it is called", "--grant <action...>": "...", "--json": "..." }`. */
  readonly options?: Readonly<Record<string, string>>;
  /** Options that have to be given, as written in `options`. */
  readonly required?: readonly string[];
  run(context: CommandContext): void | Promise<void>;
}

declare module "../kernel/registries.js" {
  interface Registries {
    command: Command;
  }
}
