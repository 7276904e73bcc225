import { createReadStream, existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { reasonOf } from "../../base/error.js";
import { SourceBrokenError, SourceEncryptedError, SourceUnknownError, SourceVersionError } from "./errors.js";
import type { ExportedAsset, StrapiExport } from "./export-format.js";

/** A file of an export; it is to be read before the next one is asked for. */
interface ExportFile {
  /** `entities/entities_00001.jsonl` */
  readonly path: string;
  readonly size: number;
  open(): Readable;
}

type Files = () => AsyncIterable<ExportFile>;

const ASSETS = "assets/uploads/";

/**
 * Opens an export: `.tar.gz`, `.tar`, or the folder that one was unpacked into.
 *
 * @throws PLINTH_IMPORT_SOURCE_UNKNOWN, PLINTH_IMPORT_SOURCE_ENCRYPTED, PLINTH_IMPORT_SOURCE_VERSION,
 * PLINTH_IMPORT_SOURCE_BROKEN
 */
export async function openExport(source: string): Promise<StrapiExport> {
  if (source.endsWith(".enc")) throw new SourceEncryptedError({ source });
  if (!existsSync(source)) throw new SourceUnknownError({ source, reason: "there is no such file" });
  const files = (await stat(source)).isDirectory() ? () => filesOfFolder(source) : () => filesOfArchive(source);
  const version = await readVersion(source, files);
  if (!version.startsWith("5.")) throw new SourceVersionError({ source, version });
  return {
    source,
    version,
    async *lines(folder) {
      for await (const file of files())
        if (file.path.startsWith(`${folder}/`) && file.path.endsWith(".jsonl")) yield* linesOf(source, file);
    },
    async *assets(): AsyncIterable<ExportedAsset> {
      for await (const { path, size, open } of files())
        if (path.startsWith(ASSETS)) yield { key: path.slice(ASSETS.length), size, stream: open() };
    },
  };
}

async function readVersion(source: string, files: Files): Promise<string> {
  for await (const { path, open } of files()) {
    if (path !== "metadata.json") continue;
    const metadata = parseJson(source, path, (await open().toArray()).join("")) as {
      readonly strapi?: { readonly version?: string };
    };
    return metadata.strapi?.version ?? "of an unknown version";
  }
  throw new SourceUnknownError({ source, reason: "it holds no metadata.json" });
}

async function* linesOf<Line>(source: string, { path, open }: ExportFile): AsyncIterable<Line> {
  for await (const line of createInterface({ input: open(), crlfDelay: Number.POSITIVE_INFINITY }))
    if (line.trim() !== "") yield parseJson(source, path, line) as Line;
}

function parseJson(source: string, file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SourceBrokenError({ source, file, reason: `holds a line that is no JSON (${reasonOf(error)})` });
  }
}

async function* filesOfFolder(source: string): AsyncIterable<ExportFile> {
  const paths = await readdir(source, { recursive: true });
  for (const name of paths.sort()) {
    const file = join(source, name);
    const found = await stat(file);
    const path = name.replaceAll("\\", "/");
    if (found.isFile()) yield { path, size: found.size, open: () => createReadStream(file) };
  }
}

/** Reads an archive from its start; files that nobody reads are passed over. */
async function* filesOfArchive(source: string): AsyncIterable<ExportFile> {
  const unpacked = extract();
  const input = createReadStream(source);
  const parts = /\.t?gz$/.test(basename(source)) ? [input, createGunzip()] : [input];
  const reading = pipeline([...parts, unpacked]).catch((error: unknown) => unpacked.destroy(error as Error));
  try {
    for await (const entry of unpacked) {
      const { name, size = 0, type } = entry.header;
      if (type === "file") yield { path: name.replace(/^(\.\/)+/, ""), size, open: () => Readable.from(entry) };
      entry.resume();
    }
  } catch (error) {
    throw new SourceBrokenError({ source, file: "the archive", reason: `cannot be read (${reasonOf(error)})` });
  } finally {
    unpacked.destroy();
    input.destroy();
    await reading;
  }
}
