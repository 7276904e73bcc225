import { createReadStream } from "node:fs";
import type { FileToStore, Inspected, StorageProvider, StoredFile, Variant } from "../contract.js";
import { formatOf, randomDigits, type StoredFormat, type StoredFormats } from "./file-record.js";

/** Called for a file that could not be removed. */
export type OnFailure = (error: unknown, key: string) => void;

/** A file on disk that is to be stored. */
type Content = Pick<Variant, "path" | "mime" | "size">;

/** The file that variants are of. */
export interface VariantOwner {
  readonly hash: string;
  readonly name: string;
  readonly isNew: boolean;
}

/** Stores the parts of one request, and removes them when the request fails. */
export class StoreRun {
  readonly #stored: string[] = [];

  constructor(private readonly provider: StorageProvider) {}

  /** Stores a file under a key that nothing has yet. */
  async put(key: string, content: Content): Promise<StoredFile> {
    return await this.#put(toStore(key, content));
  }

  async #put(file: FileToStore): Promise<StoredFile> {
    // Recorded before: a provider that fails half-way may have left something.
    this.#stored.push(file.key);
    return await this.provider.put(file);
  }

  /** Stores a file in place of another; this is not taken back. */
  async overwrite(key: string, content: Content): Promise<void> {
    await this.provider.put(toStore(key, content));
  }

  /** Stores the variants of a file. Of a file that had others, they get hashes that those do not have. */
  async putVariants({ variants }: Inspected, { hash, name, isNew }: VariantOwner): Promise<StoredFormats | null> {
    const formats: Record<string, StoredFormat> = {};
    for (const variant of variants) {
      const own = `${variant.name}_${hash}${isNew ? "" : `_${randomDigits()}`}`;
      const { url } = await this.#put({ ...toStore(`${own}${variant.ext}`, variant), isFinal: true });
      formats[variant.name] = formatOf(variant, { hash: own, url, fileName: name });
    }
    return variants.length > 0 ? formats : null;
  }

  /** Removes all that was stored. */
  async undo(onFailure: OnFailure): Promise<void> {
    await removeKeys(this.provider, this.#stored.splice(0), onFailure);
  }
}

/** Removes files from the storage; a failure does not stop the others. */
export async function removeKeys(
  provider: StorageProvider,
  keys: readonly string[],
  onFailure: OnFailure,
): Promise<void> {
  await Promise.all(keys.map((key) => provider.delete(key).catch((error: unknown) => onFailure(error, key))));
}

/** The results of all, or the first failure when every one has ended: nothing runs on after a failure. */
export async function allOrNone<T>(tasks: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(tasks);
  return await Promise.all(tasks);
}

function toStore(key: string, { path, mime, size }: Content): FileToStore {
  return { key, mime, size, stream: () => createReadStream(path) };
}
