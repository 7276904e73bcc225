import { InstallFailedError } from "../errors.js";
import { runNpm } from "./run-npm.js";

/** Runs `npm install` in a folder; npm shows its own progress. @throws PLINTH_CLI_INSTALL_FAILED */
export async function installPackages(directory: string): Promise<void> {
  const { exitCode } = await runNpm(["install", "--no-audit", "--no-fund"], { cwd: directory, isShown: true });
  if (exitCode !== 0) throw new InstallFailedError({ directory, exitCode });
}
