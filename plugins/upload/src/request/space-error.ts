import { NoSpaceError } from "../errors.js";

/** Codes of the operating system for a full disk or quota. */
const CODES: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);
/** The same in messages of libraries without the code. */
const WORDS = /no space left on device|disk quota exceeded/i;

/**
 * Runs what receives and stores files.
 *
 * @throws PLINTH_UPLOAD_NO_SPACE (507) for errors of a full disk; else what `work` throws
 */
export async function namingFullDisks<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw isFullDisk(error) ? new NoSpaceError({}, { cause: error }) : error;
  }
}

/** Checks causes too: the parser of forms and the image library wrap the error. */
function isFullDisk(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return CODES.has((error as NodeJS.ErrnoException).code) || WORDS.test(error.message) || isFullDisk(error.cause);
}
