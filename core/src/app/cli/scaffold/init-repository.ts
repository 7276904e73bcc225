import { spawn } from "node:child_process";
import { once } from "node:events";

/** Makes a git repository of a folder that is in none. @returns false where there is one already, or git is not installed */
export async function initRepository(directory: string): Promise<boolean> {
  if (await succeeds(["rev-parse", "--is-inside-work-tree"], directory)) return false;
  return await succeeds(["init", "--quiet", "--initial-branch=main"], directory);
}

async function succeeds(args: readonly string[], cwd: string): Promise<boolean> {
  const child = spawn("git", args, { cwd, stdio: "ignore" });
  try {
    const [code] = (await once(child, "close")) as [number | null];
    return code === 0;
  } catch {
    // There is no git, which is the user's choice.
    return false;
  }
}
