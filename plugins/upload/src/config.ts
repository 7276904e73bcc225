import { availableParallelism } from "node:os";
import {
  allowed,
  byteSize,
  bytesOf,
  noList,
  option,
  options,
  type OptionsOf,
  optionsParser,
  secret,
  text,
  whole,
} from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import type { ProviderFactory } from "./contract.js";
import { ConfigInvalidError } from "./errors.js";
import { typeLists } from "./inspect/type-lists.js";

const format = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9-]{0,30}$/i),
  v.notValue("thumbnail"),
  allowed("named by letters, digits and hyphens, and not thumbnail"),
);

/** What the configuration may hold under `images`. */
const imageOptions = options({
  breakpoints: option(
    noList(v.record(format, whole(1, 16_000))),
    "The widths of the formats of images that are larger, in pixels from 1 to 16000, by the formats' names: `{ large: 1000 }`.",
    { large: 1000, medium: 750, small: 500 },
  ),
  stripMetadata: option(
    v.boolean(),
    "Whether what cameras and programs wrote beside the picture (place, time, device) goes; the picture is encoded again.",
    false,
  ),
  maxPixels: option(whole(1), "Width times height times frames of the largest image that is taken.", 100_000_000),
  concurrency: option(whole(1), "How many images this process works on at once.", Math.min(2, availableParallelism())),
});

const bytes = v.pipe(byteSize, v.transform(bytesOf));

/** What `config` of the plugin may hold. */
export const uploadConfig = v.pipe(
  options({
    provider: option(
      v.pipe(
        v.union([text(), v.custom<ProviderFactory>((value) => typeof value === "function")]),
        allowed('"local", the name of a package, or a ProviderFactory'),
      ),
      "`local`, the name of a package whose default export is a ProviderFactory, or the factory itself.",
      "local",
    ),
    providerOptions: option(
      v.pipe(noList(v.record(v.string(), v.unknown())), secret()),
      "Options of the provider; of `local`: `directory` (`.plinth/uploads`) and `maxAge` (seconds, a week; for formats of pictures).",
      {},
    ),
    sizeLimit: option(bytes, "Of one file.", "200mb"),
    totalSizeLimit: option(bytes, "Of all files of one request. Default: five times `sizeLimit`."),
    maxFiles: option(whole(1), "Files of one request.", 50),
    maxFields: option(whole(1), "Fields of one request that are no files.", 200),
    fieldsSizeLimit: option(bytes, "Of these fields together.", "1mb"),
    types: v.optional(typeLists, {}),
    images: v.optional(imageOptions, {}),
    concurrency: option(
      whole(1),
      "How many files this process looks into and stores at once; the others wait on disk.",
      4,
    ),
    temporaryDirectory: option(
      text("/var/tmp/uploads"),
      "Where files wait, before they are stored. Default: the operating system's directory for such.",
    ),
    onDeleteInUse: option(
      v.picklist(["allow", "refuse"]),
      "Whether files that documents use can be deleted without `?force=true`.",
      "allow",
    ),
    keepDeleted: option(
      whole(0, 3_650),
      "Days for which deleted files stay in the storage, so that a database that is restored to a time finds its files. Needs the plugin jobs; without it they go at once.",
      7,
    ),
    signUrls: option(
      v.boolean(),
      "Whether urls are signed by the provider when they are shown, and end after a while. A picture inside of `blocks` keeps the url that it was put in with, so it ends there: use media attributes for pictures then.",
      false,
    ),
  }),
  v.transform((config) => ({ ...config, totalSizeLimit: config.totalSizeLimit ?? 5 * config.sizeLimit })),
);

/** What config/plugins says to upload, complete; sizes in bytes. */
export type UploadConfig = OptionsOf<typeof uploadConfig>;

declare module "@plinth/core" {
  interface PluginConfigs {
    upload: UploadConfig;
  }
}

/**
 * Checks the configuration and fills in what is left out.
 *
 * @param raw - such as `{ sizeLimit: "1gb", onDeleteInUse: "refuse" }`; sizes in bytes, or as `200mb`.
 * @throws PLINTH_UPLOAD_CONFIG_INVALID (500) details `{ problems }`
 */
export const parseConfig = optionsParser(uploadConfig, ConfigInvalidError);
