import { createReadStream } from "node:fs";
import { ImageBrokenError, ImageTooLargeError } from "../errors.js";
import { readText } from "../inspect/read-text.js";
import type { Sharp } from "./load-sharp.js";

/** The data of an image's header. */
export interface Dimensions {
  /** Pixels, as seen: after the turn that a camera noted. */
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
}

/** An image, as errors call it, and what it may have. */
export interface ImageSource {
  readonly path: string;
  readonly name: string;
  readonly maxPixels: number;
}

/**
 * Reads the header of an image; no pixel of it is decoded.
 *
 * @throws PLINTH_UPLOAD_IMAGE_TOO_LARGE (400), PLINTH_UPLOAD_IMAGE_BROKEN (400)
 */
export async function readDimensions(sharp: Sharp, { path, name, maxPixels }: ImageSource): Promise<Dimensions> {
  const header = await sharp(path, { limitInputPixels: false, failOn: "error" })
    .metadata()
    .catch((error: unknown) => {
      throw new ImageBrokenError({ name, reason: reasonOf(error) });
    });
  const { autoOrient, pages = 1, format } = header;
  const isAnimated = pages > 1 && (format === "gif" || format === "webp");
  const pixels = autoOrient.width * autoOrient.height * (isAnimated ? pages : 1);
  if (pixels > maxPixels) throw new ImageTooLargeError({ name, pixels, maxPixels });
  return { width: autoOrient.width, height: autoOrient.height, isAnimated };
}

/** The first line of the library's message, which has no path. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0]?.replace(/\/\S*/g, "the file") ?? "";
}

/** Units of lengths that an SVG may have, in pixels. @source https://www.w3.org/TR/SVG2/coords.html#Units */
const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
};

/** The size that an SVG asks for: its width and height, else that of its view box. Undefined where it says none. */
export async function readSvgSize(
  path: string,
): Promise<{ readonly width: number; readonly height: number } | undefined> {
  const text = await readStartAsText(path);
  const [root = ""] = /<(?:[\w.-]+:)?svg\b[^>]*>/i.exec(text) ?? [];
  const attribute = (name: string) => new RegExp(`\\s${name}\\s*=\\s*["']\\s*([^"']*)`, "i").exec(root)?.[1] ?? "";
  const [, , boxWidth, boxHeight] = attribute("viewBox")
    .trim()
    .split(/[\s,]+/);
  const width = lengthOf(attribute("width")) ?? lengthOf(boxWidth ?? "");
  const height = lengthOf(attribute("height")) ?? lengthOf(boxHeight ?? "");
  return width === undefined || height === undefined ? undefined : { width, height };
}

async function readStartAsText(path: string): Promise<string> {
  for await (const chunk of createReadStream(path, { end: 65_535, highWaterMark: 65_536 }))
    return readText(chunk) ?? "";
  return "";
}

function lengthOf(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,7}(?:\.\d+)?)\s*([a-z]{0,2})$/i.exec(text.trim()) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  const pixels = digits === undefined || factor === undefined ? 0 : Math.round(Number(digits) * factor);
  return pixels > 0 ? pixels : undefined;
}
