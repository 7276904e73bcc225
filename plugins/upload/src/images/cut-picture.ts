import { stat } from "node:fs/promises";
import pLimit from "p-limit";
import { ImageBrokenError } from "../errors.js";
import { loadSharp } from "./load-sharp.js";
import { encode } from "./make-variants.js";
import { reasonOf } from "./read-dimensions.js";

/** Pixels of a picture as it is seen. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A picture on disk. */
export interface CutSource {
  readonly path: string;
  readonly name: string;
  readonly mime: string;
  readonly isAnimated: boolean;
}

/** High enough that the difference is invisible. */
const QUALITY = 92;

/** One at a time in a process: an original is decoded whole. */
const inTurn = pLimit(1);

/**
 * Writes a part of a picture beside it, of the same type, upright, with its colours' profile; an animation stays one.
 *
 * @returns where it is, and its bytes.
 * @throws PLINTH_UPLOAD_IMAGE_BROKEN (400)
 */
export function cutPicture(
  { path, name, mime, isAnimated }: CutSource,
  { x, y, width, height }: Area,
): Promise<{ readonly path: string; readonly size: number }> {
  return inTurn(async () => {
    const sharp = await loadSharp();
    const to = `${path}-cut`;
    const source = sharp(path, { animated: isAnimated, failOn: "error", limitInputPixels: false });
    const part = source.autoOrient().extract({ left: x, top: y, width, height });
    try {
      await encode(part.keepIccProfile(), mime, QUALITY).toFile(to);
    } catch (error) {
      throw new ImageBrokenError({ name, reason: reasonOf(error) });
    }
    return { path: to, size: (await stat(to)).size };
  });
}
