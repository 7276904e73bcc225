import { type App, type ServiceRef, serviceRef } from "@plinth/core";
import { readSchemaFiles } from "./schema-files.js";

/** The schema files as this version of the app started with them. */
export class ServedFiles {
  readonly #texts = new Map<string, string | null>();

  constructor(private readonly app: App) {}

  /** Keeps what they hold at the start; only where the app can be changed, for nothing else asks. */
  async note(): Promise<void> {
    if (!this.app.sources) return;
    for (const { path, text } of await readSchemaFiles(this.app)) if (path !== null) this.#texts.set(path, text);
  }

  /** Paths of those that hold something else by now, or are gone: a start reads all of them, also those that it is not about. */
  async changed(): Promise<readonly string[]> {
    const files = await readSchemaFiles(this.app);
    return files
      .flatMap(({ path, text }) => (path !== null && this.#texts.get(path) !== text ? [path] : []))
      .toSorted();
  }
}

/** The service `plugin::admin.served-files`. */
export const servedFiles: ServiceRef<ServedFiles> = serviceRef<ServedFiles>("plugin::admin.served-files");
