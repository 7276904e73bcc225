import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { mkdir, readFile, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize, sep } from "node:path";
import { reasonOf } from "../../base/error.js";
import type { SourceFile } from "../../app/sources.js";
import { SourceOutsideError, SourcesChangedError, SourcesNotWrittenError } from "./errors.js";

/** The end of a file that waits to take the place of another: nothing reads it, and no change of it counts. */
export const WAITING = ".plinth-new";

/**
 * Writes files of a project, all or none: each is written beside its place first, and takes it at once.
 *
 * @throws PLINTH_SOURCES_OUTSIDE, PLINTH_SOURCES_CHANGED, PLINTH_SOURCES_NOT_WRITTEN; nothing was changed
 */
export async function writeSources(root: string, files: readonly SourceFile[]): Promise<void> {
  for (const { path } of files) assertInside(root, path);
  const changed = await changedSince(root, files);
  if (changed.length > 0) throw new SourcesChangedError({ files: changed });
  const done: SourceFile[] = [];
  const made: string[] = [];
  const waiting = new Map<SourceFile, string>();
  let path = "";
  try {
    for (const file of files) {
      path = file.path;
      if (file.after !== null) waiting.set(file, await writeBeside(join(root, path), file.after, made));
    }
    for (const file of files) {
      path = file.path;
      await replace(join(root, path), waiting.get(file));
      done.push(file);
    }
  } catch (cause) {
    for (const file of done) await restore(root, file);
    for (const file of waiting.values()) await rm(file, { force: true });
    for (const folder of made.toReversed()) await removeIfEmpty(folder);
    throw new SourcesNotWrittenError({ path, reason: reasonOf(cause) }, { cause });
  }
  for (const file of files.filter(({ after }) => after === null)) await removeEmptyFolders(root, file.path);
}

/**
 * Puts back what was there before `writeSources`.
 *
 * @returns paths of files that somebody else has changed since, and that stay as they are
 */
export async function putBack(root: string, files: readonly SourceFile[]): Promise<readonly string[]> {
  const swapped = files.map(({ path, before, after }) => ({ path, before: after, after: before }));
  const changed = await changedSince(root, swapped);
  await writeSources(
    root,
    swapped.filter(({ path }) => !changed.includes(path)),
  );
  return changed;
}

/** Paths of the files that do not hold what they are said to. */
export async function changedSince(root: string, files: readonly SourceFile[]): Promise<readonly string[]> {
  const texts = await Promise.all(files.map(({ path }) => readText(join(root, path))));
  return files.filter(({ before }, index) => texts[index] !== before).map(({ path }) => path);
}

/** The text of a file; null where there is none. */
export async function readText(file: string): Promise<string | null> {
  return existsSync(file) ? await readFile(file, "utf8") : null;
}

/** @throws PLINTH_SOURCES_OUTSIDE */
function assertInside(root: string, path: string): void {
  const fail = (reason: string) => {
    throw new SourceOutsideError({ path, reason });
  };
  const steps = path.split("/");
  const isPlain = !isAbsolute(path) && !/[\\\0]/.test(path) && !steps.some((step) => /^\.{0,2}$/.test(step));
  if (!isPlain || normalize(path) !== join(...steps)) fail("it has to be a path below the folder of the project");
  const file = join(root, path);
  if (isLink(file)) fail("it is a link");
  let folder = dirname(file);
  while (!existsSync(folder)) folder = dirname(folder);
  const top = realpathSync(root);
  const real = realpathSync(folder);
  if (real !== top && !real.startsWith(top + sep)) fail("a link on its way leads out of the project");
}

/** Also of one that leads nowhere. What is below a file is none. */
function isLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink();
  } catch {
    return false;
  }
}

/** @param made - gets the folders that had to be made */
async function writeBeside(file: string, text: string, made: string[]): Promise<string> {
  const folder = dirname(file);
  for (let missing = folder; !existsSync(missing); missing = dirname(missing)) made.push(missing);
  await mkdir(folder, { recursive: true });
  const waiting = join(folder, `.${basename(file)}.${randomBytes(6).toString("hex")}${WAITING}`);
  const mode = existsSync(file) ? (await stat(file)).mode : undefined;
  await writeFile(waiting, text, { flag: "wx", ...(mode === undefined ? {} : { mode }) });
  return waiting;
}

const replace = (file: string, waiting: string | undefined): Promise<void> =>
  waiting === undefined ? rm(file) : rename(waiting, file);

async function restore(root: string, { path, before }: SourceFile): Promise<void> {
  const file = join(root, path);
  if (before === null) await rm(file, { force: true });
  else await writeFile(file, before);
}

/** A folder of a content-type without its schema would stop the next start. Folders of the project's own form stay. */
async function removeEmptyFolders(root: string, path: string): Promise<void> {
  for (let folder = dirname(path); folder.split("/").length > 2; folder = dirname(folder))
    if (!(await removeIfEmpty(join(root, folder)))) return;
}

async function removeIfEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTEMPTY" || code === "EEXIST") return false;
    throw error;
  }
}
