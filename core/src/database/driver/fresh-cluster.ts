import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, sep } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";

const PACKAGE = "@electric-sql/pglite";

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

async function readOrMake(): Promise<Blob> {
  const file = await cacheFile();
  const kept = await readKept(file);
  if (kept) return kept;
  const pglite = await PGlite.create("memory://");
  const made = await pglite.dumpDataDir("none");
  await pglite.close();
  await keep(file, made);
  // Another process may have been quicker: then all have the same one.
  return (await readKept(file)) ?? made;
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
