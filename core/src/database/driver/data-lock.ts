import { type FileHandle, open, readFile, rm, stat, utimes } from "node:fs/promises";
import { createRequire } from "node:module";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseLockedError } from "../errors.js";
import { CLUSTER_FILE } from "./fresh-cluster.js";

/** A directory that this process has locked. */
export interface DirectoryLock {
  /** To be called when there is a cluster in the directory: locks that as well. @throws as lockDirectory */
  secure(): Promise<void>;
  /** Gives the directory back. */
  release(): Promise<void>;
}

/**
 * Claims a directory for this process, such as the data of PGlite, which has no lock of its own: two processes on one
 * silently lose rows. The operating system holds the lock: it ends with the process and not before, and does not
 * depend on host names or process ids, also for containers that share the directory, for a process that was paused, and
 * when the lock file was deleted, because a file of the cluster is locked as well. Where no such lock can be had, as on some
 * network disks, it is a file alone. Not proper-lockfile: a holder that was paused for 12 s lost its lock there.
 *
 * @throws PLINTH_DATABASE_LOCKED (503) details `{ directory, file, pid, host }`
 */
export async function lockDirectory(directory: string, kernel = loadKernelLock()): Promise<DirectoryLock> {
  const file = join(resolve(directory), LOCK_FILE);
  if (!kernel) return { secure: async () => undefined, release: await lockByFile(directory) };
  const held: FileHandle[] = [];
  const claim = async (path: string, flags: string): Promise<void> => {
    const handle = await openLocked(kernel, path, flags);
    if (handle) held.push(handle);
    else throw lockedError(directory, file, await readHolder(file));
  };
  const letGo = () => Promise.all(held.splice(0).map((handle) => handle.close()));
  // A file that every cluster needs cannot be deleted as a lock file can.
  const secure = async () => {
    const path = join(resolve(directory), CLUSTER_FILE);
    if (held.length < 2 && (await exists(path))) await claim(path, "r+");
  };
  try {
    await claim(file, "a+");
    await secure();
    const own: LockHolder = { pid: process.pid, host: hostname(), token: crypto.randomUUID() };
    await held[0]?.truncate();
    await held[0]?.writeFile(JSON.stringify(own));
  } catch (error) {
    await letGo();
    if (!isUnsupported(error)) throw error;
    return { secure: async () => undefined, release: await lockByFile(directory) };
  }
  return {
    secure,
    release: async () => {
      await rm(file, { force: true });
      await letGo();
    },
  };
}

/** The file, open and locked; undefined when another process has it. One that was deleted meanwhile is opened again. */
async function openLocked(kernel: KernelLock, path: string, flags: string): Promise<FileHandle | undefined> {
  for (;;) {
    const handle = await open(path, flags);
    const isOurs = await tryLock(kernel, handle);
    if (!isOurs) return undefined;
    const [locked, named] = await Promise.all([handle.stat(), stat(path).catch(() => undefined)]);
    if (named?.ino === locked.ino) return handle;
    await handle.close();
  }
}

