import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "plinth-upload-";
/** A directory of that age was left behind by a killed process. */
const MAX_AGE = 24 * 60 * 60 * 1000;
/** Files may be created while the first are removed. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 } as const;

/** Runs some work with a directory of its own, which is gone afterwards, however the work ends. */
export async function withTemporaryDirectory<T>(
  parent: string | undefined,
  work: (directory: string) => Promise<T>,
): Promise<T> {
  const root = parent ?? tmpdir();
  await mkdir(root, { recursive: true });
  const directory = await mkdtemp(join(root, PREFIX));
  try {
    return await work(directory);
  } finally {
    await rm(directory, REMOVAL);
  }
}

/** Removes what processes that were killed left behind. */
export async function removeLeftovers(parent: string | undefined): Promise<void> {
  const root = parent ?? tmpdir();
  const names = (await readdir(root).catch(() => [])).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    const directory = join(root, name);
    const found = await stat(directory).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > MAX_AGE) await rm(directory, REMOVAL);
  }
}
