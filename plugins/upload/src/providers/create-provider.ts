import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { App } from "@plinth/core";
import type { UploadConfig } from "../config.js";
import type { ProviderFactory, StorageProvider } from "../contract.js";
import { ConfigInvalidError, ProviderInvalidError } from "../errors.js";
import { localProvider } from "./local-provider.js";

/**
 * Makes the provider that the configuration names. Packages are looked for from the project.
 *
 * @throws PLINTH_UPLOAD_PROVIDER_INVALID, PLINTH_UPLOAD_CONFIG_INVALID (500)
 */
export async function createProvider(app: App, config: UploadConfig): Promise<StorageProvider> {
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
