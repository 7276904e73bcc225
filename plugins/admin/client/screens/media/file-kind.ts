import type { LibraryFile } from "../../../src/wire/files.js";

/** Whether browsers show a file as a picture. */
export const isPicture = ({ mime, url }: LibraryFile): boolean => mime.startsWith("image/") && url !== "";

/** Types of pictures that are made of pixels, of which a part can be cut. */
const CUT = new Set(["image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/tiff"]);

/** Whether a part of a file can be cut. */
export const canBeCut = ({ mime, width, height }: LibraryFile): boolean =>
  CUT.has(mime) && width !== null && height !== null;

/** The url of a file as it is now: a replaced one keeps its url, and browsers keep what they had there. */
export const freshUrl = ({ url, updatedAt }: LibraryFile): string =>
  url.includes("?") || updatedAt === "" ? url : `${url}?v=${Date.parse(updatedAt)}`;

/** The url of a small picture of it. Those that are made of a file get urls of their own when it is replaced. */
export const thumbnailUrl = (file: LibraryFile): string =>
  file.thumbnail === null || file.thumbnail === file.url ? freshUrl(file) : file.thumbnail;
