// Has tests keep their temporary folders in memory, where there is room for them. Node built-ins only.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, symlinkSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";
import { ROOT } from "./ensure-ready.mjs";
import { removeStale, staleFolders } from "./postgres-server.mjs";

/** Of Linux. Containers often have 64 MB of it. */
const MEMORY = "/dev/shm";
const PREFIX = "plinth-tests-";
/** Bytes: several times of what all tests have there at a time. */
const ROOM = 6 * 2 ** 30;

/**
 * Sets TMPDIR for this process and those that it starts, unless it is set, to a folder that goes with this process. Tests make
 * and delete databases of a thousand files each. ext4 without a journal looks at every inode that was deleted in the last
 * seconds for each file that it makes: that took a fifth of the processor time of all tests.
 */
export function keepTemporaryFilesInMemory() {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return;
  for (const folder of staleFolders(MEMORY, PREFIX)) {
    removeStale(folder);
    rmSync(folder, { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(MEMORY, `${PREFIX}${process.pid}-`));
  // As /tmp: a database server of root belongs to another user.
  chmodSync(folder, 0o1777);
  keepTransformed(folder);
  process.env.TMPDIR = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}

/**
 * tsx keeps what it makes of sources in a folder of TMPDIR. An empty one with each run would have each of its processes
 * transform all sources again, for a second of processor.
 */
function keepTransformed(folder) {
  const kept = join(ROOT, "node_modules", ".cache", "tsx");
  mkdirSync(kept, { recursive: true });
  symlinkSync(kept, join(folder, `tsx-${process.getuid()}`));
}

function hasRoom() {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, freemem()) >= ROOM;
}
