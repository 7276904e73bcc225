import { stat } from "node:fs/promises";
import { implement, type ServiceImpl } from "@plinth/core";
import pLimit from "p-limit";
import type { UploadConfig } from "../config.js";
import { type Inspected, type Inspector, inspector, type ReceivedFile } from "../contract.js";
import { ImageBrokenError } from "../errors.js";
import { loadSharp, type Sharp } from "../images/load-sharp.js";
import { encode, type ImageFile, makeVariants } from "../images/make-variants.js";
import { readDimensions, readSvgSize, reasonOf } from "../images/read-dimensions.js";
import type { FileType } from "./file-types.js";
import { refusePolyglotImage } from "./refuse-polyglot.js";
import { refuseActiveSvg } from "./refuse-svg.js";
import { assertTaken } from "./type-lists.js";

/** Images that are decoded; others are kept as they are, without formats. */
export const DECODED = new Set(["image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/tiff"]);

/** Makes the service that detects the types of files. */
export const inspectorImpl: ServiceImpl<UploadConfig> = implement<Inspector, Record<never, never>, UploadConfig>(
  inspector,
  { create: (_deps, { config }) => createInspector(config) },
);

/**
 * Decides what files are.
 *
 * @param options - which types are allowed, and what becomes of images.
 */
export function createInspector({ types, images }: Pick<UploadConfig, "types" | "images">): Inspector {
  const limit = pLimit(images.concurrency);
  return {
    async inspect(file) {
      // Loaded with the first file: the library of signatures is large.
      const { detectType } = await import("./detect-type.js");
      const type = await detectType(file.path, file.name);
      assertTaken(type.mime, file.name, types);
      if (type.mime === "image/svg+xml") return inspectSvg(file, type);
      if (!type.mime.startsWith("image/")) return plainFile(file, type);
      await refusePolyglotImage(file.path, { name: file.name, mime: type.mime });
      return DECODED.has(type.mime) ? limit(() => inspectImage(file, type, images)) : plainFile(file, type);
    },
  };
}

function plainFile({ path, size }: ReceivedFile, { mime, ext }: FileType): Inspected {
  const isImage = mime.startsWith("image/");
  return { path, size, mime, ext, isImage, width: undefined, height: undefined, isAnimated: false, variants: [] };
}

async function inspectSvg(file: ReceivedFile, type: FileType): Promise<Inspected> {
  await refuseActiveSvg(file.path, file.name);
  return { ...plainFile(file, type), ...(await readSvgSize(file.path)) };
}

async function inspectImage(file: ReceivedFile, type: FileType, options: UploadConfig["images"]): Promise<Inspected> {
  const sharp = await loadSharp();
  const { path, name, size } = file;
  const dimensions = await readDimensions(sharp, { path, name, maxPixels: options.maxPixels });
  const image = { path, name, ...type, ...dimensions };
  const variants = await makeVariants(sharp, image, options.breakpoints);
  const kept = options.stripMetadata ? await stripMetadata(sharp, image) : { path, size };
  return { ...plainFile(file, type), ...dimensions, ...kept, variants };
}

/** High enough that the difference is invisible. */
const QUALITY = 92;

/**
 * Writes an image again beside itself: upright, with its colours' profile, without anything else beside the picture.
 *
 * @throws PLINTH_UPLOAD_IMAGE_BROKEN (400)
 */
async function stripMetadata(
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
