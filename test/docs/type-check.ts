import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc");

/** Files of a project that are checked together. */
export interface Checked {
  /** Folder of the project. */
  readonly root: string;
  /** Paths from there. */
  readonly paths: readonly string[];
  /** The project's configuration of the compiler for them. Default: `./tsconfig.json`. */
  readonly base?: string;
}

/**
 * Fails with what the compiler says of files of a project, by their paths from its folder. The packages are taken as they
 * were built, as an app has them: its generated types would change how our own sources read.
 */
export async function typeCheck(root: string, paths: readonly string[]): Promise<void> {
  const [problems] = await typeCheckAll([{ root, paths }]);
  if (problems) expect.fail(problems);
}

/**
 * The same of several: the compiler reads what they share once.
 *
 * @returns what it says of each, empty where nothing is wrong
 */
export async function typeCheckAll(checked: readonly Checked[]): Promise<readonly string[]> {
  const configs = checked.map(writeConfig);
  // In one thread: it takes half of the processor time, and other tests have the other core.
  const args = [TSC, "--build", "--pretty", "false", "--singleThreaded", ...configs];
  const compiled = promisify(execFile)(process.execPath, args, { cwd: ROOT });
  const said = await compiled.then(
    () => "",
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
  const problems = checked.map(({ root }) => linesOf(said, relative(ROOT, root)));
  if (said !== "" && problems.every((text) => text === "")) expect.fail(said);
  return problems;
}

function writeConfig({ root, paths, base = "./tsconfig.json" }: Checked, index: number): string {
  const options = { noEmit: true, composite: false, incremental: false };
  const config = { extends: base, compilerOptions: options, references: [], include: [], files: paths };
  const file = join(root, `tsconfig.check-${index}.json`);
  writeFileSync(file, JSON.stringify(config));
  return file;
}

/** The lines about files in a folder, each with those below it that are indented. */
function linesOf(said: string, folder: string): string {
  const entries = said.split(/\n(?!\s)/);
  return entries.filter((entry) => entry.startsWith(`${folder}/`) || entry.includes(` ${folder}/`)).join("\n");
}
