/** Pixels. */
export interface Size {
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
export function fitInside(image: Size, box: Size, mime: string): Size {
  const ratio = ratioOf(image, box);
  const divisor = (mime === "image/jpeg" && DIVISORS.find((n) => ratio >= n + 1)) || 1;
  const read = { width: Math.floor(image.width / divisor), height: Math.floor(image.height / divisor) };
  const scale = Math.max(1, ratioOf(read, box));
  return {
    width: Math.max(1, Math.round(read.width / scale)),
    height: Math.max(1, Math.round(read.height / scale)),
  };
}

const ratioOf = (image: Size, box: Size): number => Math.max(image.width / box.width, image.height / box.height);
