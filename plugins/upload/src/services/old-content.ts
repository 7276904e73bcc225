import type { App, Document } from "@plinth/core";
import type { UploadConfig } from "../config.js";
import type { StorageProvider } from "../contract.js";
import { type OnFailure, removeKeys } from "./store-files.js";
import { removeAfterDays, type StoredKeys } from "./unused-files.js";

/** What rows no longer need in the storage: it goes once they are written. */
export class OldContent {
  readonly #stored: StoredKeys[] = [];

  constructor(
    private readonly app: App,
    private readonly config: Pick<UploadConfig, "keepDeleted">,
  ) {}

  /**
   * Takes what a file has there now; part of the caller's transaction. Where there are jobs, it stays for a while: a restored
   * database finds its files.
   */
  async add(file: Document, keys: readonly string[]): Promise<void> {
    const stored = { provider: String(file["provider"]), hash: String(file["hash"]), keys };
    this.#stored.push(stored);
    if (this.app.has("jobs")) await removeAfterDays(this.app, stored, this.config.keepDeleted);
  }

  /** Where there are none, it goes once the transaction is committed. */
  async remove(storage: StorageProvider, onFailure: OnFailure): Promise<void> {
    if (this.app.has("jobs")) return;
    const keys = this.#stored.flatMap((stored) => stored.keys);
    await removeKeys(storage, keys, onFailure);
  }
}
