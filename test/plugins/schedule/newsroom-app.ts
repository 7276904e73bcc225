import {
  type Actor,
  type App,
  type AppDefinition,
  type AppSetup,
  createPlinth,
  type PlinthApp,
  resolveActor,
} from "@plinth/core";
import { createAbility, type Grant } from "@plinth/core/access";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { jobsPlugin, jobs } from "@plinth/plugin-jobs";
import { releases, type Releases, schedulePlugin, schedules, type Schedules } from "@plinth/plugin-schedule";
import { pino } from "pino";
import { eventually } from "../../core/database/driver/note-app.js";
import type { TestDatabase } from "../../databases.js";

export const ARTICLE = "api::article.article";
export const AUTHOR = "api::author.author";
export const HOME = "api::home.home";
export const NOTE = "api::note.note";

const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };
const info = (name: string, pluralName = `${name}s`) => ({ singularName: name, pluralName, displayName: name });

/** Articles in two languages that need a title and a slug of their own, their authors, a page with drafts, notes without. */
export const CONTENT: Pick<AppDefinition, "contentTypes" | "components"> = {
  contentTypes: {
    [ARTICLE]: {
      ...{ kind: "collectionType", info: info("article"), options: { draftAndPublish: true }, ...LOCALIZED },
      attributes: {
        title: { type: "string", required: true, ...LOCALIZED },
        slug: { type: "string", unique: true, ...LOCALIZED },
        desk: { type: "string" },
        author: { type: "relation", relation: "manyToOne", target: AUTHOR },
        checkedBy: { type: "relation", relation: "manyToOne", target: AUTHOR, private: true },
        box: { type: "component", component: "shared.box" },
      },
    },
    [AUTHOR]: {
      ...{ kind: "collectionType", info: info("author"), options: { draftAndPublish: true } },
      attributes: { name: { type: "string" } },
    },
    [HOME]: {
      ...{ kind: "singleType", info: info("home"), options: { draftAndPublish: true } },
      attributes: { title: { type: "string" } },
    },
    [NOTE]: { kind: "collectionType", info: info("note"), attributes: { text: { type: "string" } } },
  },
  components: {
    "shared.box": {
      info: { displayName: "box" },
      attributes: { writer: { type: "relation", relation: "oneToOne", target: AUTHOR } },
    },
  },
};

/** Whoever is here by name may do what stands there, while it stands there: the bearer is the name. */
export type People = Record<string, Grant>;

/** An answer, parsed. */
export interface Answered {
  readonly status: number;
  // A test says what it expects of a body; a wrong guess fails there.
  // biome-ignore lint/suspicious/noExplicitAny: bodies have every form there is
  readonly body: any;
}

/** The running app. */
export interface Newsroom {
  readonly plinth: PlinthApp;
  readonly app: App;
  readonly people: People;
  readonly schedules: Schedules;
  readonly releases: Releases;
  readonly logged: readonly string[];
  readonly url: string;
  /** Sends a request as somebody; "" is the public. */
  ask(who: string, method: string, path: string, body?: unknown): Promise<Answered>;
  /** The same, for the version of a release that somebody looked at. */
  askIf(version: string, who: string, path: string, body?: unknown): Promise<Answered>;
  actor(name: string): Actor;
  /** Waits until all that is due is done. */
  settle(): Promise<void>;
  /** A draft of an article. @returns its documentId */
  draft(data?: Readonly<Record<string, unknown>>, locale?: string): Promise<string>;
  /** The title of the published version; undefined where there is none. */
  published(documentId: string, locale?: string): Promise<string | undefined>;
}

/** Starts an app of its own. */
export async function startNewsroom(database: TestDatabase, extras: Partial<AppSetup> = {}): Promise<Newsroom> {
  const logged: string[] = [];
  const people: People = { chief: "all" };
  const actor = (name: string): Actor => ({
    ...{ kind: "person", id: name },
    ability: createAbility(people[name] ?? "none"),
  });
  const { plugins = [], app: own = {}, config = {}, ...rest } = extras;
  const plinth = createPlinth({
    ...{ root: "/nowhere", environment: "test" },
    plugins: [contentApiPlugin, jobsPlugin, schedulePlugin, ...plugins],
    app: {
      ...CONTENT,
      ...own,
      strategies: { people: { name: "people", authenticate: (name) => (people[name] ? actor(name) : undefined) } },
      register: (context) => {
        context.on(resolveActor, ({ kind, id = "" }) => (kind === "person" && people[id] ? actor(id) : undefined));
        own.register?.(context);
      },
    },
    config: {
      ...{ database: database.config(), server: { host: "127.0.0.1", port: 0 } },
      i18n: { defaultLocale: "en", locales: ["en", "de"] },
      access: { tokens: { "configured-token": "all" } },
      ...config,
    },
    log: pino({ level: "debug" }, { write: (line: string) => void logged.push(String(JSON.parse(line).msg)) }),
    ...rest,
  });
  const url = (await plinth.start()) ?? "";
  return partsOf(plinth, { logged, people, actor, url });
}

function partsOf(plinth: PlinthApp, given: Pick<Newsroom, "logged" | "people" | "actor" | "url">): Newsroom {
  const { app } = plinth;
  return {
    ...{ ...given, plinth, app, schedules: app.service(schedules), releases: app.service(releases) },
    ask: (who, method, path, body) => ask(`${given.url}${path}`, { who, method, body, headers: {} }),
    askIf: (version, who, path, body) =>
      ask(`${given.url}${path}`, { who, method: "POST", body, headers: { "if-match": version } }),
    settle: () => app.extension(jobs).idle(),
    draft: async (data = { title: "Draft" }, locale = "en") =>
      (await app.documents(ARTICLE).create({ data, locale })).documentId,
    published: async (documentId, locale = "en") => {
      const found = await app.documents(ARTICLE).findOne({ documentId, locale, status: "published" });
      return found ? String(found["title"]) : undefined;
    },
  };
}

/** The same, stopped after the suite. */
export function serveNewsroom(database: TestDatabase, extras: Partial<AppSetup> = {}): () => Newsroom {
  let served: Newsroom | undefined;
  before("start the app", async () => {
    served = await startNewsroom(database, extras);
  });
  after("stop the app", () => served?.plinth.stop());
  return () => {
    if (!served) throw new TypeError("The app has not started.");
    return served;
  };
}

/** Headers of a request. */
type Headers = Readonly<Record<string, string>>;

interface Sent {
  readonly who: string;
  readonly method: string;
  readonly body: unknown;
  readonly headers: Headers;
}

async function ask(url: string, { who, method, body, headers }: Sent): Promise<Answered> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(who === "" ? {} : { authorization: `Bearer ${who}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

/** So many milliseconds from now, by the clock of the database. */
export const later = ({ app }: Pick<Newsroom, "app">, ms: number): Date => new Date(app.clock.now() + ms);

/** Repeats until it holds. */
export const soon = eventually;

/** The code of what a call is rejected with. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "none",
    (error: { readonly code?: string; readonly message: string }) => error.code ?? error.message,
  );
