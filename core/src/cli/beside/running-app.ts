import type { AppSetup } from "../../app/app-setup.js";
import type { App } from "../../kernel/app.js";

/** A process's app that others may run commands in, while it has the embedded database open. */
export interface RunningApp {
  /** How it was started: `plinth develop`. */
  readonly by: string;
  /** Folder of its project. */
  readonly root: string;
  /** The version that serves now. */
  readonly app: App;
  /** Keeps the version that serves now from being stopped until `work` is over. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /** The project as its files are now. @throws what loading throws */
  read(): Promise<AppSetup>;
}
