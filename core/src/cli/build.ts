import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { NoProjectError } from "../app/errors.js";
import { BuildFailedError, ToolMissingError } from "./errors.js";
import { say, secondsSince, withProgress } from "./terminal.js";

/**
 * Compiles a project with its own TypeScript and tsconfig.json. What an earlier build made goes first: a file whose
 * source is gone would be loaded otherwise.
 *
 * @throws PLINTH_PROJECT_NOT_FOUND, PLINTH_CLI_TOOL_MISSING, PLINTH_CLI_BUILD_FAILED
 */
export async function build(root: string): Promise<void> {
  if (!["config", "src"].some((folder) => existsSync(join(root, folder))))
    throw new NoProjectError({ directory: root });
  const compiler = findCompiler(root);
  const since = performance.now();
  await rm(join(root, "dist"), { recursive: true, force: true });
  const exitCode = await withProgress("building", () => compile(root, compiler));
  if (exitCode !== 0) throw new BuildFailedError({ project: root, exitCode });
  await removeTests(join(root, "dist"));
  say(`built dist/ in ${secondsSince(since)}`);
}

/** Tests are compiled so that their types are checked, but no server runs them. */
async function removeTests(directory: string): Promise<void> {
  const files = await readdir(directory, { recursive: true });
  const tests = files.filter((file) => /\.test\.m?js(\.map)?$/.test(file));
  await Promise.all(tests.map((file) => rm(join(directory, file))));
}

async function compile(root: string, compiler: string): Promise<number> {
  const child = spawn(process.execPath, [compiler, "--project", "tsconfig.json"], { cwd: root, stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}

function findCompiler(root: string): string {
  try {
    const manifest = createRequire(join(root, "package.json")).resolve("typescript/package.json");
    return join(dirname(manifest), "bin", "tsc");
  } catch (cause) {
    throw new ToolMissingError({ tool: "typescript", directory: root }, { cause });
  }
}
