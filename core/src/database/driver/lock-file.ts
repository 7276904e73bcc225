import { open, readFile, rm, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseLockedError } from "../errors.js";

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
export interface LockHolder {
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
export async function readHolder(file: string): Promise<LockHolder | undefined> {
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
