import { isAlike } from "./equal.js";
import { type JournalEntry, type JournalKey, listJournals } from "./journal.js";
import { deviceName, putWorkingCopy, readWorkingCopy } from "./working-copies.js";

/**
 * Sends what this browser kept of an account and the server did not get: of a form that was closed meanwhile, or of another
 * tab.
 *
 * @returns what the server has by now; this browser needs it no longer
 */
export async function sendJournals(account: string): Promise<readonly JournalKey[]> {
  const sent = await Promise.all(
    (await listJournals(account)).map(async ({ key, entry }) => ((await isThere(key, entry)) ? [key] : [])),
  );
  return sent.flat();
}

async function isThere(key: JournalKey, entry: JournalEntry): Promise<boolean> {
  const there = await readWorkingCopy(key);
  if (there === undefined) return false;
  if (there && isAlike(there.changes, entry.changes)) return true;
  // What another browser wrote is not replaced; this one asks about both when the document is opened here.
  if (there && there.device !== deviceName()) return false;
  return await putWorkingCopy(key, entry);
}
