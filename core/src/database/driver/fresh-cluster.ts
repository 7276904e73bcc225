// The archive of an empty cluster, by which an embedded database begins in a quarter of a second in place of three.
import { mkdirSync, writeFileSync } from "node:fs";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, sep } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";

const PACKAGE = "@electric-sql/pglite";

/** A file of every cluster, which needs it. */
export const CLUSTER_FILE = "PG_VERSION";
/** The file that says how a cluster was left. */
export const CONTROL_FILE = "global/pg_control";
/** The last entries of the archive: a directory without them is no cluster, so a start that was killed meanwhile begins again. */
const LAST = [CONTROL_FILE, CLUSTER_FILE];

/** An empty cluster. */
export interface Cluster {
  /** Its archive, in memory that threads share. */
  readonly tar: Uint8Array;
  /** A folder comes before those that are in it. */
  readonly entries: readonly ClusterEntry[];
}

/** A file or folder of a cluster. */
export interface ClusterEntry {
  /** From the data directory, such as `base/5/1259`. */
  readonly path: string;
  /** Where the archive has the content; a folder has none. */
  readonly content: { readonly start: number; readonly end: number } | undefined;
}

/** Cached after its first use. */
let cluster: Promise<Cluster> | undefined;

/**
 * An empty cluster. Making one takes 3 s of computing, writing its files 0.1 s: it is kept for all databases of this process,
 * and for the next one in `node_modules/.cache/plinth`, where that can be written.
 */
export function freshCluster(): Promise<Cluster> {
  cluster ??= readOrMake().then(readCluster);
  return cluster;
}

/**
 * The same, where it is kept already; else undefined. To make it takes as long as to make one lasting database, which then
 * needs no archive.
 */
export async function keptCluster(): Promise<Cluster | undefined> {
  if (cluster) return cluster;
  const tar = await readKept(await cacheFile());
  return tar && readCluster(tar);
}

/**
 * Writes the files of a cluster. Without a pause: that takes 40 ms, and a third of the processor time of waiting for
 * each of a thousand files.
 */
export function writeCluster({ tar, entries }: Cluster, directory: string): void {
  for (const { path, content } of entries) {
    const place = join(directory, path);
    if (content) writeFileSync(place, tar.subarray(content.start, content.end), { mode: 0o600 });
    else mkdirSync(place, { recursive: true, mode: 0o700 });
  }
}

async function readOrMake(): Promise<Uint8Array> {
  const file = await cacheFile();
  const kept = await readKept(file);
  if (kept) return kept;
  const pglite = await PGlite.create("memory://");
  const dumped = await pglite.dumpDataDir("none");
  await pglite.close();
  const made = inOrder(new Uint8Array(await dumped.arrayBuffer()));
  await keep(file, made);
  // Another process may have been quicker: then all have the same one.
  return (await readKept(file)) ?? made;
}

/** Of this version of the package: another one may have other catalogues. */
async function cacheFile(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve(PACKAGE);
  const modules = entry.slice(0, entry.lastIndexOf(`${sep}node_modules${sep}`) + `${sep}node_modules`.length);
  const { version } = JSON.parse(await readFile(join(modules, PACKAGE, "package.json"), "utf8")) as { version: string };
  return join(modules, ".cache", "plinth", `cluster-${version}.tar.gz`);
}

async function readKept(file: string): Promise<Uint8Array | undefined> {
  try {
    return await promisify(gunzip)(await readFile(file));
  } catch (error) {
    // It is made again, in place of an incomplete one.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") await remove(file);
    return undefined;
  }
}

/** Renamed when it is complete, and never over another one: several processes may make it at once. */
async function keep(file: string, made: Uint8Array): Promise<void> {
  const unfinished = `${file}.${process.pid}`;
  try {
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(unfinished, await promisify(gzip)(made));
    await link(unfinished, file);
  } catch {
    // It is there already. Or folders of packages are read-only, as in containers: then every process makes its own.
  }
  await remove(unfinished);
}

/** Where that cannot be done, nothing was written either. */
const remove = (file: string): Promise<void> => rm(file, { force: true }).catch(() => undefined);

function readCluster(archive: Uint8Array): Cluster {
  const tar = new Uint8Array(new SharedArrayBuffer(archive.length));
  tar.set(archive);
  const entries = entriesOf(archive).map(({ path, isFolder, start, size }): ClusterEntry => {
    const content = { start: start + BLOCK, end: start + BLOCK + size };
    return { path, content: isFolder ? undefined : content };
  });
  return { tar, entries };
}

/** The archive with its entries in the order in which they may be written. */
function inOrder(tar: Uint8Array): Uint8Array {
  const entries = entriesOf(tar);
  const ordered = entries.toSorted((one, other) => LAST.indexOf(one.path) - LAST.indexOf(other.path));
  const rest = entries.reduce((at, { end }) => Math.max(at, end), 0);
  return Buffer.concat([...ordered.map(({ start, end }) => tar.subarray(start, end)), tar.subarray(rest)]);
}

/** Bytes: an entry of a tar archive is a header of one block, and the blocks of its content. */
const BLOCK = 512;
/**
 * The kind of an entry that is a folder.
 *
 * @source https://www.gnu.org/software/tar/manual/html_node/Standard.html, DIRTYPE
 */
const FOLDER = "5";

/** An entry of a tar archive: from the start of its header to the end of its blocks. */
interface TarEntry {
  readonly path: string;
  readonly isFolder: boolean;
  readonly start: number;
  readonly end: number;
  /** Bytes of its content. */
  readonly size: number;
}

function entriesOf(tar: Uint8Array): readonly TarEntry[] {
  const entries: TarEntry[] = [];
  let start = 0;
  // The name begins a header; blocks of zeros end the archive.
  while (tar[start]) {
    const size = Number.parseInt(textIn(tar, start + 124, 12), 8);
    const end = start + BLOCK * (1 + Math.ceil(size / BLOCK));
    const path = textIn(tar, start, 100).replace(/^\//, "");
    entries.push({ path, isFolder: textIn(tar, start + 156, 1) === FOLDER, start, end, size });
    start = end;
  }
  return entries;
}

/** The text of a field of a header, which zeros fill. */
const textIn = (tar: Uint8Array, start: number, length: number): string =>
  Buffer.from(tar.subarray(start, start + length))
    .toString("latin1")
    .replace(/\0.*/s, "");
