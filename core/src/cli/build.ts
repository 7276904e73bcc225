import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterBuild } from "../app/after-build.js";
import { NoProjectError } from "../app/errors.js";
import { isPlinthError } from "../base/error.js";
import { BuildFailedError, ToolMissingError } from "./errors.js";
import type { CommandHost } from "./host.js";
import { declareProject } from "./inspect.js";
import { loadSetup } from "./load-setup.js";
import { secondsSince, type Terminal, withProgress } from "./terminal.js";

/**
 * Compiles a project with its own TypeScript and tsconfig.json, then lets its plugins add their part. What an earlier
 * build made goes first: a file whose source is gone would be loaded otherwise.
 *
 * @throws PLINTH_PROJECT_*, PLINTH_CLI_TOOL_MISSING, PLINTH_CLI_BUILD_FAILED, and what declaring the plugins throws
 */
export async function build(host: CommandHost): Promise<void> {
  const { cwd: root, terminal } = host;
  if (!["config", "src"].some((folder) => existsSync(join(root, folder))))
    throw new NoProjectError({ directory: root });
  const compiler = findCompiler(root);
  const since = performance.now();
  const directory = join(root, "dist");
  await rm(directory, { recursive: true, force: true });
  const exitCode = await withProgress("building", () => compile(root, compiler, terminal), terminal);
  if (exitCode !== 0) throw new BuildFailedError({ project: root, exitCode });
  await removeTests(directory);
  await buildParts(host, directory);
  terminal.say(`built dist/ in ${secondsSince(since)}`);
}

/** Tests are compiled so that their types are checked, but no server runs them. */
async function removeTests(directory: string): Promise<void> {
  const files = await readdir(directory, { recursive: true });
  const tests = files.filter((file) => /\.test\.m?js(\.map)?$/.test(file));
  await Promise.all(tests.map((file) => rm(join(directory, file))));
}

/**
 * Runs the hook of a build on what was compiled, as it is going to run. Images are often built where the variables of
 * production are not known; that has to be said, and is no reason not to build.
 */
async function buildParts({ cwd: root, variables, terminal }: CommandHost, directory: string): Promise<void> {
  const { say } = terminal;
  try {
    const { app } = declareProject(await loadSetup(root, "build", variables));
    await app.hooks.series(afterBuild, { root, directory, say });
  } catch (error) {
    if (!isPlinthError(error) || error.code !== "PLINTH_CONFIG_ENVIRONMENT") throw error;
    say(`what plugins add to a build is left out: ${error.message}`);
  }
}

async function compile(root: string, compiler: string, { stdout }: Pick<Terminal, "stdout">): Promise<number> {
  const colours = "isTTY" in stdout && stdout.isTTY ? ["--pretty"] : [];
  const args = [compiler, "--project", "tsconfig.json", ...colours];
  // The compiler writes what is wrong to its stdout; its stderr is for its own failures.
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  child.stdout.pipe(stdout, { end: false });
  const [code] = (await once(child, "close")) as [number | null];
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
