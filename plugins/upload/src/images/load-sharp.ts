import type sharpFunction from "sharp";

/** The library that decodes and encodes images. */
export type Sharp = typeof sharpFunction;

let loading: Promise<Sharp> | undefined;

/** Loads the library with the first image, because it is large and not every app has images. */
export function loadSharp(): Promise<Sharp> {
  loading ??= import("sharp").then(({ default: sharp }) => {
    // One thread an image, and our own number of images at once; nothing is kept of images that are done.
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  });
  return loading;
}
