// The archive of an empty cluster, by which an embedded database begins in half a second in place of three.
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

/** Cached after its first use. */
let cluster: Promise<Blob> | undefined;

/**
 * The archive of an empty cluster. Making one takes 3 s of computing, loading one 0.6 s: it is kept for all databases of
 * this process, and for the next one in `node_modules/.cache/plinth`, where that can be written.
 */
export function freshCluster(): Promise<Blob> {
  cluster ??= readOrMake();
  return cluster;
}

/**
 * The same, where it is kept already; else undefined. To make it takes as long as to make one lasting database, which then
 * needs no archive.
 */
export async function keptCluster(): Promise<Blob | undefined> {
  return cluster ?? (await readKept(await cacheFile()));
}

async function readOrMake(): Promise<Blob> {
  const file = await cacheFile();
  const kept = await readKept(file);
  if (kept) return kept;
  const pglite = await PGlite.create("memory://");
  const dumped = await pglite.dumpDataDir("none");
  await pglite.close();
  const made = new Blob([inOrder(new Uint8Array(await dumped.arrayBuffer()))]);
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

async function readKept(file: string): Promise<Blob | undefined> {
  try {
    return new Blob([new Uint8Array(await promisify(gunzip)(await readFile(file)))]);
  } catch (error) {
    // It is made again, in place of an incomplete one.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") await remove(file);
    return undefined;
  }
}

/** Renamed when it is complete, and never over another one: several processes may make it at once. */
async function keep(file: string, made: Blob): Promise<void> {
  const unfinished = `${file}.${process.pid}`;
  try {
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(unfinished, await promisify(gzip)(await made.arrayBuffer()));
    await link(unfinished, file);
  } catch {
    // It is there already. Or folders of packages are read-only, as in containers: then every process makes its own.
  }
  await remove(unfinished);
}

/** Where that cannot be done, nothing was written either. */
const remove = (file: string): Promise<void> => rm(file, { force: true }).catch(() => undefined);

/** Bytes: an entry of a tar archive is a header of one block, and the blocks of its content. */
const BLOCK = 512;

/** The archive with its entries in the order in which they may be written. */
function inOrder(tar: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const entries: { readonly rank: number; readonly bytes: Uint8Array }[] = [];
  let at = 0;
  // The name begins a header; blocks of zeros end the archive.
  while (tar[at]) {
    const size = Number.parseInt(textIn(tar, at + 124, 12), 8);
    const end = at + BLOCK * (1 + Math.ceil(size / BLOCK));
    const name = textIn(tar, at, 100).replace(/^\//, "");
    entries.push({ rank: LAST.indexOf(name), bytes: tar.subarray(at, end) });
    at = end;
  }
  const ordered = entries.toSorted((one, other) => one.rank - other.rank).map(({ bytes }) => bytes);
  return new Uint8Array(Buffer.concat([...ordered, tar.subarray(at)]));
}

/** The text of a field of a header, which zeros fill. */
const textIn = (tar: Uint8Array, start: number, length: number): string =>
  Buffer.from(tar.subarray(start, start + length))
    .toString("latin1")
    .replace(/\0.*/s, "");
