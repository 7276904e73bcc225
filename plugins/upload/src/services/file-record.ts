import type { Inspected, StoredFile, Variant } from "../contract.js";

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
