import { NoSpaceError } from "../errors.js";

/** How the system says that a disk, or the share of it that one may use, is full. */
const CODES: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);
/** How libraries say it that keep the system's words only. */
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

/** Looks at the causes, too: the parser of forms, and who decodes images, say that something else is wrong. */
function isFullDisk(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return CODES.has((error as NodeJS.ErrnoException).code) || WORDS.test(error.message) || isFullDisk(error.cause);
}
