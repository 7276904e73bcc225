import { spawn } from "node:child_process";
import { once } from "node:events";
import { InstallFailedError } from "../errors.js";

/** Where npm runs, and whether the user sees what it prints. */
export interface NpmOptions {
  readonly cwd: string;
  readonly isShown: boolean;
}

/** How npm ended. */
export interface NpmOutcome {
  readonly exitCode: number;
  /** What it printed, where that is not shown. */
  readonly output: string;
}

/** Runs npm: the one that runs this process, where there is one. What it prints goes to stderr. */
export async function runNpm(args: readonly string[], { cwd, isShown }: NpmOptions): Promise<NpmOutcome> {
  const npm = process.env["npm_execpath"];
  const [command, all, shell] = npm?.endsWith(".js")
    ? [process.execPath, [npm, ...args], false]
    : ["npm", [...args], process.platform === "win32"];
  const child = spawn(command, all, { cwd, stdio: isShown ? ["ignore", 2, 2] : ["ignore", "pipe", "pipe"], shell });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data: Buffer) => (output += data.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { exitCode: code ?? 1, output };
}

/** Runs `npm install` in a folder; npm shows its own progress. @throws PLINTH_CLI_INSTALL_FAILED */
export async function installPackages(directory: string): Promise<void> {
  const { exitCode } = await runNpm(["install", "--no-audit", "--no-fund"], { cwd: directory, isShown: true });
  if (exitCode !== 0) throw new InstallFailedError({ directory, exitCode });
}
