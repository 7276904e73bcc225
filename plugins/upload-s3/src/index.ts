/** The public entry: the factory that the upload plugin calls, for S3 and storages that speak its protocol. */
import type { ProviderFactory } from "@plinth/plugin-upload";
import { createS3Provider } from "./create-s3-provider.js";

export type { S3Options } from "./s3-options.js";

/** Makes the provider from `providerOptions`. @throws PLINTH_UPLOAD_CONFIG_INVALID (500) */
export const s3Provider: ProviderFactory = ({ options }) => createS3Provider(options);

export default s3Provider;
