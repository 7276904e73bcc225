import { availableParallelism } from "node:os";
import { allowed, noList, option, options, whole, type OptionsOf } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";

const format = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9-]{0,30}$/i),
  v.notValue("thumbnail"),
  allowed("named by letters, digits and hyphens, and not thumbnail"),
);

/** What the configuration may hold under `images`. */
export const imageOptions = options({
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

/** What becomes of images. */
export type ImageOptions = OptionsOf<typeof imageOptions>;
