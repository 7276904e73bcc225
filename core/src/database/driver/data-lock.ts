import { createRequire } from "node:module";
import { type FileHandle, open, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseLockedError } from "../errors.js";
import { LOCK_FILE, type LockHolder, lockByFile, readHolder } from "./lock-file.js";

/** A file of every cluster, which needs it: it cannot be deleted as a lock file can. */
const CLUSTER_FILE = "PG_VERSION";

/** A data directory that this process has locked. */
export interface DirectoryLock {
  /** To be called when there is a cluster in the directory: locks that as well. @throws as lockDirectory */
  secure(): Promise<void>;
  /** Gives the directory back. */
  release(): Promise<void>;
}

/**
 * Claims a data directory for this process. PGlite has no lock of its own, and two processes on one directory
 * silently lose rows. The operating system holds the lock: it ends with the process and not before, and does not
 * depend on host names or process ids, also for containers that share the directory, for a process that was paused, and
 * when the lock file was deleted, because a file of the cluster is locked as well. Where no such lock can be had, it is
 * a file alone. Not proper-lockfile: a holder that was paused for 12 s lost its lock there.
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
    throw error;
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
    if (!kernel.tryLock(handle.fd)) {
      await handle.close();
      return undefined;
    }
    const [locked, named] = await Promise.all([handle.stat(), stat(path).catch(() => undefined)]);
    if (named?.ino === locked.ino) return handle;
    await handle.close();
  }
}

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
