import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type App, implement, type ServiceRef, serviceRef } from "@plinth/core";
import type { UploadConfig } from "../config.js";
import { type ProviderFactory, storage, type StorageProvider } from "../contract.js";
import { ConfigInvalidError, ProviderInvalidError, StorageClosedError } from "../errors.js";
import { storageCheck } from "../services/storage-check.js";
import { localProvider } from "./local-provider.js";

/** Holds the provider between bootstrap and destroy: it is made asynchronously, services are not. */
class OpenStorage {
  #provider: StorageProvider | undefined;
  #unwatch: (() => void) | undefined;

  constructor(
    private readonly app: App,
    private readonly config: UploadConfig,
  ) {}

  /** @throws PLINTH_UPLOAD_PROVIDER_INVALID, PLINTH_UPLOAD_CONFIG_INVALID (500) */
  async open(): Promise<void> {
    this.#provider = await createProvider(this.app, this.config);
    const check = storageCheck(this.#provider, this.config.sizeLimit);
    this.#unwatch = check && this.app.health.add(check);
  }

  /** @throws PLINTH_UPLOAD_STORAGE_CLOSED (500) before the plugin's bootstrap */
  get provider(): StorageProvider {
    if (!this.#provider) throw new StorageClosedError({});
    return this.#provider;
  }

  async close(): Promise<void> {
    this.#unwatch?.();
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

/**
 * Makes the provider that the configuration names. Packages are looked for from the project.
 *
 * @throws PLINTH_UPLOAD_PROVIDER_INVALID, PLINTH_UPLOAD_CONFIG_INVALID (500)
 */
async function createProvider(app: App, config: UploadConfig): Promise<StorageProvider> {
  const factory = await factoryOf(app, config.provider);
  const provider = await factory({ app, options: config.providerOptions });
  if (config.signUrls && !provider.signUrl) {
    throw new ConfigInvalidError({ problems: [`signUrls: the provider "${provider.name}" cannot sign urls`] });
  }
  return provider;
}

async function factoryOf(app: App, provider: UploadConfig["provider"]): Promise<ProviderFactory> {
  if (typeof provider === "function") return provider;
  if (provider === "local") return localProvider;
  const found = await importDefault(app, provider);
  if (typeof found !== "function") {
    throw new ProviderInvalidError({ provider, reason: "is a package without a factory as its default export" });
  }
  return found as ProviderFactory;
}

async function importDefault(app: App, provider: string): Promise<unknown> {
  try {
    const path = createRequire(pathToFileURL(join(app.root, "package.json"))).resolve(provider);
    const exports = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
    return exports.default;
  } catch (cause) {
    throw new ProviderInvalidError({ provider, reason: "cannot be loaded" }, { cause });
  }
}
