import type { StorageProvider } from "@plinth/plugin-upload";
import { parseS3Options } from "./s3-options.js";
import type { S3Provider } from "./s3-provider.js";

/**
 * The provider that keeps files in S3, or in a storage with its protocol. The client, which is large, is loaded on
 * first use.
 *
 * @throws PLINTH_UPLOAD_CONFIG_INVALID (500)
 */
export function createS3Provider(given: Readonly<Record<string, unknown>>): StorageProvider {
  const options = parseS3Options(given);
  let loading: Promise<S3Provider> | undefined;
  const load = (): Promise<S3Provider> => {
    loading ??= import("./s3-provider.js").then((module) => new module.S3Provider(options));
    return loading;
  };
  return {
    name: "s3",
    put: async (file) => (await load()).put(file),
    open: async (key, range) => (await load()).open(key, range),
    delete: async (key) => (await load()).delete(key),
    async *list() {
      yield* (await load()).list();
    },
    origins: async () => (await load()).origins(),
    signUrl: async (key) => (await load()).signUrl(key),
    check: async () => (await load()).check(),
    close: async () => (await loading)?.close(),
  };
}
