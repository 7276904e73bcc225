import { randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import { mkdtemp, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { DatabaseConfig } from "../../database/driver/connect.js";

/** Where the process listens that has an embedded database open. */
export interface SocketAddress {
  /** The data directory, without symbolic links: a copied project has the file of another one. */
  readonly directory: string;
  /** Of a unix socket, or of a named pipe. */
  readonly path: string;
  /** What a caller has to know: who may read the file with it is believed. */
  readonly token: string;
  readonly pid: number;
  /** Such as `plinth develop`. */
  readonly by: string;
}

/** Bytes of a path that a unix socket may have; a longer one would be cut off. */
const LONGEST = process.platform === "linux" ? 107 : 103;
const OTHER_FOLDER = join(tmpdir(), "plinth-");

/** The folder of an embedded database that only one process can have open; undefined for all others. */
export function sharedDirectory(config: DatabaseConfig): string | undefined {
  return config.client === "pglite" && config.directory !== ":memory:" ? config.directory : undefined;
}

/** Beside the data, because the lock of the data says whose it is: `.plinth/data.running.json`. */
const fileOf = (directory: string): string => `${directory}.running.json`;

/** The address for a data directory, or undefined where no process has written one for it; it may be of one that was killed. */
export async function readAddress(directory: string): Promise<SocketAddress | undefined> {
  try {
    const address = JSON.parse(await readFile(fileOf(directory), "utf8")) as SocketAddress;
    return address.directory === realpathSync(directory) ? address : undefined;
  } catch {
    // None, somebody else's, or of a process that was killed while it wrote: the lock of the data decides.
    return undefined;
  }
}

/** Makes an address for a data directory that this process has locked. What a killed process left is removed. */
export async function createAddress(directory: string, by: string): Promise<SocketAddress> {
  const left = await readAddress(directory);
  if (left) await removeSocket(left.path);
  const token = randomBytes(32).toString("base64url");
  const path = await pathFor(directory, token);
  return { directory: realpathSync(directory), path, token, pid: process.pid, by };
}

async function pathFor(directory: string, token: string): Promise<string> {
  if (process.platform === "win32") return `\\\\.\\pipe\\plinth-${token.slice(0, 16)}`;
  const path = `${directory}.sock`;
  if (Buffer.byteLength(path) > LONGEST) return join(await mkdtemp(OTHER_FOLDER), "data.sock");
  await rm(path, { force: true });
  return path;
}

/** Lets callers find the address; the file is whole or not there, and only its owner may read it. */
export async function publishAddress(directory: string, address: SocketAddress): Promise<void> {
  const file = fileOf(directory);
  const unfinished = `${file}.${address.pid}`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, JSON.stringify(address), { mode: 0o600, flag: "wx" });
  await rename(unfinished, file);
}

/** Takes an address back, its socket too. */
export async function withdrawAddress(directory: string, { path }: SocketAddress): Promise<void> {
  await rm(fileOf(directory), { force: true });
  await removeSocket(path);
}

async function removeSocket(path: string): Promise<void> {
  if (process.platform === "win32") return;
  await rm(path, { force: true });
  // It is empty, unless it is not ours.
  if (path.startsWith(OTHER_FOLDER)) await rmdir(dirname(path)).catch(() => undefined);
}
