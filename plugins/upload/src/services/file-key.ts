import { randomBytes } from "node:crypto";
import { extname } from "node:path";
import { NameInvalidError } from "../errors.js";

const MAX_NAME = 255;
const MAX_SLUG = 60;
const RANDOM_BYTES = 5;

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
const FORBIDDEN = /[/\\\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/;

/**
 * Checks the name that a client gives a file; it is shown and never used as a path.
 *
 * @throws PLINTH_UPLOAD_NAME_INVALID (400)
 * @source plugins/content-api/WIRE.md#files
 */
export function assertName(name: string): void {
  const isDots = /^\.*$/.test(name.trim());
  if (isDots || name.length > MAX_NAME || FORBIDDEN.test(name)) throw new NameInvalidError({});
}

/** A new hash of a file, such as `harbour_1f2e3d4c5b`: its name in ASCII, and random digits that cannot be guessed. */
export function createHash(name: string): string {
  return `${slugOf(name)}_${randomDigits()}`;
}

/** Ten hexadecimal digits. */
export function randomDigits(): string {
  return randomBytes(RANDOM_BYTES).toString("hex");
}

/** Letters lose their accents; what is not in ASCII then becomes `_`. */
function slugOf(name: string): string {
  const stem = name.slice(0, name.length - extname(name).length);
  const ascii = stem.normalize("NFKD").replace(/\p{M}/gu, "");
  const slug = ascii.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
  return slug.slice(0, MAX_SLUG) || "file";
}
