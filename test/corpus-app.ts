import { join } from "node:path";
import type { AppDefinition, PlinthApp, Plugin, RawContentType } from "@plinth/core";
import type { AuthStrategy } from "@plinth/core";
import { createAbility, type Grant } from "@plinth/core/access";
import type { RawComponent } from "@plinth/core/schema";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { createTestApp, type TestApp, type TestAppOptions } from "@plinth/test-kit";
import { readCorpusSchemas } from "./core/schema/corpus-model.js";
import type { TestDatabase } from "./databases.js";

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
  const granted = {
    [tokens.full]: "all",
    [tokens.readonly]: "read",
    [tokens.custom]: ["api::category.category.find"],
  };
  return serve(() => ({
    root: PROJECT,
    database: database.config(),
    config: { access: { tokens: granted } },
  }));
}

/** What a test has in place of the project's code and configuration, or beside them. */
export interface AppExtras {
  readonly app?: AppDefinition;
  /** In place of the corpus app's. */
  readonly schemas?: { readonly contentTypes: readonly RawContentType[]; readonly components: readonly RawComponent[] };
  readonly rest?: Readonly<Record<string, unknown>>;
  /** `reads` of config/api. */
  readonly reads?: Readonly<Record<string, unknown>>;
  /** Beside the content API. */
  readonly plugins?: readonly Plugin[];
  /** Configuration of plugins, by their names. */
  readonly pluginConfig?: Readonly<Record<string, unknown>>;
  /** Users by name; the bearer `<name>/<row id>/<documentId>` is one, signed in as that document. */
  readonly users?: Readonly<Record<string, Grant>>;
}

const PUBLIC = ["article", "category", "global", "homepage"].flatMap((name) => [
  `api::${name}.${name}.find`,
  `api::${name}.${name}.findOne`,
]);

/** Serves the content-types of the corpus app by the content API alone, empty; everybody reads all but authors. */
export function serveCorpusTypes(database: TestDatabase, extras: AppExtras = {}): () => CorpusApp {
  const { rest, reads, users = {}, schemas, plugins = [], pluginConfig = {} } = extras;
  return serve(() => ({
    plugins: [contentApiPlugin, ...plugins],
    app: definitionOf(extras, { users: recognise(users) }),
    database: database.config(),
    config: {
      i18n: { defaultLocale: "en", locales: ["en", "fr"] },
      access: { public: schemas ? [] : PUBLIC, tokens: { [tokens.full]: "all" } },
      api: { rest: { openDrafts: true, ...rest }, ...(reads ? { reads } : {}) },
    },
    pluginConfigs: pluginConfig,
  }));
}

function definitionOf({ app = {}, schemas }: AppExtras, strategies: Readonly<Record<string, AuthStrategy>>) {
  const { contentTypes, components } = schemas ?? readCorpusSchemas();
  return {
    ...app,
    strategies: { ...app.strategies, ...strategies },
    contentTypes: { ...Object.fromEntries(contentTypes.map((type) => [type.uid, type])), ...app.contentTypes },
    components: Object.fromEntries(components.map((component) => [component.uid, component])),
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

function serve(options: () => TestAppOptions): () => CorpusApp {
  let test: TestApp | undefined;
  before("start the app", async () => {
    test = await createTestApp(options());
  });
  after("stop the app", () => test?.stop());
  return () => {
    if (!test) throw new TypeError("The app has not started.");
    const { plinth, url, withBearer } = test;
    const request = async (method: string, path: string, { token = tokens.full, ...sent }: CorpusRequest = {}) => {
      const { text, body = text, headers = {} } = sent;
      const answer = await withBearer(token).request(method, path, { body, headers });
      const { status, headers: received } = answer;
      return { status, headers: received, body: answer.body === undefined ? answer.text : answer.body };
    };
    return { plinth, url, request };
  };
}
