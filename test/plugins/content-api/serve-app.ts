import {
  type AppDefinition,
  type AuthStrategy,
  createAbility,
  createPlinth,
  type Grant,
  type PlinthApp,
} from "@plinth/core";
import { contentApiPlugin } from "../../../plugins/content-api/src/index.js";
import type { RawComponent, RawContentType } from "../../../core/src/schema/raw.js";
import { readCorpusSchemas } from "../../core/schema/corpus-model.js";
import type { TestDatabase } from "../../databases.js";

/** What a test adds to the corpus app. */
export interface AppExtras {
  readonly app?: AppDefinition;
  /** In place of the corpus app's. */
  readonly schemas?: { readonly contentTypes: readonly RawContentType[]; readonly components: readonly RawComponent[] };
  readonly rest?: Readonly<Record<string, unknown>>;
  /** Users by name; the bearer `<name>/<row id>/<documentId>` is one, signed in as that document. */
  readonly users?: Readonly<Record<string, Grant>>;
}

/** An answer, parsed. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // A test says what it expects of a body; a wrong guess fails there.
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every form there is
  readonly body: any;
}

/** A running app. */
export interface ServedApp {
  readonly plinth: PlinthApp;
  /** Sends a request as somebody who may do everything, or, with `token: ""`, as the public. */
  ask(method: string, path: string, options?: AskOptions): Promise<Answered>;
}

/** What goes with a request. */
export interface AskOptions {
  readonly body?: unknown;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const TOKEN = "everything";
const PUBLIC = ["article", "category", "global", "homepage"].flatMap((name) => [
  `api::${name}.${name}.find`,
  `api::${name}.${name}.findOne`,
]);

/** Serves the content-types of the corpus app, empty; everybody reads all but authors. Stopped after the suite. */
export function serveApp(database: TestDatabase, extras: AppExtras = {}): () => ServedApp {
  let served: ServedApp | undefined;
  before("start the app", async () => {
    const plinth = createPlinth(setupOf(database, extras));
    const url = await plinth.start();
    served = { plinth, ask: (method, path, options) => ask(`${url}${path}`, method, options) };
  });
  after("stop the app", () => served?.plinth.stop());
  return () => {
    if (!served) throw new TypeError("The app has not started.");
    return served;
  };
}

function setupOf(database: TestDatabase, { app = {}, rest, users = {}, schemas }: AppExtras) {
  const { contentTypes, components } = schemas ?? readCorpusSchemas();
  return {
    root: import.meta.dirname,
    plugins: [contentApiPlugin],
    app: {
      ...app,
      strategies: { users: recognise(users) },
      contentTypes: Object.fromEntries(contentTypes.map((type) => [type.uid, type])),
      components: Object.fromEntries(components.map((component) => [component.uid, component])),
    },
    config: {
      log: { level: "silent" },
      server: { port: 0 },
      i18n: { defaultLocale: "en", locales: ["en", "fr"] },
      database: database.config(),
      access: { public: schemas ? [] : PUBLIC, tokens: { [TOKEN]: "all" } },
      ...(rest ? { api: { rest } } : {}),
    },
  };
}

function recognise(users: Readonly<Record<string, Grant>>): AuthStrategy {
  return {
    name: "users",
    authenticate: (bearer) => {
      const [name = "", id, documentId = ""] = bearer.split("/");
      const grant = users[name];
      const user = { id: Number(id), documentId };
      return grant && { kind: "user", ability: createAbility(grant, id === undefined ? {} : { user }), user };
    },
  };
}

async function ask(url: string, method: string, options: AskOptions = {}): Promise<Answered> {
  const { body, token = TOKEN, headers = {} } = options;
  const response = await fetch(url, {
    method,
    headers: {
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text };
}
