import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Fails with what the compiler says of files of a project, by their paths from its folder. The packages are taken as they
 * were built, as an app has them: its generated types would change how our own sources read.
 *
 * @param base - the project's configuration of the compiler for them
 */
export async function typeCheck(root: string, paths: readonly string[], base = "./tsconfig.json"): Promise<void> {
  const options = { noEmit: true, composite: false, incremental: false };
  const config = { extends: base, compilerOptions: options, references: [], include: [], files: paths };
  writeFileSync(join(root, "tsconfig.check.json"), JSON.stringify(config));
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const checked = promisify(execFile)(process.execPath, [tsc, "-p", "tsconfig.check.json", "--singleThreaded"], {
    cwd: root,
  });
  await checked.catch(({ stdout }) => expect.fail(stdout));
}
