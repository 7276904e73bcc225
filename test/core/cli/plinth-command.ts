import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { PLINTH } from "../../projects.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** How long a test waits for one thing on a busy machine, in milliseconds. */
export const TIMEOUT = 90_000;

/** Where and with what a command runs. */
export interface CommandOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** How a command ended. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A `plinth` that runs. */
export class RunningCommand {
  stdout = "";
  stderr = "";
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(args: readonly string[], { cwd, env = {} }: CommandOptions) {
    const { NODE_ENV: _, DATABASE_URL: _url, ...inherited } = process.env;
    this.#child = spawn(process.execPath, [...PLINTH, ...args], {
      cwd,
      env: { ...inherited, PORT: "0", ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#child.stdout?.on("data", (data: Buffer) => {
      this.stdout += data.toString();
    });
    this.#child.stderr?.on("data", (data: Buffer) => {
      this.stderr += data.toString();
    });
    this.ended = once(this.#child, "close").then(([code]) => code as number | null);
  }

  /** Writes lines to its stdin and closes that. */
  type(...lines: readonly string[]): void {
    this.#child.stdin?.end(lines.map((line) => `${line}\n`).join(""));
  }

  /** Writes a line to its stdin, which stays open. */
  typeLine(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  /** Writes bytes to its stdin and closes that. */
  send(bytes: Buffer): void {
    this.#child.stdin?.end(bytes);
  }

  /** The text of both streams that `pattern` matched, once it does; fails when the command has ended without. */
  async waitFor(pattern: RegExp): Promise<RegExpMatchArray> {
    const end = Date.now() + TIMEOUT;
    let hasEnded = false;
    void this.ended.then(() => {
      hasEnded = true;
    });
    for (;;) {
      const wasOver = hasEnded || Date.now() > end;
      const found = pattern.exec(this.stdout + this.stderr);
      if (found) return found;
      if (wasOver) throw new Error(`never printed ${pattern}:\n${this.stdout}${this.stderr}`);
      await sleep(50);
    }
  }

  /** Forgets what was printed, so that `waitFor` sees what comes next. */
  forget(): void {
    this.stdout = "";
    this.stderr = "";
  }

  /** Sends it a signal. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends it by a signal and waits for that. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    this.#child.kill(signal);
    return this.ended;
  }
}

/** Runs a command to its end. */
export async function runPlinth(args: readonly string[], options: CommandOptions): Promise<Outcome> {
  const command = new RunningCommand(args, options);
  command.type();
  const code = await command.ended;
  return { code, stdout: command.stdout, stderr: command.stderr };
}

/** An empty folder, removed after the suite. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "plinth-cli-"));
  after("remove the folder", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Stands for `npm install`: the packages of the checkout. */
export function linkPackages(folder: string): void {
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
}

/** A new app, made by `plinth new` before the suite and removed after it. */
export function scaffoldedApp(): string {
  const folder = join(emptyFolder(), "my-app");
  before("plinth new", async function () {
    this.timeout(TIMEOUT);
    const { code, stderr } = await runPlinth(["new", folder, "--no-install"], { cwd: join(folder, "..") });
    if (code !== 0) throw new Error(stderr);
    linkPackages(folder);
  });
  return folder;
}
