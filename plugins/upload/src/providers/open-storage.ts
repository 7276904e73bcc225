import { type App, implement, type ServiceRef, serviceRef } from "@plinth/core";
import type { UploadConfig } from "../config.js";
import { type StorageProvider, storage } from "../contract.js";
import { StorageClosedError } from "../errors.js";
import { createProvider } from "./create-provider.js";

/** Holds the provider between bootstrap and destroy: it is made asynchronously, services are not. */
class OpenStorage {
  #provider: StorageProvider | undefined;

  constructor(
    private readonly app: App,
    private readonly config: UploadConfig,
  ) {}

  /** @throws PLINTH_UPLOAD_PROVIDER_INVALID, PLINTH_UPLOAD_CONFIG_INVALID (500) */
  async open(): Promise<void> {
    this.#provider = await createProvider(this.app, this.config);
  }

  /** @throws PLINTH_UPLOAD_STORAGE_CLOSED (500) before the plugin's bootstrap */
  get provider(): StorageProvider {
    if (!this.#provider) throw new StorageClosedError({});
    return this.#provider;
  }

  async close(): Promise<void> {
    await this.#provider?.close?.();
    this.#provider = undefined;
  }
}

/** The one that holds the provider; inside of the plugin. */
export const openStorage: ServiceRef<OpenStorage> = serviceRef<OpenStorage>("plugin::upload.open-storage");

/** The services behind storage. */
export const storageImpls = [
  implement(openStorage, {
    create: (_deps, { app, config }: { app: App; config: UploadConfig }) => new OpenStorage(app, config),
  }),
  implement(storage, { deps: { open: openStorage }, create: ({ open }) => open.provider }),
];
