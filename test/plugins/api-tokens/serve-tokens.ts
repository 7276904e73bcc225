import { type AppSetup, createPlinth, type PlinthApp } from "@plinth/core";
import { type ApiTokens, apiTokens, apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import type { TestDatabase } from "../../databases.js";
import { CHEAP_ROUNDS } from "../../projects.js";

/** What the tokens of a test are hashed with, and its administrators' sessions signed with. */
export const SALT = "a-salt-of-the-tests-only";
export const ADMIN_SECRET = "a-secret-of-the-tests-only";

/** An answer, parsed. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // A test says what it expects of a body; a wrong guess fails there.
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every form there is
  readonly body: any;
}

/** A running app with notes, authors and tokens. */
export interface TokenApp {
  readonly plinth: PlinthApp;
  /** Such as `http://127.0.0.1:4711`. */
  readonly url: string;
  readonly tokens: ApiTokens;
  /** What the app logged, line by line. */
  readonly logged: readonly string[];
  /** Sends a request with a bearer; "" for none. */
  ask(method: string, path: string, bearer?: string, body?: unknown): Promise<Answered>;
}

const typeOf = (name: string, attributes: object) => ({
  kind: "collectionType" as const,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes: attributes as Record<string, Record<string, unknown>>,
});

/** Starts an app on a database that several may share. */
export async function startTokenApp(database: TestDatabase, extras: Partial<AppSetup> = {}): Promise<TokenApp> {
  const logged: string[] = [];
  const { pino } = await import("pino");
  const plinth = createPlinth({
    root: import.meta.dirname,
    passwordRounds: CHEAP_ROUNDS,
    plugins: [contentApiPlugin, apiTokensPlugin],
    app: {
      contentTypes: {
        "api::note.note": typeOf("note", {
          title: { type: "string" },
          secret: { type: "string" },
          public: { type: "boolean" },
        }),
        "api::author.author": typeOf("author", { name: { type: "string" } }),
        "api::post.post": { ...typeOf("post", { title: { type: "string" } }), options: { draftAndPublish: true } },
      },
    },
    config: {
      server: { port: 0 },
      database: database.config(),
      access: { public: ["api::note.note.find"], tokens: { "configured-token": ["api::note.note.find"] } },
    },
    pluginConfigs: { "api-tokens": { salt: SALT, adminSecret: ADMIN_SECRET, lastUseInterval: 0.05, loginLimit: 1000 } },
    log: pino({ level: "debug" }, { write: (line: string) => void logged.push(line) }),
    ...extras,
  });
  const url = await plinth.start();
  return {
    plinth,
    url: url ?? "",
    tokens: plinth.app.service(apiTokens),
    logged,
    ask: (method, path, bearer, body) => ask(`${url}${path}`, method, bearer, body),
  };
}

/** The same, stopped after the suite. */
export function serveTokens(database: TestDatabase, extras: Partial<AppSetup> = {}): () => TokenApp {
  let served: TokenApp | undefined;
  before("start the app", async () => {
    served = await startTokenApp(database, extras);
  });
  after("stop the app", () => served?.plinth.stop());
  return () => {
    if (!served) throw new TypeError("The app has not started.");
    return served;
  };
}

async function ask(url: string, method: string, bearer = "", body?: unknown): Promise<Answered> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== "";
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}
