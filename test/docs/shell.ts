import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A terminal: variables that one text sets are there for the next. */
export interface Shell {
  /** Runs lines as sh does when they are pasted. @returns what they print; rejects when one of them fails. */
  paste(lines: string): Promise<string>;
  close(): void;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Opens a terminal in the folder of the repository. A machine without curl gets a stand-in, which is last in the PATH. */
export function openShell(): Shell {
  const home = mkdtempSync(join(tmpdir(), "plinth-shell-"));
  const state = join(home, "state");
  writeFileSync(state, "");
  const path = [process.env["PATH"], writeStandIn(join(home, "bin"))].join(delimiter);
  return {
    paste: async (lines) => {
      const script = `. ${state}\nset -ae\n${lines}\nexport -p > ${state}`;
      const { stdout } = await run("sh", ["-c", script], { cwd: ROOT, env: { ...process.env, PATH: path } });
      return stdout;
    },
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}

function writeStandIn(directory: string): string {
  const file = join(directory, "curl");
  mkdirSync(directory);
  writeFileSync(
    file,
    `#!/bin/sh\nexec "${process.execPath}" "${fileURLToPath(new URL("curl.mjs", import.meta.url))}" "$@"\n`,
  );
  chmodSync(file, 0o755);
  return directory;
}
