import { isPlinthError, reasonOf } from "@plinth/core";
import { NoSpaceError, StorageUnreachableError } from "../errors.js";

/** Codes of the operating system for a full disk or quota. */
const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);
/** The same in messages of libraries without the code. */
const FULL_WORDS = /no space left on device|disk quota exceeded/i;
/** Codes of the operating system for connections that fail, break or are silent. */
const UNREACHABLE: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
/** How storage clients name their own. */
const UNREACHABLE_NAME = "TimeoutError";

/**
 * Runs what receives and stores files.
 *
 * @throws PLINTH_UPLOAD_NO_SPACE (507) for errors of a full disk, PLINTH_UPLOAD_STORAGE_UNREACHABLE (503) for those of a
 *   connection to the storage; else what `work` throws
 */
export async function namingStorageFaults<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isFullDisk(error)) throw new NoSpaceError({}, { cause: error });
    throw isUnreachable(error) ? new StorageUnreachableError({ reason: reasonOf(error) }, { cause: error }) : error;
  }
}

/** Checks causes too: the parser of forms and the image library wrap the error. */
function isFullDisk(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return FULL.has((error as NodeJS.ErrnoException).code) || FULL_WORDS.test(error.message) || isFullDisk(error.cause);
}

/** Whether an error says that the storage does not answer; those of the database have codes of their own. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error) || isPlinthError(error)) return false;
  if (error instanceof AggregateError && error.errors.some(isUnreachable)) return true;
  return UNREACHABLE.has((error as NodeJS.ErrnoException).code) || error.name === UNREACHABLE_NAME;
}
