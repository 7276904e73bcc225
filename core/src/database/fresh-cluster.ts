import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, sep } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";

const PACKAGE = "@electric-sql/pglite";

/** A constant, once read or made. */
let cluster: Promise<Blob> | undefined;

/**
 * The archive of an empty cluster. Making one takes 3 s of computing, loading one 0.6 s: it is kept for all databases of
 * this process, and for the next one in `node_modules/.cache/plinth`, where that can be written.
 */
export function freshCluster(): Promise<Blob> {
  cluster ??= readOrMake();
  return cluster;
}

async function readOrMake(): Promise<Blob> {
  const file = await cacheFile();
  const kept = await readKept(file);
  if (kept) return kept;
  const pglite = await PGlite.create("memory://");
  const made = await pglite.dumpDataDir("none");
  await pglite.close();
  await keep(file, made);
  return made;
}

/** Of this version of the package: another one may have other catalogues. */
async function cacheFile(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve(PACKAGE);
  const modules = entry.slice(0, entry.lastIndexOf(`${sep}node_modules${sep}`) + `${sep}node_modules`.length);
  const { version } = JSON.parse(await readFile(join(modules, PACKAGE, "package.json"), "utf8")) as { version: string };
  return join(modules, ".cache", "plinth", `pglite-${version}.tar.gz`);
}

async function readKept(file: string): Promise<Blob | undefined> {
  try {
    return new Blob([new Uint8Array(await promisify(gunzip)(await readFile(file)))]);
  } catch {
    // Not there, or not whole: it is made again.
    return undefined;
  }
}

/** Under its name when it is whole; several processes may be at it. */
async function keep(file: string, made: Blob): Promise<void> {
  const unfinished = `${file}.${process.pid}`;
  try {
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(unfinished, await promisify(gzip)(await made.arrayBuffer()));
    await rename(unfinished, file);
  } catch {
    // Folders of packages may be read-only, as in containers: then every process makes its own.
  }
}
