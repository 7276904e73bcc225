import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { PLINTH } from "../../projects.js";
import { createProject } from "#core/cli/scaffold/create-project.js";
import { type CommandOptions, type Outcome, runInProcess, testHost, variablesOf } from "./run-in-process.js";
import { LONGEST_WAIT } from "../../longest-wait.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** A `plinth` that runs. */
export class RunningCommand {
  stdout = "";
  stderr = "";
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(args: readonly string[], options: CommandOptions) {
    this.#child = spawn(process.execPath, [...PLINTH, ...args], {
      cwd: options.cwd,
      env: variablesOf(options),
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

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Writes lines to its stdin and closes that. */
  type(...lines: readonly string[]): void {
    this.#child.stdin?.end(lines.map((line) => `${line}\n`).join(""));
  }

  /** Writes a line to its stdin, which stays open. */
  typeLine(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  /** Writes bytes to its stdin, which stays open. */
  sendPart(bytes: Buffer): void {
    this.#child.stdin?.write(bytes);
  }

  /** Writes bytes to its stdin and closes that. */
  send(bytes: Buffer): void {
    this.#child.stdin?.end(bytes);
  }

  /** The text of both streams that `pattern` matched, once it does; fails when the command has ended without. */
  async waitFor(pattern: RegExp): Promise<RegExpMatchArray> {
    const end = Date.now() + LONGEST_WAIT;
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

/** Commands that serve, and so are about their process. */
const SERVING = new Set(["develop", "start", "work"]);

/** Runs a command to its end: in the process of the tests, unless it is one that serves. */
export function runPlinth(args: readonly string[], options: CommandOptions): Promise<Outcome> {
  return SERVING.has(args[0] ?? "") ? runProcess(args, options) : runInProcess(args, options);
}

/** Runs a command to its end in a process of its own, as it is built: where the process is the subject. */
export async function runProcess(args: readonly string[], options: CommandOptions): Promise<Outcome> {
  const command = new RunningCommand(args, options);
  if (options.input === undefined) command.type();
  else command.send(Buffer.from(options.input));
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

const newFolder = (): string => {
  const folder = join(mkdtempSync(join(tmpdir(), "plinth-new-")), "my-app");
  process.once("exit", () => rmSync(dirname(folder), { recursive: true, force: true }));
  return folder;
};

async function makePacked(): Promise<string> {
  const folder = newFolder();
  const { code, stderr } = await runInProcess(["new", folder, "--no-install"], { cwd: dirname(folder) });
  if (code !== 0) throw new Error(stderr);
  return folder;
}

/** Packing Plinth's packages takes npm 3 s of processor. */
async function makePlain(): Promise<string> {
  const folder = newFolder();
  const options = { shouldInstall: false, source: { kind: "registry" } } as const;
  await createProject(folder, options, testHost({ cwd: dirname(folder) }).host);
  return folder;
}

/** By how they are made: once for all suites of this process. */
const templates = new Map<() => Promise<string>, Promise<string>>();

function templateOf(make: () => Promise<string>): Promise<string> {
  const template = templates.get(make) ?? make();
  templates.set(make, template);
  return template;
}

/**
 * A new app as `plinth new` makes it, there before the suite and removed after it.
 *
 * @param options - `isPacked`: with Plinth's packages in `vendor`, as in an app that a checkout makes. Default: as if a registry
 *   had them.
 */
export function scaffoldedApp({ isPacked = false }: { readonly isPacked?: boolean } = {}): string {
  const folder = join(emptyFolder(), "my-app");
  before("plinth new", async () => {
    cpSync(await templateOf(isPacked ? makePacked : makePlain), folder, { recursive: true });
    linkPackages(folder);
  });
  return folder;
}
