import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";

/** Variables that the last reading put into the environment of this process. */
const taken = new Set<string>();

/**
 * Puts the variables of a project's `.env` below those that the process was started with. Read again, the file counts as
 * it is then: what it no longer says is gone.
 */
export function readEnvVariables(root: string): void {
  for (const name of taken) delete process.env[name];
  taken.clear();
  const file = join(root, ".env");
  if (!existsSync(file)) return;
  for (const [name, value] of Object.entries(parseEnv(readFileSync(file, "utf8")))) {
    if (process.env[name] !== undefined) continue;
    process.env[name] = value;
    taken.add(name);
  }
}
