import { spawn } from "node:child_process";
import { once } from "node:events";
import { InstallFailedError } from "../errors.js";

/** Runs `npm install` in a folder; npm shows its own progress. @throws PLINTH_CLI_INSTALL_FAILED */
export async function installPackages(directory: string): Promise<void> {
  const args = ["install", "--no-audit", "--no-fund"];
  const npm = process.env["npm_execpath"];
  const [command, all, shell] = npm?.endsWith(".js")
    ? [process.execPath, [npm, ...args], false]
    : ["npm", args, process.platform === "win32"];
  const child = spawn(command, all, { cwd: directory, stdio: ["ignore", 2, 2], shell });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new InstallFailedError({ directory, exitCode: code ?? 1 });
}
