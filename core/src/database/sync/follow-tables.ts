import type { Database, DatabaseLog } from "../driver/database.js";
import type { Layout } from "../layout/layout.js";
import { readCarried } from "./read-carried.js";

/** Channel of the message that a change of the tables sends, in its transaction; the text is the hash of the new snapshot. */
export const SCHEMA_CHANNEL = "schema";

/**
 * Keeps `layout.carried` in step with the tables while other versions of the app change them: reads what they hold
 * again when a change says so, and whenever such a message may have been lost.
 *
 * @returns ends it; a reading that is under way changes nothing any more.
 */
export function followTables(db: Database, { model, carried }: Layout, log: DatabaseLog): () => void {
  let isReading = false;
  let isStale = false;
  let hasEnded = false;
  const read = async (): Promise<void> => {
    while (isStale && !hasEnded) {
      isStale = false;
      try {
        const found = await readCarried(db, model, { isUpkeep: true });
        if (!hasEnded) carried?.replace(found);
      } catch (err) {
        // The listener has lost its connection as well, and says so again once it has a new one.
        if (!hasEnded) log.warn({ err }, "The columns of the tables could not be read again");
      }
    }
    isReading = false;
  };
  const readAgain = (): void => {
    isStale = true;
    if (isReading) return;
    isReading = true;
    void read();
  };
  const leave = db.messages.subscribe(SCHEMA_CHANNEL, { onMessage: readAgain, onLost: readAgain });
  return () => {
    hasEnded = true;
    leave();
  };
}
