import { randomBytes } from "node:crypto";
import { extname } from "node:path";
import type { Inspected, StoredFile, Variant } from "../contract.js";
import { NameInvalidError } from "../errors.js";

const BYTES_PER_KB = 1000;

/** A format as `formats` keeps it. @source plugins/content-api/WIRE.md#files */
export interface StoredFormat {
  readonly ext: string;
  readonly url: string;
  readonly hash: string;
  readonly mime: string;
  readonly name: string;
  readonly path: null;
  /** Kilobytes. */
  readonly size: number;
  readonly width: number;
  readonly height: number;
  readonly sizeInBytes: number;
}

/** Formats by name: `thumbnail`, `small`. */
export type StoredFormats = Readonly<Record<string, StoredFormat>>;

/** The columns that follow from the content of a file. */
export function contentFields({ mime, width, height, size }: Inspected) {
  return { mime, width: width ?? null, height: height ?? null, size: kilobytes(size) };
}

/** The columns of a new file, beside its info. */
export type NewRecord = ReturnType<typeof newRecord>;

/** The row of a file that was stored. */
export function newRecord(content: Inspected, place: NewPlace) {
  const { hash, provider, stored, formats } = place;
  return {
    ...contentFields(content),
    ...{ hash, ext: content.ext || null, url: stored.url, provider, provider_metadata: stored.metadata ?? null },
    formats,
  };
}

interface NewPlace {
  readonly hash: string;
  readonly provider: string;
  readonly stored: StoredFile;
  readonly formats: StoredFormats | null;
}

/** A variant as `formats` keeps it. */
export function formatOf(variant: Variant, place: { hash: string; url: string; fileName: string }): StoredFormat {
  const { name, ext, mime, width, height, size } = variant;
  return {
    ...{ ext, url: place.url, hash: place.hash, mime, name: `${name}_${place.fileName}`, path: null },
    ...{ size: kilobytes(size), width, height, sizeInBytes: size },
  };
}

/** The keys in the storage of a file and of its formats. */
export function keysOf(file: Readonly<Record<string, unknown>>): readonly string[] {
  return [keyOf(file), ...formatKeys(file["formats"])];
}

/** The key of the file itself. */
export function keyOf(file: Readonly<Record<string, unknown>>): string {
  return `${file["hash"]}${file["ext"] ?? ""}`;
}

/** The keys of formats; none for null. */
export function formatKeys(formats: unknown): readonly string[] {
  return Object.values((formats ?? {}) as StoredFormats).map(({ hash, ext }) => `${hash}${ext}`);
}

const kilobytes = (bytes: number): number => Math.round((bytes / BYTES_PER_KB) * 100) / 100;

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
