import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { FileStore } from "@plinth/core";
import { storage, type StoredFile } from "../contract.js";
import { keyOf, keysOf, type StoredFormat, type StoredFormats } from "./file-record.js";

/** The bytes of files, as archives carry them. */
export const archivedFiles: FileStore = {
  keysOf,
  open: async (app, key) => {
    try {
      return await app.service(storage).open(key);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  },
  keep: async (app, values, pathOf) => {
    const provider = app.service(storage);
    const put = async (key: string, mime: string, isFinal = false): Promise<StoredFile | undefined> => {
      const path = pathOf(key);
      if (path === undefined) return undefined;
      const { size } = await stat(path);
      return provider.put({ key, mime, size, isFinal, stream: () => createReadStream(path) });
    };
    const own = await put(keyOf(values), String(values["mime"]));
    const formats: [string, StoredFormat][] = [];
    for (const [name, format] of Object.entries((values["formats"] ?? {}) as StoredFormats)) {
      const stored = await put(keyOf({ ...format }), format.mime, true);
      formats.push([name, stored ? { ...format, url: stored.url } : format]);
    }
    if (!own) return values;
    const place = { url: own.url, provider: provider.name, provider_metadata: own.metadata ?? null };
    return { ...values, ...place, formats: formats.length > 0 ? Object.fromEntries(formats) : values["formats"] };
  },
};

/** What the file system says, and what S3 does. */
function isMissing(error: unknown): boolean {
  const { code, name } = error as { readonly code?: string; readonly name?: string };
  return code === "ENOENT" || name === "NoSuchKey";
}
