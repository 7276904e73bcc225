import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { PLINTH } from "../projects.js";
import { CommandSocket } from "./command-socket.js";

const run = promisify(execFile);

/** A terminal: variables that one text sets are there for the next. */
export interface Shell {
  /** Runs lines as sh does when they are pasted. @returns what they print; rejects when one of them fails. */
  paste(lines: string): Promise<string>;
  close(): void;
}

/** Where a terminal is and what it knows. */
export interface ShellOptions {
  /** The folder; asked for at each paste. */
  readonly cwd: () => string;
  /** Variables that are set from the start. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Where it looks for programs. Default: as this process. */
  readonly path?: string;
  /** `npx plinth` is a process of what is built, whatever the command. Default: only where it serves. */
  readonly hasProcesses?: boolean;
}

const CURL = fileURLToPath(new URL("curl.mjs", import.meta.url));
const PLINTH_HERE = fileURLToPath(new URL("plinth.mjs", import.meta.url));

/**
 * Opens a terminal. `npx plinth` runs in this process, and what serves in one of its own, as it is built; a machine without
 * curl gets a stand-in, which is last in the PATH.
 */
export function openShell(options: ShellOptions): Shell {
  const { cwd, variables = {}, path: programs = process.env["PATH"], hasProcesses = false } = options;
  const home = mkdtempSync(join(tmpdir(), "plinth-shell-"));
  const state = join(home, "state");
  writeFileSync(state, "");
  const commands = hasProcesses ? undefined : new CommandSocket();
  const own = execute([process.execPath, ...PLINTH]);
  const plinth = commands
    ? `case "$1" in start|develop|work) ${own} ;; esac\n${execute([process.execPath, PLINTH_HERE, commands.path])}`
    : own;
  const first = writeProgram(join(home, "first"), "npx", `[ "$1" = plinth ] || exit 127\nshift\n${plinth}`);
  const last = writeProgram(join(home, "last"), "curl", `exec "${process.execPath}" "${CURL}" "$@"`);
  const { NODE_ENV: _, DATABASE_URL: _url, ...inherited } = process.env;
  const path = [first, programs, last].join(delimiter);
  return {
    paste: async (lines) => {
      const script = `. ${state}\nset -ae\n${lines}\nexport -p > ${state}`;
      const { stdout } = await run("sh", ["-c", script], {
        cwd: cwd(),
        env: { ...inherited, ...variables, PATH: path },
      });
      return stdout;
    },
    close: () => {
      commands?.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const execute = (command: readonly string[]) => `exec ${command.map((part) => `"${part}"`).join(" ")} "$@"`;

function writeProgram(directory: string, name: string, script: string): string {
  const file = join(directory, name);
  mkdirSync(directory);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return directory;
}