/** Whether the lock on an open file is ours now; else the file is closed. @throws the system's error */
async function tryLock(kernel: KernelLock, handle: FileHandle): Promise<boolean> {
  try {
    if (kernel.tryLock(handle.fd)) return true;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return false;
}

/** Whether a file system keeps no locks at all: two processes have to choose the same kind of lock. */
const isUnsupported = (error: unknown): boolean =>
  ["ENOTSUP", "EOPNOTSUPP", "ENOSYS"].some((code) => isCode(error, code));

function lockedError(directory: string, file: string, holder: LockHolder | undefined): Error {
  return new DatabaseLockedError({ directory, file, pid: holder?.pid ?? 0, host: holder?.host ?? "an unknown host" });
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Locks on open files that the operating system holds, until the file is closed or its process has ended. */
interface KernelLock {
  /** Whether the lock on an open file, which has to be open for writing, is ours now. */
  tryLock(descriptor: number): boolean;
}

/** Undefined where there is none: the package brings compiled code for Linux with glibc, macOS and Windows. */
function loadKernelLock(): KernelLock | undefined {
  try {
    return createRequire(import.meta.url)("fs-native-extensions") as KernelLock;
  } catch {
    return undefined;
  }
}

/** Name of the lock file inside the data directory. */
export const LOCK_FILE = "plinth.lock";

/** How often the holder touches its file, and how old a file of another host may be, in milliseconds. */
const HEARTBEAT = 10_000;
const FOREIGN_LOCK_LIFE = 60_000;
/**
 * After this pause, in milliseconds, what another process was about to write is in the file: of two that both replace a
 * stale one, the loser sees the winner's.
 */
const TAKEOVER_PAUSE = 100;

/** The process that uses a directory, by its lock file. */
interface LockHolder {
  readonly pid: number;
  readonly host: string;
  readonly token: string;
}

/** Directories that this process has open: a restarted container often gets the pid of the killed one. */
const heldHere = new Set<string>();

/**
 * Claims a data directory by a file in it, where the system holds no lock. A file left behind by a killed process is
 * recognised and replaced. What it cannot distinguish: processes of two containers with the same host name and process
 * id, and a holder of another host that is paused for longer than a minute.
 *
 * @returns a function that releases the directory
 * @throws PLINTH_DATABASE_LOCKED (503) details `{ directory, file, pid, host }`
 */
export async function lockByFile(directory: string): Promise<() => Promise<void>> {
  const file = join(resolve(directory), LOCK_FILE);
  const own: LockHolder = { pid: process.pid, host: hostname(), token: crypto.randomUUID() };
  if (!(await writeNew(file, own))) await takeOver(file, own, directory);
  heldHere.add(file);
  const heartbeat = setInterval(() => void touch(file), HEARTBEAT).unref();
  return async () => {
    clearInterval(heartbeat);
    heldHere.delete(file);
    await rm(file, { force: true });
  };
}

async function writeNew(file: string, lock: LockHolder): Promise<boolean> {
  try {
    const handle = await open(file, "wx");
    await handle.writeFile(JSON.stringify(lock));
    await handle.close();
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

async function takeOver(file: string, own: LockHolder, directory: string): Promise<void> {
  const holder = await readFinished(file);
  if (holder && (await isAlive(holder, file)))
    throw new DatabaseLockedError({ directory, file, pid: holder.pid, host: holder.host });
  await rm(file, { force: true });
  await writeNew(file, own);
  await sleep(TAKEOVER_PAUSE);
  const winner = await readHolder(file);
  if (winner?.token !== own.token) {
    throw new DatabaseLockedError({ directory, file, pid: winner?.pid ?? 0, host: winner?.host ?? "an unknown host" });
  }
}

async function isAlive(lock: LockHolder, file: string): Promise<boolean> {
  if (lock.host !== hostname()) return (await ageOf(file)) < FOREIGN_LOCK_LIFE;
  return lock.pid === process.pid ? heldHere.has(file) : isRunning(lock.pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, "EPERM");
  }
}

/** The lock in a file that another process may be about to write: between making and filling it, it is empty. */
async function readFinished(file: string): Promise<LockHolder | undefined> {
  const lock = await readHolder(file);
  if (lock) return lock;
  await sleep(TAKEOVER_PAUSE);
  return readHolder(file);
}

/** The holder that a file names; undefined when it is gone or was cut off while being written. */
async function readHolder(file: string): Promise<LockHolder | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as LockHolder;
  } catch (error) {
    if (error instanceof SyntaxError || isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

async function ageOf(file: string): Promise<number> {
  const handle = await open(file);
  try {
    return Date.now() - (await handle.stat()).mtimeMs;
  } finally {
    await handle.close();
  }
}

/** A time that could not be written is written the next time. A directory that was deleted needs no protection. */
async function touch(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now).catch(() => undefined);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
