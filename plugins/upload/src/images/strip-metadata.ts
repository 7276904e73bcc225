import { stat } from "node:fs/promises";
import { ImageBrokenError } from "../errors.js";
import type { Sharp } from "./load-sharp.js";
import { encode, type ImageFile } from "./make-variants.js";
import { reasonOf } from "./read-dimensions.js";

/** High enough that the difference is invisible. */
const QUALITY = 92;

/**
 * Writes an image again beside itself: upright, with its colours' profile, without anything else beside the picture.
 *
 * @throws PLINTH_UPLOAD_IMAGE_BROKEN (400)
 */
export async function stripMetadata(
  sharp: Sharp,
  image: ImageFile,
): Promise<{ readonly path: string; readonly size: number }> {
  const path = `${image.path}-stripped`;
  const source = sharp(image.path, { animated: image.isAnimated, failOn: "error", limitInputPixels: false });
  try {
    await encode(source.autoOrient().keepIccProfile(), image.mime, QUALITY).toFile(path);
  } catch (error) {
    throw new ImageBrokenError({ name: image.name, reason: reasonOf(error) });
  }
  return { path, size: (await stat(path)).size };
}
