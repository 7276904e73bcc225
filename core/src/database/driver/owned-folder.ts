// A folder for data that only its owner may read.
import { chmod, mkdir, stat } from "node:fs/promises";
import { reasonOf } from "../../base/error.js";
import type { DatabaseLog } from "./database.js";

/** All of the owner, nothing of others; nothing inside can be reached then, of any mode. */
const OWNER_ONLY = 0o700;
/** What users beside the owner may do. */
const OTHERS = 0o077;

/**
 * Makes a folder that only its owner may enter, and closes an existing one to others, as PostgreSQL asks of its own. One that
 * belongs to somebody else stays as it is, with a warning. Windows has no such modes.
 *
 * @source https://www.postgresql.org/docs/current/creating-cluster.html
 */
export async function makeOwnedFolder(folder: string, log: DatabaseLog): Promise<void> {
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY });
  if (process.platform === "win32") return;
  const { mode } = await stat(folder);
  if ((mode & OTHERS) === 0) return;
  try {
    await chmod(folder, OWNER_ONLY);
  } catch (error) {
    log.warn(
      { folder, reason: reasonOf(error) },
      "Other users of this machine may read the embedded database: let the owner of its folder run chmod 700 on it",
    );
  }
}
