import type { Readable } from "node:stream";
import type { App } from "../../kernel/app.js";
import type { LoadedVersion } from "../../documents/load/loaded-version.js";

/** The bytes that belong to documents of a content-type, for archives. A plugin that keeps files registers one by uid. */
export interface FileStore {
  /** The keys of a version's bytes: letters, digits, `_`, `-` and `.`. */
  keysOf(values: LoadedVersion["values"]): readonly string[];
  /** Reads bytes; undefined when there are none. */
  open(app: App, key: string): Promise<Readable | undefined>;
  /**
   * Keeps the bytes of a version.
   *
   * @param pathOf - the file that has the bytes of a key; undefined for one that the archive lacks.
   * @returns the values of the version with its new addresses
   */
  keep(
    app: App,
    values: LoadedVersion["values"],
    pathOf: (key: string) => string | undefined,
  ): Promise<LoadedVersion["values"]>;
}

declare module "../../kernel/registries.js" {
  interface Registries {
    "file-store": FileStore;
  }
}

/** What keeps the bytes of a content-type; undefined for one without any. */
export function fileStoreOf(app: App, uid: string): FileStore | undefined {
  const stores = app.registry("file-store");
  return stores.has(uid) ? stores.get(uid) : undefined;
}

/** Names that bytes may have in an archive: no path, and nothing that has to be escaped. */
export const isFileKey = (key: string): boolean => /^[\w-][\w.-]{0,254}$/.test(key);
