import { createPlinth, type Document, type PlinthApp } from "@plinth/core";
import { contentApiPlugin } from "../../plugins/content-api/src/index.js";
import type { TestDatabase } from "../databases.js";
import { schemasOf, uidOf } from "./schemas.js";
import { LOCALES, TYPE_NAMES, type TypeName, type World } from "./world.js";

const TOKEN = "everything";

/** An app that serves a world. */
export interface Newsroom {
  readonly world: World;
  readonly plinth: PlinthApp;
  documents(type: TypeName): ReturnType<PlinthApp["app"]["documents"]>;
  /** A request to the content API; `path` follows `/api/`. @throws Answered for errors */
  ask(method: string, path: string, data?: object): Promise<{ readonly data: unknown; readonly meta: unknown }>;
  /** Takes all content out. */
  empty(): Promise<void>;
}

/** An answer with an error. */
export class Answered extends Error {
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(`${status} ${text}`);
  }
}

/** Starts an app for each world; stopped after the suite. */
export function openNewsrooms(database: TestDatabase, worlds: readonly World[]): readonly Newsroom[] {
  const opened: Newsroom[] = [];
  before("start the apps", async () => {
    for (const world of worlds) opened.push(await open(database, world));
  });
  after("stop the apps", () => Promise.all(opened.map(({ plinth }) => plinth.stop())));
  return opened;
}

async function open(database: TestDatabase, world: World): Promise<Newsroom> {
  const plinth = createPlinth({
    root: import.meta.dirname,
    plugins: [contentApiPlugin],
    app: schemasOf(world),
    config: {
      log: { level: "silent" },
      server: { host: "127.0.0.1", port: 0 },
      i18n: { defaultLocale: "en", locales: [...LOCALES] },
      database: database.config(),
      access: { tokens: { [TOKEN]: "all" } },
    },
  });
  const url = await plinth.start();
  const { app } = plinth;
  return {
    world,
    plinth,
    documents: (type) => app.documents(uidOf(type)),
    ask: (method, path, data) => ask(`${url}/api/${path}`, method, data),
    empty: async () => {
      for (const type of TYPE_NAMES) await removeAll(app.documents(uidOf(type)));
    },
  };
}

async function removeAll(documents: ReturnType<Newsroom["documents"]>): Promise<void> {
  const found = await documents.findMany({ locale: "*", fields: ["documentId"] });
  const ids = new Set(found.map(({ documentId }) => documentId));
  for (const documentId of ids) await documents.delete({ documentId, locale: "*" });
}

async function ask(url: string, method: string, data?: object) {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    ...(data ? { body: JSON.stringify({ data }) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Answered(response.status, text);
  return (text ? JSON.parse(text) : { data: null, meta: {} }) as { data: Document; meta: unknown };
}
