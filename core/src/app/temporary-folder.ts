// Folders that are gone after some work, also where its process was killed: the next work removes them.
import { mkdir, mkdtemp, readdir, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DirectoryLock, lockDirectory } from "../database/driver/data-lock.js";
import { DatabaseLockedError } from "../database/errors.js";

const PREFIX = "plinth-temporary-";
/** Beside the lock file. */
const CONTENT = "content";
/** Files may be created while the first are removed. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 } as const;
/** What the system says of a folder that another process has removed. */
const GONE = "ENOENT";
/** The same of a file, and of a folder that another user made. */
const NOT_OURS = ["ENOTDIR", "EACCES", "EPERM"];

/** A folder that only its owner may enter. */
export interface TemporaryFolder {
  readonly path: string;
  /** Removes it with all that is in it. */
  remove(): Promise<void>;
}

/**
 * Makes a folder, and removes those that processes left behind which were killed. The lock of the operating system says which
 * those are: names of hosts and ids of processes do not, where containers share a folder.
 *
 * @param purpose - for the name: `plinth-temporary-<purpose>-x1y2z3`
 * @param parent - default: the system's folder of temporary files (`TMPDIR`)
 * @throws the system's error
 */
export async function makeTemporaryFolder(purpose: string, parent = tmpdir()): Promise<TemporaryFolder> {
  await removeLeftFolders(parent);
  for (;;) {
    const folder = await mkdtemp(join(parent, `${PREFIX}${purpose}-`));
    const lock = await lockOf(folder);
    // Another process took it for one that was left behind, before it was locked.
    if (!lock) continue;
    const path = join(folder, CONTENT);
    await mkdir(path);
    return { path, remove: () => removeLocked(folder, lock) };
  }
}

/** Does some work with a folder, as `makeTemporaryFolder` makes it, which is gone afterwards, however the work ends. */
export async function withTemporaryFolder<T>(
  purpose: string,
  work: (path: string) => Promise<T>,
  parent?: string,
): Promise<T> {
  const folder = await makeTemporaryFolder(purpose, parent);
  try {
    return await work(folder.path);
  } finally {
    await folder.remove();
  }
}

async function removeLeftFolders(parent: string): Promise<void> {
  // Of a parent that cannot be listed, making a folder in it says what is wrong.
  const names = await readdir(parent).catch((): string[] => []);
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const folder = join(parent, name);
    const lock = await lockOf(folder, NOT_OURS);
    if (lock) await removeLocked(folder, lock);
  }
}

/** The lock on a folder; undefined where another process has it or has removed it, or the system says one of `refusals`. */
async function lockOf(folder: string, refusals: readonly string[] = []): Promise<DirectoryLock | undefined> {
  try {
    return await lockDirectory(folder);
  } catch (error) {
    if (DatabaseLockedError.is(error) || [GONE, ...refusals].includes(codeOf(error))) return undefined;
    throw error;
  }
}

/** The content goes while the lock is held. Afterwards another process may have taken the empty folder: it removes it, too. */
async function removeLocked(folder: string, lock: DirectoryLock): Promise<void> {
  await rm(join(folder, CONTENT), REMOVAL);
  await lock.release();
  await rmdir(folder).catch((error: unknown) => {
    if (!["ENOTEMPTY", "EEXIST", GONE].includes(codeOf(error))) throw error;
  });
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";
