import { createReadStream } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract, type Headers } from "tar-stream";
import { PlinthError, reasonOf } from "@plinth/core";
import { SourceBrokenError, SourceTooLargeError } from "../errors.js";
import { type ExportLimits, MAX_HEADER_BYTES } from "./export-limits.js";

/** An entry of an export. The bytes of a file are to be read before the next entry is asked for, or never. */
export interface ExportFile {
  /** `entities/entities_00001.jsonl`, as the export has it. */
  readonly path: string;
  /** `file`, or what else it is: `symlink`, `directory`, ... */
  readonly kind: string;
  readonly size: number;
  open(): AsyncIterable<Buffer>;
}

/** What an export is read with. */
export interface ExportPlace {
  /** The path of the archive or folder. */
  readonly source: string;
  readonly limits: ExportLimits;
}

/**
 * Lists the entries of an export from its start.
 *
 * @throws PLINTH_IMPORT_SOURCE_BROKEN, PLINTH_IMPORT_SOURCE_TOO_LARGE
 */
export async function* listFiles(place: ExportPlace, isFolder: boolean): AsyncIterable<ExportFile> {
  const { source, limits } = place;
  let [files, bytes] = [0, 0];
  for await (const file of isFolder ? filesOfFolder(source) : filesOfArchive(place)) {
    files += 1;
    bytes += file.size;
    if (files > limits.files) throw new SourceTooLargeError({ source, what: "files", limit: limits.files });
    if (file.size > limits.fileBytes)
      throw new SourceTooLargeError({ source, what: `bytes in ${file.path}`, limit: limits.fileBytes });
    if (bytes > limits.bytes) throw new SourceTooLargeError({ source, what: "bytes", limit: limits.bytes });
    yield file;
  }
}

/** Links are entries of their own kind and are not followed: what is outside of the folder is no part of the export. */
async function* filesOfFolder(source: string): AsyncIterable<ExportFile> {
  const found = await readdir(source, { recursive: true, withFileTypes: true });
  const paths = found.map((entry) => join(entry.parentPath, entry.name)).sort();
  for (const file of paths) {
    const status = await lstat(file);
    const kind = status.isFile() ? "file" : status.isDirectory() ? "directory" : "symlink";
    const path = relative(source, file).split(sep).join("/");
    yield { path, kind, size: status.isFile() ? status.size : 0, open: () => createReadStream(file) };
  }
}

/** Reads an archive from its start; files that are not needed are skipped. */
async function* filesOfArchive({ source, limits }: ExportPlace): AsyncIterable<ExportFile> {
  const unpacked = extract();
  const meter = new Meter(source, limits);
  const input = createReadStream(source);
  const parts = /\.t?gz$/.test(basename(source)) ? [input, createGunzip()] : [input];
  const reading = pipeline([...parts, meter, unpacked]).catch((error: unknown) => unpacked.destroy(error as Error));
  try {
    for await (const entry of unpacked) {
      const { header } = entry;
      // What ends the archive while an entry is read ends this loop too, which says why.
      entry.on("error", () => undefined);
      meter.expect(header);
      yield { path: nameOf(header), kind: header.type ?? "special file", size: header.size ?? 0, open: () => entry };
      entry.resume();
    }
  } catch (error) {
    if (error instanceof PlinthError) throw error;
    throw new SourceBrokenError({ source, file: "the archive", reason: `cannot be read (${reasonOf(error)})` });
  } finally {
    unpacked.destroy();
    input.destroy();
    await reading;
  }
}

const nameOf = ({ name }: Headers): string => name.replace(/^(\.\/)+/, "");

/** Counts the unpacked bytes of an archive, and ends it where they belong to no file. */
class Meter extends Transform {
  #seen = 0;
  #allowed = MAX_HEADER_BYTES;

  constructor(
    private readonly source: string,
    private readonly limits: ExportLimits,
  ) {
    super();
  }

  /** The bytes of a file come next. */
  expect({ size = 0 }: Headers): void {
    this.#allowed = this.#seen + size + MAX_HEADER_BYTES;
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error?: Error | null, chunk?: Buffer) => void): void {
    this.#seen += chunk.length;
    done(this.#problem() ?? null, chunk);
  }

  #problem(): Error | undefined {
    const { source, limits } = this;
    if (this.#seen > limits.bytes) return new SourceTooLargeError({ source, what: "bytes", limit: limits.bytes });
    if (this.#seen <= this.#allowed) return undefined;
    const reason = `has more than ${MAX_HEADER_BYTES} bytes before a file, which no name needs`;
    return new SourceBrokenError({ source, file: "the archive", reason });
  }
}
