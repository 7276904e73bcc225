/** The public entry of the upload plugin: the plugin itself, its contract, and what providers are made with. */
export { uploadPlugin as default, uploadPlugin } from "./plugin.js";
export type { UploadConfig } from "./config.js";
export type {
  ByteRange,
  ChangeOptions,
  DeleteOptions,
  FileInfo,
  FileKey,
  Files,
  FileToStore,
  FileUse,
  FileView,
  Inspected,
  Inspector,
  LinkTarget,
  ProviderContext,
  ProviderFactory,
  ReceivedFile,
  StorageEntry,
  StorageProvider,
  StorageState,
  StoredFile,
  UploadOptions,
  Variant,
} from "./contract.js";
export { files, inspector, storage } from "./contract.js";
export { ConfigInvalidError } from "./errors.js";
export { assertKey, isKey } from "./providers/storage-key.js";
