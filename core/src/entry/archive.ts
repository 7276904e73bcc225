/** `@plinth/core/archive`: archives that somebody else may have written, read within limits, and folders for their files. */
export type { ArchivedRows } from "../app/archive/archived-rows.js";
export { packedFiles } from "../app/archive/packed-files.js";
export {
  type ListedFile,
  NO_READ_LIMITS,
  printable,
  READ_LIMITS,
  type ReadGuard,
  type ReadLimits,
  withinLimits,
} from "../app/archive/read-guard.js";
export { type Line, parseJson, readLines, readText } from "../app/archive/read-lines.js";
export { makeTemporaryFolder, type TemporaryFolder, withTemporaryFolder } from "../app/temporary-folder.js";
