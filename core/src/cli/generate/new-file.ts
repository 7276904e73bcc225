import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { FileExistsError } from "../errors.js";

/** A file to be written: its path from the project's folder, with slashes, and its text. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** A JSON file, as an editor would format it. */
export function jsonFile(path: string, content: unknown): NewFile {
  return { path, text: `${JSON.stringify(content, undefined, 2)}\n` };
}

/** Writes all files, or none when one of them exists. @throws PLINTH_CLI_FILE_EXISTS */
export async function writeNewFiles(root: string, files: readonly NewFile[]): Promise<void> {
  const existing = files.filter(({ path }) => existsSync(join(root, path)));
  if (existing.length > 0) throw new FileExistsError({ files: existing.map(({ path }) => path) });
  for (const { path, text } of files) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag: "wx" });
  }
}
