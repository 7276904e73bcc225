import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseEnv } from "node:util";
import type { App, PlinthApp } from "@plinth/core";
import { buildEnvFile } from "#core/cli/scaffold/own-files.js";
import { buildTsconfig } from "#core/cli/scaffold/own-files.js";
import { writeTypes } from "#core/cli/types/write-types.js";
import { databaseVariables, type TestDatabase } from "../databases.js";
import { copyTemplate, loadForTest, type LoggedRequest, requestLog, startForTest } from "../projects.js";
import { openShell, type Shell } from "./shell.js";
import type { Checked } from "./type-check.js";

const ADDRESS = "http://127.0.0.1:1337";
/** The port of an app that the reader starts. */
const OWN_PORT = "8080";
/** Of code for the admin page, which a guide has saved. */
const CLIENT_CONFIG = "./src/admin/tsconfig.json";

type Lines = { log(...values: readonly unknown[]): void };

/**
 * The app that a guide's reader has: the sample app, on the embedded database in its folder where it is given no other. It
 * starts when something is asked of it, and again when a file was saved since; before a `plinth` command it is stopped.
 */
export class GuideApp {
  readonly #database: TestDatabase | undefined;
  readonly #variables = parseEnv(buildEnvFile()) as Readonly<Record<"PLINTH_TOKEN" | "PORT", string>>;
  #root = newApp(this.#variables);
  #starts = 0;
  #running: { readonly plinth: PlinthApp; readonly url: string } | undefined;
  readonly #sources = new Set(["types/generated.d.ts"]);
  /** What runs in browsers. */
  readonly #clientSources = new Set<string>();
  readonly #shell: Shell;
  readonly #log = requestLog();

  constructor(database?: TestDatabase) {
    this.#database = database;
    const variables = { PLINTH_TOKEN: this.#variables.PLINTH_TOKEN, ...databaseVariables(database) };
    this.#shell = openShell({ cwd: () => this.#root, variables });
  }

  /** The last request that it answered. */
  get lastRequest(): LoggedRequest | undefined {
    return this.#log.requests.at(-1);
  }

  /** Saves a file of the app. */
  async save(path: string, text: string): Promise<void> {
    await this.#stop();
    mkdirSync(dirname(join(this.#root, path)), { recursive: true });
    writeFileSync(join(this.#root, path), text);
    if (path.endsWith(".ts")) this.#sources.add(path);
    if (path.endsWith(".tsx")) this.#clientSources.add(path);
  }

  /** Runs lines in a terminal in the folder of the app. @returns what they print */
  async paste(lines: string): Promise<string> {
    if (!isRequest(lines)) {
      await this.#stop();
      return this.#shell.paste(lines.replaceAll(OWN_PORT, await freePort()));
    }
    const { url } = await this.#start();
    return this.#shell.paste(lines.replaceAll(ADDRESS, url));
  }

  /** Runs statements that have `app`. @returns what they log, a line a call */
  async run(statements: string, name: string): Promise<string> {
    const { plinth, url } = await this.#start();
    const path = `${name}.ts`;
    writeFileSync(join(this.#root, path), moduleOf(statements.replaceAll(ADDRESS, url)));
    this.#sources.add(path);
    const file = join(this.#root, path);
    const code = (await import(pathToFileURL(file).href)) as { run(app: App, console: Lines): Promise<void> };
    const lines: string[] = [];
    const print = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
    await code.run(plinth.app, {
      log: (...values) => lines.push(values.map(print).join(" ").replaceAll(url, ADDRESS)),
    });
    return lines.join("\n");
  }

  /** Sends a GraphQL document. @returns the answer's text */
  async query(document: string, { isWithToken }: { readonly isWithToken: boolean }): Promise<string> {
    const { url } = await this.#start();
    const authorization = isWithToken ? { authorization: `Bearer ${this.#variables.PLINTH_TOKEN}` } : {};
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", ...authorization },
      body: JSON.stringify({ query: document }),
    });
    return response.text();
  }

  /** Ends it. @returns all TypeScript that was saved or run, in the folder that it leaves, with the types of the last start */
  async close(): Promise<readonly Checked[]> {
    if (this.#starts === 0) await this.#start();
    this.#shell.close();
    await this.#stop();
    const all = [
      { root: this.#root, paths: [...this.#sources] },
      { root: this.#root, paths: [...this.#clientSources], base: CLIENT_CONFIG },
    ];
    return all.filter(({ paths }) => paths.length > 0);
  }

  /** Deletes its folder. */
  delete(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  async #start(): Promise<{ readonly plinth: PlinthApp; readonly url: string }> {
    if (this.#running) return this.#running;
    this.#moveOn();
    const loaded = await loadForTest(this.#root, { variables: this.#variables, environment: "development" });
    const database = this.#database?.config() ?? { client: "pglite", directory: ".plinth/data" };
    const setup = { ...loaded, config: { ...loaded.config, database }, log: this.#log.log };
    this.#running = await startForTest(setup);
    await writeTypes({ setup, app: this.#running.plinth.app });
    return this.#running;
  }

  async #stop(): Promise<void> {
    await this.#running?.plinth.stop();
    this.#running = undefined;
  }

  /** A folder of another name at each start: Node imports a file of one name once. */
  #moveOn(): void {
    this.#starts += 1;
    const next = `${this.#root.replace(/\.\d+$/, "")}.${this.#starts}`;
    renameSync(this.#root, next);
    this.#root = next;
  }
}

/** Whether lines ask something of the app that runs. */
export const isRequest = (lines: string): boolean => lines.includes(ADDRESS);

/** The sample app as `plinth new` makes it. */
function newApp(variables: Readonly<Record<string, string>>): string {
  const root = copyTemplate({
    ".env": Object.entries(variables)
      .map((entry) => `${entry.join("=")}\n`)
      .join(""),
  });
  const tsconfig = join(root, "tsconfig.json");
  writeFileSync(tsconfig, JSON.stringify(buildTsconfig(JSON.parse(readFileSync(tsconfig, "utf8")))));
  return root;
}

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return String(port);
}

/** Imports stay at the top; the rest becomes a function. */
function moduleOf(statements: string): string {
  const imports = [...statements.matchAll(/^import [\s\S]*?;\n/gm)].map(([text]) => text);
  const body = imports.reduce((text, line) => text.replace(line, ""), statements);
  const head = 'import type { App as ThisApp } from "@plinth/core";\n';
  const parameters = "app: ThisApp, console: { log(...values: readonly unknown[]): void }";
  return `${head}${imports.join("")}export async function run(${parameters}): Promise<void> {\n${body}}\n`;
}
