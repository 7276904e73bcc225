import {
  type AppSetup,
  type Clock,
  createPlinth,
  type Document,
  type PlinthApp,
  type WriteEvent,
  writeHooks,
} from "@plinth/core";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import type { TestDatabase } from "../databases.js";
import { sendRequest } from "../send-request.js";
import { schemasOf, uidOf } from "./schemas.js";
import { DEFAULT_LOCALE, LOCALES, TYPE_NAMES, type TypeName, type World } from "./world.js";

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

/** Hears of each write inside of its transaction, when it holds all its locks. */
export type Witness = (event: WriteEvent) => void;

/** What a suite has its app do beside the usual. */
interface NewsroomOptions {
  readonly witness?: Witness;
  readonly clock?: Clock;
}

/** Starts an app that serves a world, empty; stopped after the suite. */
export function openNewsroom(database: TestDatabase, world: World, options: NewsroomOptions = {}): () => Newsroom {
  let opened: Newsroom | undefined;
  before("start the app", async () => {
    opened = await open(createPlinth(setupOf(database, world, options)), world);
  });
  after("stop the app", () => opened?.plinth.stop());
  return () => {
    if (!opened) throw new TypeError("The app has not started.");
    return opened;
  };
}

function setupOf(
  database: TestDatabase,
  world: World,
  { witness = () => undefined, clock }: NewsroomOptions,
): AppSetup {
  return {
    root: import.meta.dirname,
    ...(clock ? { clock } : {}),
    plugins: [contentApiPlugin],
    app: {
      ...schemasOf(world),
      register: ({ on }) => {
        for (const stages of Object.values(writeHooks)) on(stages.after, witness);
      },
    },
    config: {
      log: { level: "silent" },
      server: { host: "127.0.0.1", port: 0 },
      i18n: { defaultLocale: DEFAULT_LOCALE, locales: [...LOCALES] },
      database: database.config(),
      access: { tokens: { [TOKEN]: "all" } },
    },
  };
}

async function open(plinth: PlinthApp, world: World): Promise<Newsroom> {
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
  const { status, text } = await sendRequest(url, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: data && JSON.stringify({ data }),
  });
  if (status >= 300) throw new Answered(status, text);
  return (text ? JSON.parse(text) : { data: null, meta: {} }) as { data: Document; meta: unknown };
}
