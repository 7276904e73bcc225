import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PlinthApp, Plugin } from "@plinth/core";
import type { Grant } from "@plinth/core/access";
import type { TestDatabase } from "../../databases.js";
import { loadForTest, startForTest } from "../../projects.js";

const PROJECT = join(import.meta.dirname, "..", "..", "apps", "corpus");

/** May do everything; see `UploadsOptions.grants` for others. */
export const FULL = "everything";

/** A file of a multipart request. */
export interface SentFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** What the client says that it is. */
  readonly type?: string;
  /** Default: `files`. */
  readonly field?: string;
}

/** An answer, parsed when it is JSON. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // A test says what it expects of a body; a wrong guess fails there.
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every form there is
  readonly body: any;
}

/** How the corpus app is served. */
export interface UploadsOptions {
  /** Configuration of the upload plugin beside its directories. */
  readonly upload?: Readonly<Record<string, unknown>>;
  /** What the bearer of each name may do. */
  readonly grants?: Readonly<Record<string, Grant>>;
  /** Of config/server. */
  readonly server?: Readonly<Record<string, unknown>>;
  /** What roles may do, in place of what the corpus app says. */
  readonly permissions?: Readonly<Record<string, Grant>>;
  /** Beside those of the corpus app. */
  readonly plugins?: readonly Plugin[];
}

/** The running app, its storage, and where it receives files. */
export interface Uploads {
  readonly plinth: PlinthApp;
  readonly url: string;
  /** Of the storage. */
  readonly directory: string;
  /** Names in the storage, sorted. */
  stored(): readonly string[];
  /** Bytes of a stored file. */
  read(key: string): Buffer;
  /** What is left of requests. */
  temporary(): readonly string[];
  ask(method: string, path: string, options?: AskOptions): Promise<Answered>;
  /** Sends files as multipart; the bearer may do everything unless a token says otherwise. */
  send(files: readonly SentFile[], options?: SendOptions): Promise<Answered>;
  /** Registers somebody; their token. */
  register(username: string): Promise<string>;
}

/** What goes with a request. */
export interface AskOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What goes with files. */
export interface SendOptions {
  readonly fields?: readonly (readonly [string, string])[];
  readonly path?: string;
  readonly token?: string;
}

/** Serves the corpus app, empty, with a storage of its own; stopped and removed after the suite. */
export function serveUploads(database: TestDatabase, options: UploadsOptions = {}): () => Uploads {
  let served: Uploads | undefined;
  const root = mkdtempSync(join(tmpdir(), "plinth-uploads-test-"));
  before("start the app", async () => {
    served = await start(database, options, root);
  });
  after("stop the app", async () => {
    await served?.plinth.stop();
    rmSync(root, { recursive: true, force: true });
  });
  return () => {
    if (!served) throw new TypeError("The app has not started.");
    return served;
  };
}

async function start(database: TestDatabase, options: UploadsOptions, root: string): Promise<Uploads> {
  const { upload, grants = {}, permissions, server = {}, plugins = [] } = options;
  const directory = join(root, "storage");
  const temporaryDirectory = join(root, "temporary");
  const setup = await loadForTest(PROJECT);
  const { plinth, url } = await startForTest({
    ...setup,
    plugins: [...setup.plugins, ...plugins],
    pluginConfigs: {
      ...setup.pluginConfigs,
      upload: { providerOptions: { directory }, temporaryDirectory, ...upload },
    },
    config: {
      ...setup.config,
      ...(permissions ? { permissions } : {}),
      database: database.config(),
      server: { host: "127.0.0.1", port: 0, ...server },
      access: { tokens: { [FULL]: "all", ...grants } },
    },
  });
  return {
    plinth,
    url,
    directory,
    stored: () => listOrNone(directory).toSorted(),
    read: (key) => readFileSync(join(directory, key)),
    temporary: () => listOrNone(temporaryDirectory),
    ask: (method, path, asked) => ask(`${url}${path}`, method, asked),
    send: (files, sent) => send(url, files, sent),
    register: async (username) => {
      const body = { username, email: `${username}@example.com`, password: "Analytical-Engine-1843" };
      const answer = await ask(`${url}/api/auth/local/register`, "POST", { body, token: "" });
      return answer.body.jwt as string;
    },
  };
}

/** A directory that nobody needed yet is not there. */
function listOrNone(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

async function ask(url: string, method: string, { body, token = FULL, headers = {} }: AskOptions = {}) {
  return await answerOf(url, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function send(url: string, files: readonly SentFile[], options: SendOptions = {}): Promise<Answered> {
  const { fields = [], path = "/api/upload", token = FULL } = options;
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  for (const { name, content, type = "application/octet-stream", field = "files" } of files) {
    form.append(field, new Blob([content], { type }), name);
  }
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  return await answerOf(`${url}${path}`, { method: "POST", headers, body: form });
}

async function answerOf(url: string, init: RequestInit): Promise<Answered> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== "";
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
