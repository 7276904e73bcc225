import { stat } from "node:fs/promises";
import type { Sharp as Image } from "sharp";
import type { Variant } from "../contract.js";
import { ImageBrokenError } from "../errors.js";
import type { FileType } from "../inspect/file-types.js";
import type { Sharp } from "./load-sharp.js";
import { type Dimensions, reasonOf } from "./read-dimensions.js";

/** The largest box; the field's name and size for it. */
const THUMBNAIL = { name: "thumbnail", width: 245, height: 156 };

/** The quality of what is encoded again. */
const QUALITY = 82;

/** An image on disk whose header was read. */
export interface ImageFile extends FileType, Dimensions {
  readonly path: string;
  readonly name: string;
}

/** A format to be made: the box that it fits into. */
interface Box extends Size {
  readonly name: string;
}

/**
 * Decodes an image, and makes the formats that are smaller than it, beside it on disk. An animation stays one.
 *
 * @param breakpoints - widths by name; a format fits into a square of its width.
 * @throws PLINTH_UPLOAD_IMAGE_BROKEN (400)
 */
export async function makeVariants(
  sharp: Sharp,
  image: ImageFile,
  breakpoints: Readonly<Record<string, number>>,
): Promise<readonly Variant[]> {
  const boxes = boxesOf(image, breakpoints);
  try {
    if (!image.isAnimated) return await makeStill(sharp, image, boxes);
    const open = () => sharp(image.path, { animated: true, failOn: "error", limitInputPixels: false });
    if (boxes.length === 0) await open().stats();
    return await inOrder(boxes, (box) => save(open(), box, image));
  } catch (error) {
    throw new ImageBrokenError({ name: image.name, reason: reasonOf(error) });
  }
}

function boxesOf({ width, height }: Dimensions, breakpoints: Readonly<Record<string, number>>): readonly Box[] {
  const boxes = Object.entries(breakpoints).map(([name, size]) => ({ name, width: size, height: size }));
  return [THUMBNAIL, ...boxes].filter((box) => width > box.width || height > box.height);
}

/** Decoded once, to the size of the largest format; the others are made from that. */
async function makeStill(sharp: Sharp, image: ImageFile, boxes: readonly Box[]): Promise<readonly Variant[]> {
  const side = Math.max(1, ...boxes.map(({ width, height }) => Math.max(width, height)));
  const { data, info } = await sharp(image.path, { failOn: "error", limitInputPixels: false })
    .autoOrient()
    .resize({ ...fitInside(image, { width: side, height: side }, image.mime), fit: "fill" })
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return inOrder(boxes, (box) => save(sharp(data, { raw: { width, height, channels } }), box, image));
}

async function save(source: Image, box: Box, image: ImageFile): Promise<Variant> {
  const path = `${image.path}-${box.name}`;
  const { mime, ext } = variantType(image);
  const { width, height } = fitInside(image, box, image.mime);
  await encode(source.resize({ width, height, fit: "fill" }), mime).toFile(path);
  const { size } = await stat(path);
  return { name: box.name, path, ext, mime, width, height, size };
}

/** No browser shows TIFF, and encoding AVIF takes seconds. */
const SHOWN_AS: Readonly<Record<string, FileType>> = {
  "image/tiff": { mime: "image/jpeg", ext: ".jpg" },
  "image/avif": { mime: "image/webp", ext: ".webp" },
};

const variantType = ({ mime, ext }: FileType): FileType => SHOWN_AS[mime] ?? { mime, ext };

/** Sets what an image is encoded as. */
export function encode(image: Image, mime: string, quality = QUALITY): Image {
  switch (mime) {
    case "image/png":
      return image.png();
    case "image/gif":
      return image.gif();
    case "image/webp":
      return image.webp({ quality });
    case "image/avif":
      return image.avif({ quality: Math.round(quality * 0.75) });
    case "image/tiff":
      return image.tiff({ compression: "lzw" });
    default:
      return image.flatten({ background: "#ffffff" }).jpeg({ quality, mozjpeg: false, progressive: true });
  }
}

/** One after the other, because each of them takes a processor for itself. */
async function inOrder<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** Pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** The scale factors of a JPEG decoder. */
const DIVISORS = [8, 4, 2];

/**
 * The size that an image has when it is made to fit into a box, as if it were resized in one step: never larger than it is,
 * never less than a pixel.
 *
 * One step on a JPEG is a division by the decoder, which drops what is left over, and then a resize that rounds. We decode
 * once for all formats, so the size is calculated here and not taken from what was already rounded.
 *
 * @source test/plugins/upload/images.test.ts, measured with sharp: the decoder divides by n where the image is at
 *   least n + 1 times as large as the box
 */
function fitInside(image: Size, box: Size, mime: string): Size {
  const ratio = ratioOf(image, box);
  const divisor = (mime === "image/jpeg" && DIVISORS.find((n) => ratio >= n + 1)) || 1;
  const read = { width: Math.floor(image.width / divisor), height: Math.floor(image.height / divisor) };
  const scale = Math.max(1, ratioOf(read, box));
  return { width: Math.max(1, Math.round(read.width / scale)), height: Math.max(1, Math.round(read.height / scale)) };
}

const ratioOf = (image: Size, box: Size): number => Math.max(image.width / box.width, image.height / box.height);
