import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AppSetup, createPlinth, loadProject, type PlinthApp } from "@plinth/core";
import { type Logger, pino } from "pino";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/**
 * Options of node for a process of seconds: the code of the embedded database is not optimised, which takes 0.4 s of processor
 * time to open a database, and 1.7 s to make the first.
 */
export const FOR_SECONDS = ["--liftoff-only", "--wasm-lazy-compilation"];
/** Options of node for a process that runs a file of the tests on the packages as they are built. */
export const ON_BUILT = [
  ...FOR_SECONDS,
  ...["--no-experimental-require-module", `--import=${import.meta.resolve("./load-built.mjs")}`],
];
/**
 * Arguments of node for the `plinth` command: as it is built. A command of seconds takes 7.5 s of processor time this way; from
 * the sources, and optimised, 13 s.
 */
export const PLINTH = [...FOR_SECONDS, join(ROOT, "core", "bin", "plinth.mjs")];
/** Cost of the hashes of passwords in tests: 1 ms in place of 60. Tests of the time that a hash takes have the default. */
export const CHEAP_ROUNDS = 4;
const NOT_COPIED = new Set(["node_modules", "dist", ".plinth"]);

/** Files of a project by path from its folder, such as `src/index.ts`. */
export type ProjectFiles = Readonly<Record<string, string>>;

const made: string[] = [];
process.once("exit", () => {
  for (const root of made) rmSync(root, { recursive: true, force: true });
});

/** A project in a folder that is removed when the tests end; its code may import what is installed here. */
export function writeProject(files: ProjectFiles): string {
  const root = mkdtempSync(join(tmpdir(), "plinth-app-"));
  made.push(root);
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"), "junction");
  writeFiles(root, { "package.json": '{ "type": "module" }', ...files });
  return root;
}

/** A copy of the sample app, with files added or replaced. */
export function copyTemplate(files: ProjectFiles = {}): string {
  const root = writeProject({});
  const isCopied = (source: string) => !NOT_COPIED.has(basename(source));
  cpSync(join(ROOT, "app-template"), root, { recursive: true, filter: isCopied });
  writeFiles(root, files);
  return root;
}

function writeFiles(root: string, files: ProjectFiles): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** How a project is loaded for a test. */
export interface ProjectOptions {
  readonly variables?: Readonly<Record<string, string>>;
  readonly environment?: string;
}

/** Reads a project's sources; its own configuration, but an embedded database in memory, a free port, a silent log. */
export async function loadForTest(root: string, options: ProjectOptions = {}): Promise<AppSetup> {
  const { variables = {}, environment = "test" } = options;
  const setup = await loadProject({ root, code: root }, { variables, environment });
  const database = { client: "pglite", directory: ":memory:" };
  return {
    ...setup,
    config: { ...setup.config, database, server: { host: "127.0.0.1", port: 0, drainDelay: 0 } },
    passwordRounds: CHEAP_ROUNDS,
    log: pino({ level: "silent" }),
  };
}

/** One request, as an app's log tells of it. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** A log that keeps what it is told of requests. */
export function requestLog(): { readonly log: Logger; readonly requests: readonly LoggedRequest[] } {
  const requests: LoggedRequest[] = [];
  const write = (line: string) => {
    const entry = JSON.parse(line) as Partial<LoggedRequest>;
    if (entry.status !== undefined) requests.push(entry as LoggedRequest);
  };
  return { log: pino({ level: "info" }, { write }), requests };
}

/** An app that listens, until the suite ends. */
export async function startForTest(setup: AppSetup): Promise<{ readonly plinth: PlinthApp; readonly url: string }> {
  const plinth = createPlinth(setup);
  const url = await plinth.start();
  return { plinth, url: url ?? "" };
}
