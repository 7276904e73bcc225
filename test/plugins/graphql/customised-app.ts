import { join } from "node:path";
import type { GlobalMiddlewareRef, PlinthApp } from "@plinth/core";
import type { TestDatabase } from "../../databases.js";
import { loadForTest, type ProjectOptions, startForTest } from "../../projects.js";

const PROJECT = join(import.meta.dirname, "..", "..", "apps", "customised");

/** The token of who may do everything. */
export const EDITOR = "editors-token";

/** An answer over HTTP. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // A test says what it expects of an answer; a wrong guess fails there.
  // biome-ignore lint/suspicious/noExplicitAny: answers have every form there is
  readonly body: any;
}

/** The running app. */
export interface CustomisedApp {
  readonly plinth: PlinthApp;
  readonly url: string;
  /** Sends an operation, as the public unless a token is named. */
  send(query: string, options?: SendOptions): Promise<Reply>;
}

/** What goes with an operation. */
export interface SendOptions {
  readonly variables?: object;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a test changes of the app. */
export interface CustomisedOptions extends ProjectOptions {
  /** Configuration of the plugin. */
  readonly graphql?: object;
  /** Global middlewares in place of the built-in ones. */
  readonly globals?: readonly GlobalMiddlewareRef[];
}

/** Starts test/apps/customised, empty; it is stopped after the suite. */
export function serveCustomised(database: TestDatabase, options: CustomisedOptions = {}): () => CustomisedApp {
  let served: CustomisedApp | undefined;
  before("start the customised app", async () => {
    const setup = await loadForTest(PROJECT, options);
    const { globals } = options;
    const middlewares = globals ? { middlewares: globals } : {};
    const config = { ...setup.config, ...middlewares, database: database.config() };
    const pluginConfigs = { ...setup.pluginConfigs, graphql: options.graphql ?? {} };
    const { plinth, url } = await startForTest({ ...setup, config, pluginConfigs });
    served = { plinth, url, send: (query, sent) => send(`${url}/graphql`, query, sent) };
  });
  after("stop the customised app", () => served?.plinth.stop());
  return () => {
    if (!served) throw new TypeError("The app has not started.");
    return served;
  };
}

async function send(url: string, query: string, { variables, token, headers = {} }: SendOptions = {}): Promise<Reply> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    body: JSON.stringify({ query, ...(variables ? { variables } : {}) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
