import { type Fail, isRecord, parseBytes, parseCount } from "./config-values.js";
import type { ProviderFactory } from "./contract.js";
import { ConfigInvalidError } from "./errors.js";
import { DEFAULT_IMAGE_OPTIONS, type ImageOptions, parseImageOptions } from "./images/image-options.js";
import { ALL_TYPES, parseTypeLists, type TypeLists } from "./inspect/type-lists.js";

/** What config/plugins says to upload, complete. */
export interface UploadConfig {
  /** `local`, the name of a package whose default export is a ProviderFactory, or the factory itself. */
  readonly provider: string | ProviderFactory;
  /** What the provider is told; of `local`: `directory` (`.plinth/uploads`) and `maxAge` (seconds, a week). */
  readonly providerOptions: Readonly<Record<string, unknown>>;
  /** Bytes of one file. */
  readonly sizeLimit: number;
  /** Bytes of all files of one request. Default: five times `sizeLimit`. */
  readonly totalSizeLimit: number;
  /** Files of one request. */
  readonly maxFiles: number;
  /** Fields of one request that are no files. */
  readonly maxFields: number;
  /** Bytes of these fields together. */
  readonly fieldsSizeLimit: number;
  /** Which types of files are taken, at every entry. */
  readonly types: TypeLists;
  /** What becomes of images. */
  readonly images: ImageOptions;
  /** How many files this process looks into and stores at once; the others wait on disk. */
  readonly concurrency: number;
  /** Where files wait, before they are stored. Default: the operating system's directory for such. */
  readonly temporaryDirectory: string | undefined;
  /** Whether files that documents use can be deleted without `?force=true`. */
  readonly onDeleteInUse: "allow" | "refuse";
  /** Whether urls are signed by the provider when they are shown, and end after a while. */
  readonly signUrls: boolean;
}

declare module "@plinth/core" {
  interface PluginConfigs {
    upload: UploadConfig;
  }
}

const MEBIBYTE = 1024 ** 2;

const DEFAULTS: Omit<UploadConfig, "totalSizeLimit"> = {
  provider: "local",
  providerOptions: {},
  sizeLimit: 200 * MEBIBYTE,
  maxFiles: 50,
  maxFields: 200,
  fieldsSizeLimit: MEBIBYTE,
  types: ALL_TYPES,
  images: DEFAULT_IMAGE_OPTIONS,
  concurrency: 4,
  temporaryDirectory: undefined,
  onDeleteInUse: "allow",
  signUrls: false,
};

/** What one key becomes, or what is wrong with it. */
type KeyParser = (value: unknown, fail: Fail) => unknown;

/** One row a key of the configuration. */
const KEYS: Readonly<Record<keyof UploadConfig, KeyParser>> = {
  provider: (value, fail) => {
    const isProvider = (typeof value === "string" && value !== "") || typeof value === "function";
    if (!isProvider) fail('must be "local", the name of a package, or a ProviderFactory');
    return value;
  },
  providerOptions: (value, fail) => {
    if (!isRecord(value)) fail("must be an object");
    return value;
  },
  sizeLimit: parseBytes,
  totalSizeLimit: parseBytes,
  maxFiles: parseCount,
  maxFields: parseCount,
  fieldsSizeLimit: parseBytes,
  types: parseTypeLists,
  images: parseImageOptions,
  concurrency: parseCount,
  temporaryDirectory: (value, fail) => {
    if (typeof value !== "string" || value === "") fail("must be the path of a directory");
    return value;
  },
  onDeleteInUse: (value, fail) => {
    if (value !== "allow" && value !== "refuse") fail('must be "allow" or "refuse"');
    return value;
  },
  signUrls: (value, fail) => {
    if (typeof value !== "boolean") fail("must be true or false");
    return value;
  },
};

/**
 * Checks the configuration and fills in what is left out.
 *
 * @param raw - such as `{ sizeLimit: "1gb", onDeleteInUse: "refuse" }`; sizes in bytes, or as `200mb`.
 * @throws PLINTH_UPLOAD_CONFIG_INVALID (500) details `{ problems }`
 */
export function parseConfig(raw: unknown): UploadConfig {
  const given = raw === undefined ? {} : raw;
  if (!isRecord(given)) throw new ConfigInvalidError({ problems: ["it must be an object"] });
  const problems: string[] = [];
  const config: Record<string, unknown> = { ...DEFAULTS };
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(KEYS, key)) problems.push(`${key} is not known; known are ${Object.keys(KEYS).join(", ")}`);
    else if (value !== undefined) {
      config[key] = KEYS[key as keyof UploadConfig](value, (reason) => problems.push(`${key} ${reason}`));
    }
  }
  if (problems.length > 0) throw new ConfigInvalidError({ problems });
  config["totalSizeLimit"] ??= 5 * (config["sizeLimit"] as number);
  return Object.freeze(config) as unknown as UploadConfig;
}
