// Keeps the threads of databases in memory that were closed, emptied, for those that are opened next.
import { type EmbeddedPlace, EmbeddedThread, type ThreadListener } from "./embedded-thread.js";

/** Threads that wait at most. One holds about 300 MB with its database: the memory of PGlite, a log and a catalogue. */
const MOST = 1;

const spares: Promise<EmbeddedThread | undefined>[] = [];

/**
 * A thread with an empty database in memory: one that waits, else a new one. Opening takes 0.3 s of computing and the first
 * statements of a thread 0.9 s more; emptying takes 0.2 s.
 *
 * @throws Error with the database's own words
 */
export async function openInMemory(place: EmbeddedPlace, listener: ThreadListener): Promise<EmbeddedThread> {
  const spare = await spares.pop();
  // One that waits may have failed meanwhile.
  if (!spare?.isUsable) return EmbeddedThread.open(place, listener);
  spare.passTo(listener);
  return spare;
}

/** Empties a database in memory that is closed, for `openInMemory`; waits where its thread has to be ended instead. */
export async function keepForNext(thread: EmbeddedThread): Promise<void> {
  if (thread.unanswered > 0 || spares.length >= MOST) await thread.end();
  else spares.push(emptied(thread));
}

async function emptied(thread: EmbeddedThread): Promise<EmbeddedThread | undefined> {
  if (await thread.empty()) return thread;
  await thread.end();
  return undefined;
}
