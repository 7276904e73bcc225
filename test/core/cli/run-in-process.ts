// Runs `plinth` commands in the process of the tests: the sources, without a start of node, a loader and the embedded database each.
import { realpathSync } from "node:fs";
import { register } from "node:module";
import { tmpdir } from "node:os";
import { PassThrough, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { SourceVersions } from "#core/cli/develop/source-version-hook.js";
import type { CommandHost, Variables } from "#core/cli/host.js";
import { runProgram } from "#core/cli/program.js";

/** Where and with what a command runs. */
export interface CommandOptions {
  readonly cwd: string;
  /** Over the variables of the tests, without their NODE_ENV and DATABASE_URL. */
  readonly env?: Readonly<Record<string, string>>;
  /** Piped into it. Default: nothing. */
  readonly input?: string | Buffer;
}

/** How a command ended. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The variables of a command. */
export function variablesOf({ env = {} }: CommandOptions): Variables {
  const { NODE_ENV: _, DATABASE_URL: _url, ...inherited } = process.env;
  return { ...inherited, PORT: "0", ...env };
}

/** Runs a command to its end. Not for those that serve: they are about the process itself. */
export async function runInProcess(args: readonly string[], options: CommandOptions): Promise<Outcome> {
  readFilesAgain();
  const { host, outcome } = testHost(options, args);
  await runProgram(args, host);
  return outcome();
}

/** A host that keeps what is printed, and what it kept. */
export function testHost(
  options: CommandOptions,
  args: readonly string[] = [],
): { readonly host: CommandHost; outcome(): Outcome } {
  const [stdout, stderr] = [new KeptText(), new KeptText()];
  let code = 0;
  const exitWith = (wanted: number) => {
    code = wanted;
  };
  const terminal: CommandHost["terminal"] = {
    ...{ stdin: new PassThrough().end(options.input), stdout, stderr, signal: new AbortController().signal },
    print: (line = "") => void stdout.write(`${line}\n`),
    say: (line) => void stderr.write(`[plinth] ${line}\n`),
    fail: () => exitWith(1),
  };
  const host = {
    ...{ cwd: options.cwd, variables: variablesOf(options), terminal, exitWith },
    withStack: args.includes("--debug"),
    hasEnded: () => undefined,
  };
  return { host, outcome: () => ({ code, stdout: stdout.text, stderr: stderr.text }) };
}

class KeptText extends Writable {
  readonly #chunks: Buffer[] = [];

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }
}

let versions: SourceVersions | undefined;

/** Node keeps modules by their addresses: the files of projects get new ones, so that a command sees them as they are. */
function readFilesAgain(): void {
  if (!versions) {
    versions = {
      folder: `${pathToFileURL(realpathSync(tmpdir())).href}/`,
      latest: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    };
    const hook = import.meta.resolve("#core/cli/develop/source-version-hook.js");
    register(hook, { data: versions });
  }
  Atomics.add(versions.latest, 0, 1);
}
