import { join } from "node:path";
import type { PlinthApp } from "@plinth/core";
import type { TestDatabase } from "./databases.js";
import { loadForTest, startForTest } from "./projects.js";

const PROJECT = join(import.meta.dirname, "apps", "corpus");

/** Who may do everything, who may read everything, and who may list categories only. Without a token: the public. */
export const tokens = { full: "full-access", readonly: "read-only", custom: "categories-only" } as const;

/** What goes with a request to the corpus app. */
export interface CorpusRequest {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of `body`; as JSON unless a header says otherwise. */
  readonly text?: string;
  /** Default: the token that may do everything; "" for none. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer; the body is parsed when it is JSON, else its text. */
export interface CorpusAnswer {
  readonly status: number;
  readonly headers: Headers;
  // A test says what it expects of a body; a wrong guess fails there.
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every form there is
  readonly body: any;
}

/** The running app. */
export interface CorpusApp {
  readonly plinth: PlinthApp;
  readonly url: string;
  request(method: string, path: string, options?: CorpusRequest): Promise<CorpusAnswer>;
}

/** Starts test/apps/corpus, empty, in this process; the app is stopped after the suite. */
export function serveCorpusApp(database: TestDatabase): () => CorpusApp {
  let served: CorpusApp | undefined;
  before("start the corpus app", async () => {
    const { plinth, url } = await startForTest(await setupOf(database));
    served = { plinth, url, request: (method, path, options) => send(`${url}${path}`, method, options) };
  });
  after("stop the corpus app", () => served?.plinth.stop());
  return () => {
    if (!served) throw new TypeError("The corpus app has not started.");
    return served;
  };
}

async function setupOf(database: TestDatabase) {
  const setup = await loadForTest(PROJECT);
  const access = {
    tokens: { [tokens.full]: "all", [tokens.readonly]: "read", [tokens.custom]: ["api::category.category.find"] },
  };
  return { ...setup, config: { ...setup.config, database: database.config(), access } };
}

async function send(url: string, method: string, options: CorpusRequest = {}): Promise<CorpusAnswer> {
  const { body, token = tokens.full, headers = {} } = options;
  const text = options.text ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(url, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(text === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(text === undefined ? {} : { body: text }),
  });
  const received = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") && received !== "";
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(received) : received };
}
