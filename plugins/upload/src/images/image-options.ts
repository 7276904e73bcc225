import { availableParallelism } from "node:os";
import { type Fail, isRecord, parseCount } from "../config-values.js";

/** What becomes of images. */
export interface ImageOptions {
  /** The widths of the formats of images that are larger, in pixels, by the formats' names: `{ large: 1000 }`. */
  readonly breakpoints: Readonly<Record<string, number>>;
  /** Whether what cameras and programs wrote beside the picture (place, time, device) goes; the picture is encoded anew. */
  readonly stripMetadata: boolean;
  /** Width times height times frames of the largest image that is taken. */
  readonly maxPixels: number;
  /** How many images this process works on at once. */
  readonly concurrency: number;
}

/** As the field has them. */
export const DEFAULT_IMAGE_OPTIONS: ImageOptions = {
  breakpoints: { large: 1000, medium: 750, small: 500 },
  stripMetadata: false,
  maxPixels: 100_000_000,
  concurrency: Math.min(2, availableParallelism()),
};

const KEYS: Readonly<Record<keyof ImageOptions, (value: unknown, fail: Fail) => unknown>> = {
  breakpoints: parseBreakpoints,
  stripMetadata: (value, fail) => {
    if (typeof value !== "boolean") fail("must be true or false");
    return value;
  },
  maxPixels: parseCount,
  concurrency: parseCount,
};

/** Reads `images` of the configuration: `{ breakpoints: { xlarge: 1920 }, stripMetadata: true }`. */
export function parseImageOptions(value: unknown, fail: Fail): ImageOptions {
  const options: Record<string, unknown> = { ...DEFAULT_IMAGE_OPTIONS };
  if (!isRecord(value)) {
    fail("must be an object such as { stripMetadata: true }");
    return DEFAULT_IMAGE_OPTIONS;
  }
  for (const [key, part] of Object.entries(value)) {
    if (!Object.hasOwn(KEYS, key))
      fail(`has the key ${key}, which is not known; known are ${Object.keys(KEYS).join(", ")}`);
    else if (part !== undefined) {
      options[key] = KEYS[key as keyof ImageOptions](part, (reason) => fail(`has ${key}, which ${reason}`));
    }
  }
  return options as unknown as ImageOptions;
}

function parseBreakpoints(value: unknown, fail: Fail): Readonly<Record<string, number>> {
  const entries = isRecord(value) ? Object.entries(value) : undefined;
  const isValid = entries?.every(([name, width]) => /^[a-z][a-z0-9-]{0,30}$/i.test(name) && isWidth(width));
  const hasThumbnail = entries?.some(([name]) => name === "thumbnail");
  if (isValid && !hasThumbnail) return value as Record<string, number>;
  fail("must give widths from 1 to 16000 pixels to names other than thumbnail, such as { large: 1000 }");
  return DEFAULT_IMAGE_OPTIONS.breakpoints;
}

const isWidth = (value: unknown): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 16_000;
