import { type AppSetup, createPlinth, type PlinthApp } from "@plinth/core";
import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import type { TestDatabase } from "../../databases.js";
import { CHEAP_ROUNDS } from "../../projects.js";

/** An answer, parsed. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // A test says what it expects of a body; a wrong guess fails there.
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every form there is
  readonly body: any;
}

/** A running app with the admin page. */
export interface AdminApp {
  readonly plinth: PlinthApp;
  /** Such as `http://127.0.0.1:4711`. */
  readonly url: string;
  /** What the app logged, line by line. */
  readonly logged: readonly string[];
  /** Sends a request with these headers. */
  ask(method: string, path: string, headers?: Readonly<Record<string, string>>, body?: unknown): Promise<Answered>;
}

/** Starts an app with articles and notes, of which notes have no drafts. */
export async function startAdminApp(database: TestDatabase, extras: Partial<AppSetup> = {}): Promise<AdminApp> {
  const logged: string[] = [];
  const { pino } = await import("pino");
  const plinth = createPlinth({
    root: import.meta.dirname,
    passwordRounds: CHEAP_ROUNDS,
    plugins: [contentApiPlugin, apiTokensPlugin, adminPlugin],
    app: {
      contentTypes: {
        "api::article.article": {
          kind: "collectionType",
          info: { singularName: "article", pluralName: "articles", displayName: "Article" },
          options: { draftAndPublish: true },
          attributes: { title: { type: "string", required: true }, body: { type: "richtext" } },
        },
        "api::note.note": {
          kind: "collectionType",
          info: { singularName: "note", pluralName: "notes", displayName: "Note" },
          attributes: { text: { type: "text" } },
        },
      },
    },
    config: { server: { port: 0 }, database: database.config() },
    pluginConfigs: { "api-tokens": { loginLimit: 1000 } },
    log: pino({ level: "debug" }, { write: (line: string) => void logged.push(line) }),
    ...extras,
  });
  const url = (await plinth.start()) ?? "";
  return {
    plinth,
    url,
    logged,
    ask: (method, path, headers, body) => requestJson(`${url}${path}`, method, headers, body),
  };
}

/** The same, stopped after the suite. */
export function serveAdmin(database: TestDatabase, extras: Partial<AppSetup> = {}): () => AdminApp {
  let served: AdminApp | undefined;
  before("start the app", async () => {
    served = await startAdminApp(database, extras);
  });
  after("stop the app", () => served?.plinth.stop());
  return () => {
    if (!served) throw new TypeError("The app has not started.");
    return served;
  };
}

/** Sends a request, and reads its answer. */
export async function requestJson(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): Promise<Answered> {
  const isJson = body !== undefined && !(body instanceof FormData);
  const response = await fetch(url, {
    method,
    redirect: "manual",
    headers: { ...(isJson ? { "content-type": "application/json" } : {}), ...headers },
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as FormData) }),
  });
  const text = await response.text();
  const hasJson = /^application\/json(;|$)/.test(response.headers.get("content-type") ?? "") && text !== "";
  return { status: response.status, headers: response.headers, text, body: hasJson ? JSON.parse(text) : undefined };
}
